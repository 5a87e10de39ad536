"""Verdicts, counted: by decision, by predicate, and by what was found fault with.

No content: categories, purposes, rules and tools say what happened.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from lawful.client.blocked import UNKNOWN_POLICY
from lawful.schemas.event import AgentEvent, ToolCall, ToolResult
from lawful.schemas.verdict import Decision, Predicate, Verdict

SHOWN = 3


class Reason(NamedTuple):
    """One kind of fault: what a false alarm would look like from afar."""

    decision: str
    rule: str
    reason: str
    purpose: str
    category: str
    what: str


@dataclass(slots=True)
class Tally:
    """Counts verdicts as they come.

    Attributes:
        predicates: events with at least one violation of each.
        reasons: violations by kind.
        example: an event id for each kind, to look it up in the audit.
        unjudged: events whose policy the workers do not have, by its id; empty for events that name none.
    """

    events: int = 0
    verdicts: int = 0
    decisions: Counter[str] = field(default_factory=Counter)
    predicates: Counter[str] = field(default_factory=Counter)
    reasons: Counter[Reason] = field(default_factory=Counter)
    example: dict[Reason, str] = field(default_factory=dict)
    unjudged: Counter[str] = field(default_factory=Counter)

    def add(self, event: AgentEvent, verdict: Verdict) -> None:
        """Count a verdict."""
        self.verdicts += 1
        self.decisions[verdict.decision.word] += 1
        self.predicates.update({violation.rule for violation in verdict.violations})
        if any(violation.reason == UNKNOWN_POLICY for violation in verdict.violations):
            self.unjudged[event.policy_id or ""] += 1
        for reason in {_reason(event, verdict, index) for index in range(len(verdict.violations))}:
            self.reasons[reason] += 1
            self.example.setdefault(reason, event.event_id)

    @property
    def unanswered(self) -> int:
        """Events without a verdict."""
        return self.events - self.verdicts

    def summary(self) -> dict[str, Any]:
        """The counts as plain data, every decision and predicate named."""
        rules = [predicate.value for predicate in Predicate if predicate is not Predicate.ERROR]
        others = sorted(set(self.predicates) - set(rules))
        return {
            "events": self.events,
            "verdicts": self.verdicts,
            "unanswered": self.unanswered,
            "decisions": {decision.word: self.decisions[decision.word] for decision in Decision},
            "predicates": {rule: self.predicates[rule] for rule in (*rules, *others)},
        }

    def details(self) -> list[dict[str, Any]]:
        """The kinds of faults as plain data, the most frequent first."""
        return [
            {**reason._asdict(), "count": count, "example": self.example[reason]}
            for reason, count in self.reasons.most_common()
        ]

    def overview(self) -> list[tuple[str, str, str, int, str]]:
        """Faults without their places: decision, fault, what it concerns, how often, where most."""
        groups: dict[tuple[str, str, str], Counter[str]] = {}
        for reason, count in self.reasons.items():
            fault = f"{reason.rule} {reason.reason}"
            key = (reason.decision, fault, " ".join(part for part in (reason.purpose, reason.category) if part))
            groups.setdefault(key, Counter())[reason.what] += count
        rows = [(*key, where.total(), _most(where)) for key, where in groups.items()]
        return sorted(rows, key=lambda row: (-row[3], row))


def _most(where: Counter[str]) -> str:
    shown = ", ".join(f"{what} {count}" for what, count in where.most_common(SHOWN))
    return shown + (f", {len(where) - SHOWN} more" if len(where) > SHOWN else "")


def _reason(event: AgentEvent, verdict: Verdict, index: int) -> Reason:
    violation = verdict.violations[index]
    payload = event.payload
    what = f"{event.kind.value} {payload.tool}" if isinstance(payload, ToolCall | ToolResult) else event.kind.value
    return Reason(
        verdict.decision.word, violation.rule, violation.reason, violation.purpose or "", violation.category or "", what
    )

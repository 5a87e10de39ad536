"""One trace through the judge stage, each decision of it held against the other judges.

The stage is the workers' own (`lawful.streams.kernel`): links, merges, duplicates and several
subjects are what they are in production, and the other judges see the histories that it had.
"""

from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from lawful.infra.crosscheck.explain import Case, explanation
from lawful.policies.crosscheck import Agreement, Panel
from lawful.policies.judge import At
from lawful.policies.mfotl.export import Recorded
from lawful.policies.mfotl.judge import MfotlJudge
from lawful.policies.rego.judge import RegoJudge
from lawful.schemas.history import History
from lawful.schemas.verdict import Verdict
from lawful.schemas.view import View
from lawful.streams.kernel import ANNOTATED, Answer, Partial, Policies, Redirect, SubjectRow, Tables, judge_view
from lawful.streams.refusing import refusal


@dataclass(slots=True)
class Tally:
    """What came of many comparisons.

    Attributes:
        events: events, redelivered ones included.
        refused: decisions that no policy was asked for (an unknown one, too many subjects).
        decisions: decisions held against each other: one per subject of an event.
        outcomes: how many decisions of each kind.
        rules: how many decisions had each violation.
        disagreements: per judge, decisions on which it differs from the operational judge.
        differing: decisions on which any judge differs.
        first: the first of them explained: plain data, so that it can cross processes.
        logs: the subjects' logs, where they are kept.
    """

    events: int = 0
    refused: int = 0
    decisions: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    disagreements: Counter[str] = field(default_factory=Counter)
    differing: int = 0
    first: dict[str, Any] | None = None
    logs: list[Recorded] = field(default_factory=list)

    def add(self, case: Case, agreement: Agreement) -> None:
        """Count one comparison."""
        self.decisions += 1
        self.outcomes[agreement.verdict.decision.word] += 1
        self.rules.update({f"{each.rule} {each.reason}" for each in agreement.verdict.violations})
        if agreement.agrees:
            return
        self.differing += 1
        self.disagreements.update(fault.judge.value for fault in agreement.faults)
        self.first = self.first or explanation(case, agreement)

    def merge(self, other: "Tally") -> None:
        """Count another tally's comparisons as well."""
        self.events += other.events
        self.refused += other.refused
        self.decisions += other.decisions
        self.outcomes += other.outcomes
        self.rules += other.rules
        self.disagreements += other.disagreements
        self.differing += other.differing
        self.first = self.first or other.first
        self.logs += other.logs


def _forgetting(_: str) -> MfotlJudge:
    return MfotlJudge()


class Driver:
    """Takes events' views through the judge stage and compares every decision.

    Args:
        policies: the loaded policies.
        rego: the second judge; takes a while to be made.
        keep_logs: keep the subjects' logs, for one more judge.
    """

    def __init__(self, policies: Policies, rego: RegoJudge | None = None, *, keep_logs: bool = False) -> None:
        self._policies = policies
        self._tables = Tables()
        self.tally = Tally()
        self._panel = Panel(rego or RegoJudge(), self._recording if keep_logs else _forgetting)

    def _recording(self, key: str) -> MfotlJudge:
        recorded = Recorded(key)
        self.tally.logs.append(recorded)
        return recorded.judge()

    def take(self, views: Iterable[View]) -> None:
        """One event, redirects followed to where they are answered."""
        self.tally.events += 1
        waiting = deque(views)
        while waiting:
            waiting += self._step(waiting.popleft())

    def _step(self, view: View) -> list[View]:
        tables = self._tables
        at = At(ANNOTATED, 0, tables.annotated, view.recorded_at)
        tables.annotated += 1
        before = tables.rows.get(view.key, SubjectRow()).history
        onward: list[View] = []
        for emitted in judge_view(view, at, self._policies, tables):
            match emitted:
                case Redirect():
                    onward.append(emitted.view)
                case Answer() | Partial():
                    judged = emitted.audit.view if isinstance(emitted, Answer) else emitted.view
                    # As it was judged: with what it inherited.
                    seen = replace(view, findings=judged.findings, purposes=judged.purposes)
                    self._compare(seen, at, before, emitted.verdict)
        return onward

    def _compare(self, view: View, at: At, before: History, verdict: Verdict) -> None:
        policy = self._policies.get(view.policy_id)
        if policy is None or refusal(view, policy):
            self.tally.refused += 1
            return
        # A redelivered view is judged as of its first place.
        first = self._tables.firsts.get((view.event_id, view.key, view.part))
        place = first.at if first else at
        case = Case(view, place, before, policy)
        self.tally.add(case, self._panel.compare(view, place, case.history, policy, verdict))

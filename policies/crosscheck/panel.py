"""One event before all three judges: what each says, and where they differ.

The operational judge (Python), the auditors' one (Rego) and the formal one (temporal logic) share
no line of code that decides. They must agree on every event: Rego on decision, rules, reasons,
purposes, categories and exceptions; temporal logic on what is violated and by which purpose and
category.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from lawful.policies.answering import At
from lawful.policies.judge import judge
from lawful.policies.mfotl.judge import MfotlJudge, Witness
from lawful.policies.model import Policy
from lawful.policies.predicates.minimisation import WOULD_BREAK
from lawful.policies.rego.judge import Charge, RegoJudge
from lawful.policies.rego.judge import Finding as Opinion
from lawful.policies.wording import purpose_or_none
from lawful.schemas.errors import LawfulError
from lawful.schemas.history import History
from lawful.schemas.verdict import Decision, Predicate, Verdict
from lawful.schemas.view import View

MOST_SUBJECTS: Final = 10_000
_FORMAL: Final = frozenset({Predicate.CONSENT, Predicate.PURPOSE, Predicate.MINIMISATION, Predicate.ERASURE})
_COMMON: Final = frozenset(Predicate)


class Judge(StrEnum):
    """Who decides."""

    PYTHON = "python"
    REGO = "rego"
    MFOTL = "mfotl"
    MONPOLY = "monpoly"


@dataclass(frozen=True, slots=True)
class Fault:
    """A judge that differs from the operational one.

    Attributes:
        missing: what the operational judge says and this one does not.
        surplus: what this one says and the operational judge does not.
    """

    judge: Judge
    missing: tuple[str, ...]
    surplus: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Agreement:
    """What became of one comparison: no faults, or what differs."""

    verdict: Verdict
    faults: tuple[Fault, ...] = ()

    @property
    def agrees(self) -> bool:
        """Whether all judges say the same."""
        return not self.faults


def opinion(verdict: Verdict) -> Opinion:
    """A verdict without wording, evidence and obligations, as far as the four predicates and `error` go.

    A policy's own rules are no business of the other judges.
    """
    charges = frozenset(
        Charge(each.rule, each.reason, each.purpose, each.category, each.decision)
        for each in verdict.violations
        if each.rule in _COMMON
    )
    strictest = max((charge.decision for charge in charges), default=Decision.FORWARD)
    return Opinion(strictest, charges, frozenset(verdict.exceptions))


def has_own_rules(verdict: Verdict) -> bool:
    """Whether a rule of the policy's own had its say."""
    return any(each.rule not in _COMMON for each in verdict.violations)


def witnesses(verdict: Verdict) -> frozenset[Witness]:
    """What a verdict says is violated, as far as the four predicates go.

    Redaction that would break a tool's arguments is no predicate of its own, but P3's.
    """
    return frozenset(
        Witness(Predicate(each.rule), each.purpose, each.category)
        for each in verdict.violations
        if each.rule in _FORMAL and (each.reason != WOULD_BREAK or each.rule == Predicate.MINIMISATION)
    )


@dataclass(slots=True)
class Panel:
    """The judges, each with what it needs from event to event. For one thread.

    The formal judge of a subject goes on from event to event as long as they come in the log's
    order; for an event from before that, one is made anew.
    """

    rego: RegoJudge = field(default_factory=RegoJudge)
    formal: Callable[[str], MfotlJudge] = lambda _key: MfotlJudge()
    _subjects: dict[str, MfotlJudge] = field(default_factory=dict)

    def compare(
        self, view: View, at: At, history: History, policy: Policy, verdict: Verdict | None = None
    ) -> Agreement:
        """Ask all judges about one event.

        Args:
            view: the event as it concerns the subject.
            at: where and when it is judged.
            history: what is known of the subject, possibly including later facts.
            policy: the session's policy.
            verdict: what the operational judge said; it is asked if this is not given.
        """
        given = judge(view, at, history, policy).verdict if verdict is None else verdict
        faults = (self._rego(view, at, history, policy, given), self._formal(view, at, history, policy, given))
        return Agreement(given, tuple(fault for fault in faults if fault is not None))

    def _rego(self, view: View, at: At, history: History, policy: Policy, verdict: Verdict) -> Fault | None:
        expected = opinion(verdict)
        try:
            found = self.rego.judge(view, at, history, policy)
        except LawfulError as error:
            return Fault(Judge.REGO, (), (f"no answer: {error}",))
        if has_own_rules(verdict):  # they may have blocked what is an exception to the other judges
            expected, found = replace(expected, exceptions=frozenset()), replace(found, exceptions=frozenset())
        return None if found == expected else _fault(Judge.REGO, _told(expected), _told(found))

    def _formal(self, view: View, at: At, history: History, policy: Policy, verdict: Verdict) -> Fault | None:
        expected = witnesses(verdict)
        try:
            found = self._judge_of(view.key, at).judge(view, at, history, policy)
        except LawfulError as error:
            return Fault(Judge.MFOTL, (), (f"no answer: {error}",))
        found = frozenset(Witness(each.predicate, named(each.purpose), each.category) for each in found)
        return None if found == expected else _fault(Judge.MFOTL, map(told, expected), map(told, found))

    def _judge_of(self, key: str, at: At) -> MfotlJudge:
        known = self._subjects.get(key)
        if known is None or known.latest >= at.offset:
            if len(self._subjects) >= MOST_SUBJECTS:
                self._subjects.clear()
            known = self._subjects[key] = self.formal(key)
        return known


def compare(view: View, at: At, history: History, policy: Policy) -> Agreement:
    """Ask all judges about one event, from its history alone: for a sampled event of a worker.

    Costs about a millisecond, and more with a long history.
    """
    return Panel(_AUDITOR).compare(view, at, history, policy)


_AUDITOR: Final = RegoJudge()


def named(purpose: str | None) -> str | None:
    """A purpose as verdicts name it."""
    return None if purpose is None else purpose_or_none(purpose)


def told(witness: Witness) -> str:
    """A witness in words."""
    return witness.predicate.value + _about(witness.purpose, witness.category)


def _about(purpose: str | None, category: str | None) -> str:
    return "".join(f", {name} {value}" for name, value in (("purpose", purpose), ("category", category)) if value)


def _told(said: Opinion) -> list[str]:
    return [
        f"decision {said.decision.word}",
        *(f"exception {each}" for each in said.exceptions),
        *(
            f"{each.rule} {each.reason} ({each.decision.word}){_about(each.purpose, each.category)}"
            for each in said.charges
        ),
    ]


def _fault(judge_: Judge, expected: Iterable[str], found: Iterable[str]) -> Fault:
    wanted, had = set(expected), set(found)
    return Fault(judge_, tuple(sorted(wanted - had)), tuple(sorted(had - wanted)))

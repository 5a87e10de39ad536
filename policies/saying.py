"""What a rule adds to a verdict: something that is wrong, and what must be done about it. It only tightens."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lawful.policies.answering import Judgement
from lawful.policies.lattice import in_order, obligations_in_order, strictest
from lawful.schemas.history import History
from lawful.schemas.verdict import Decision, Obligation, Violation


@dataclass(frozen=True, slots=True)
class Said:
    """What one rule says of what was found."""

    violation: Violation
    obligations: tuple[Obligation, ...] = ()


def tightened(base: Judgement, history: History, said: Sequence[Said]) -> Judgement:
    """The judgement with more said against the event. Never looser than `base`.

    Args:
        base: what was said already.
        history: from before the event; a blocked one teaches nothing.
        said: what is added.
    """
    violations = in_order([*base.verdict.violations, *(each.violation for each in said)])
    decision = strictest(violations)
    blocked = decision is Decision.BLOCK
    demanded = [*base.verdict.obligations, *(each for one in said for each in one.obligations)]
    verdict = replace(
        base.verdict,
        decision=decision,
        violations=violations,
        obligations=obligations_in_order(demanded) if decision is Decision.REDACT else (),
        exceptions=() if blocked else base.verdict.exceptions,
    )
    return Judgement(verdict, history if blocked else base.history)

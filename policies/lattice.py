"""Putting answers together: the strictest wins, and nothing that was found is lost.

`forward` < `warn` < `redact` < `block`. Everything here is commutative, associative and idempotent,
so neither the order in which predicates speak nor the order in which subjects' shares arrive can
change a verdict.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from lawful.schemas.verdict import Decision, Obligation, Outcome, Verdict, Violation, Vote
from lawful.schemas.view import SourcePosition

# What is reported of an event whose shares had several outcomes: what was done to the person first.
_OUTCOMES = (
    Outcome.ERASED,
    Outcome.ALREADY_ERASED,
    Outcome.UNKNOWN_SUBJECT,
    Outcome.RECORDED,
    Outcome.UNLINKED,
    Outcome.LINKED,
)


def strictest(violations: Iterable[Violation]) -> Decision:
    """The decision that a set of violations leads to; `forward` for none."""
    return max((violation.decision for violation in violations), default=Decision.FORWARD)


def in_order(violations: Iterable[Violation]) -> tuple[Violation, ...]:
    """The violations without doubles, in the one order in which verdicts list them."""
    return tuple(sorted(set(violations), key=_violation_order))


def obligations_in_order(obligations: Iterable[Obligation]) -> tuple[Obligation, ...]:
    """The obligations without doubles, in the one order in which verdicts list them."""
    return tuple(sorted(set(obligations), key=_obligation_order))


def combine(verdicts: Sequence[Verdict]) -> Verdict:
    """One verdict from several subjects' shares of one event.

    Args:
        verdicts: at least one; all of the same event.

    Raises:
        ValueError: for no verdict at all.
    """
    if not verdicts:
        raise ValueError("there is nothing to combine")
    shares = sorted(verdicts, key=_share_order)
    decision = max(share.decision for share in shares)
    owed = [obligation for share in shares for obligation in share.obligations]
    return replace(
        shares[0],
        decision=decision,
        violations=in_order(violation for share in shares for violation in share.violations),
        obligations=obligations_in_order(owed) if decision is Decision.REDACT else (),
        outcome=_outcome(shares, decision),
        exceptions=tuple(sorted({purpose for share in shares for purpose in share.exceptions})),
        decided_on=tuple(sorted({place for share in shares for place in share.decided_on}, key=_place_order)),
        recorded_at=max(share.recorded_at for share in shares),
        votes=tuple(sorted({vote for share in shares for vote in share.votes}, key=_vote_order)),
    )


def _outcome(shares: Sequence[Verdict], decision: Decision) -> Outcome | None:
    """The foremost outcome; none for a blocked event, which did not happen."""
    if decision is Decision.BLOCK:
        return None
    given = {share.outcome for share in shares}
    return next((outcome for outcome in _OUTCOMES if outcome in given), None)


def _violation_order(one: Violation) -> tuple[object, ...]:
    return (
        one.rule,
        one.reason,
        one.purpose or "",
        one.category or "",
        one.subject or "",
        -one.decision,
        one.message,
        one.article,
        one.evidence,
    )


def _obligation_order(one: Obligation) -> tuple[str, int, int, str, str, str]:
    return (one.path, one.start, one.end, one.category, one.action.value, one.detail)


def _place_order(one: SourcePosition) -> tuple[str, int, int]:
    return (one.topic, one.partition, one.offset)


def _vote_order(one: Vote) -> tuple[object, ...]:
    return (one.part, not one.sentry, one.auditor, one.version, one.decision, one.reason)


def _share_order(one: Verdict) -> tuple[object, ...]:
    return ([_place_order(place) for place in one.decided_on], one.policy_id, one.policy_version, one.policy_digest)

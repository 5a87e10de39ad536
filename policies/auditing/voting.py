"""What votes come to: any doubt among the sentries asks everybody, and then the majority decides.

The outcome is never milder than the verdict that was looked at. An auditor that fails or is late has
voted to block, so ties and failures fail closed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from lawful.policies.auditing.port import REASON, Opinion
from lawful.policies.lattice import in_order, obligations_in_order
from lawful.schemas.verdict import Decision, Obligation, Verdict, Violation, Vote

RULE: Final = "auditors"
MAJORITY: Final = "auditors_majority"
NO_MAJORITY: Final = "auditors_no_majority"
AGREES: Final = "agrees"
RESERVED: Final = frozenset({AGREES, "late", "failed", "unreadable", "busy"})
"""Reasons that are not an auditor's own to give."""

_ARTICLE: Final = "GDPR Art. 25(2)"


@dataclass(frozen=True, slots=True)
class Ballot:
    """What one auditor answered.

    Attributes:
        opinion: `None` if it gave none.
        trouble: then why: `late`, `failed`, `unreadable`, `busy`.
    """

    auditor: str
    version: str
    sentry: bool
    opinion: Opinion | None
    trouble: str = ""

    @property
    def decision(self) -> Decision:
        """What it counts as."""
        return Decision.BLOCK if self.opinion is None else self.opinion.decision


def doubtful(verdict: Verdict, sentries: Iterable[Ballot]) -> bool:
    """Whether the whole pool has to be asked: not every sentry said just what the verdict says."""
    return any(each.opinion is None or each.decision is not verdict.decision for each in sentries)


def majority(decisions: Sequence[Decision]) -> Decision:
    """The mildest decision that more than half of all would let stand.

    Args:
        decisions: one per auditor of the pool, `block` for who gave none; at least one.
    """
    return sorted(decisions)[len(decisions) // 2]


def settle(verdict: Verdict, ballots: Sequence[Ballot], part: int = 0) -> Verdict:
    """The verdict after the vote, with every vote in it.

    Args:
        verdict: what was looked at.
        ballots: the sentries' alone, if there was no doubt; else one for each of the pool.
        part: which view of the event it is about.
    """
    votes = tuple(sorted((_vote(each, verdict, part) for each in ballots), key=lambda vote: vote.auditor))
    verdict = replace(verdict, votes=(*verdict.votes, *votes))
    if not ballots or not doubtful(verdict, ballots):
        return verdict
    voted = majority([each.decision for each in ballots])
    if voted <= verdict.decision:
        return verdict
    return _stricter(verdict, voted, ballots)


def _stricter(verdict: Verdict, voted: Decision, ballots: Sequence[Ballot]) -> Verdict:
    demanded = _demanded(ballots)
    # To redact, one has to know what.
    decision = Decision.BLOCK if voted is Decision.REDACT and not demanded else voted
    blocked = decision is Decision.BLOCK
    return replace(
        verdict,
        decision=decision,
        violations=in_order([*verdict.violations, _violation(decision, ballots)]),
        obligations=obligations_in_order([*verdict.obligations, *demanded]) if decision is Decision.REDACT else (),
        outcome=None if blocked else verdict.outcome,
        exceptions=() if blocked else verdict.exceptions,
    )


def _demanded(ballots: Iterable[Ballot]) -> list[Obligation]:
    opinions = (each.opinion for each in ballots if each.opinion and each.decision is Decision.REDACT)
    return [obligation for opinion in opinions for obligation in opinion.obligations]


def _violation(decision: Decision, ballots: Sequence[Ballot]) -> Violation:
    silent = sum(each.opinion is None for each in ballots)
    against = sum(each.opinion is not None and each.decision > Decision.FORWARD for each in ballots)
    reason = MAJORITY if 2 * against > len(ballots) else NO_MAJORITY
    said = f"of {len(ballots)} auditors {against} object and {silent} gave no answer"
    return Violation(RULE, reason, decision, said, article=_ARTICLE)


def _vote(ballot: Ballot, verdict: Verdict, part: int) -> Vote:
    return Vote(ballot.auditor, ballot.version, ballot.decision, _reason(ballot, verdict), ballot.sentry, part)


def _reason(ballot: Ballot, verdict: Verdict) -> str:
    if ballot.opinion is None:
        return ballot.trouble
    if ballot.decision is verdict.decision:
        return AGREES
    if REASON.fullmatch(ballot.opinion.reason) and ballot.opinion.reason not in RESERVED:
        return ballot.opinion.reason
    return "stricter" if ballot.decision > verdict.decision else "milder"

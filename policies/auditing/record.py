"""Which auditors deviate so often that it is no accident: an exact binomial test on their records.

A vote deviates if it differs from what the majority of those asked said, silence included. An
auditor is flagged if so many deviations, or more, would be seen in fewer than one of a thousand such
pools of auditors that deviate as often as it is borne (`BORNE`) or as the others do together,
whichever is more.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, lgamma, log
from typing import Final

from lawful.policies.auditing.voting import AGREES, RESERVED, majority
from lawful.schemas.verdict import Decision, Vote

BORNE: Final = 0.01
"""An auditor that deviates in one of a hundred votes is not remarkable."""

THRESHOLD: Final = 0.001
"""Chance of flagging anybody of a pool in which nobody deviates more than is borne."""

_NEGLIGIBLE: Final = 1e-18


@dataclass(frozen=True, slots=True)
class Record:
    """How an auditor has voted.

    Attributes:
        votes: how often it was asked.
        deviations: how often it differed from what came of it.
        silent: how many of these were no answers.
    """

    votes: int = 0
    deviations: int = 0
    silent: int = 0

    def with_vote(self, vote: Vote, outcome: Decision) -> "Record":
        """The record with one more vote on it."""
        silent = vote.reason in SILENT
        deviates = silent or vote.decision is not outcome
        return Record(self.votes + 1, self.deviations + deviates, self.silent + silent)


SILENT: Final = RESERVED - {AGREES}
"""Reasons of votes that were no answers."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What an auditor's record says.

    Attributes:
        expected: the rate that it is held against.
        chance: of so many deviations or more at that rate.
        flagged: the chance is below the threshold, divided by the number of auditors (Bonferroni).
    """

    auditor: str
    record: Record
    expected: float
    chance: float
    flagged: bool


def records(votings: Iterable[Sequence[Vote]]) -> dict[str, Record]:
    """Each auditor's record.

    Args:
        votings: all votes on one view of an event each, at least one.
    """
    found: dict[str, Record] = {}
    for votes in votings:
        outcome = majority([vote.decision for vote in votes])
        for vote in votes:
            found[vote.auditor] = found.get(vote.auditor, Record()).with_vote(vote, outcome)
    return found


def examine(found: Mapping[str, Record], borne: float = BORNE, threshold: float = THRESHOLD) -> list[Finding]:
    """Holds every auditor against what is borne and against the others; the most remarkable first."""
    told = [_examined(name, found, borne, threshold) for name in sorted(found)]
    return sorted(told, key=lambda each: each.chance)


def _examined(name: str, found: Mapping[str, Record], borne: float, threshold: float) -> Finding:
    own, others = found[name], [record for other, record in found.items() if other != name]
    asked = sum(each.votes for each in others)
    rate = max(borne, sum(each.deviations for each in others) / asked if asked else 0.0)
    chance = tail(own.deviations, own.votes, rate)
    return Finding(name, own, rate, chance, flagged=chance < threshold / len(found))


def tail(least: int, trials: int, chance: float) -> float:
    """The probability of at least so many successes: exact, summed from the least on.

    Costs as many steps as terms matter, a few hundred even for millions of trials.
    """
    if least <= 0:
        return 1.0
    if least <= trials * chance:
        return max(0.0, 1.0 - sum(_terms(trials, least - 1, chance, -1)))
    return min(1.0, sum(_terms(trials, least, chance, 1)))


def _terms(trials: int, start: int, chance: float, step: int) -> Iterable[float]:
    """The probabilities of `start`, and of what follows in one direction, until they are negligible."""
    if chance >= 1:
        yield float(start <= trials <= start or (step > 0 and start <= trials))
        return
    odds, number = chance / (1 - chance), start
    term = exp(_log_choose(trials, start) + start * log(chance) + (trials - start) * log(1 - chance))
    peak = term
    while 0 <= number <= trials:
        yield term
        peak = max(peak, term)
        if term < peak * _NEGLIGIBLE:
            return
        if step > 0:
            term *= (trials - number) / (number + 1) * odds
        else:
            term *= number / ((trials - number + 1) * odds)
        number += step


def _log_choose(trials: int, number: int) -> float:
    return lgamma(trials + 1) - lgamma(number + 1) - lgamma(trials - number + 1)

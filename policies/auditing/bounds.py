"""How likely it is that malicious auditors let a fault pass: exact, not estimated.

A fault that the operational judge overlooks passes the auditors if all sentries are malicious, or if
doubt arises and the malicious are more than half of the pool. Two adversaries: one has corrupted a given
number of the pool, the other each of it with a given probability, independently.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, expm1, log1p


@dataclass(frozen=True, slots=True)
class Bounds:
    """Probabilities of one event, and over many.

    Attributes:
        pool, sentries, corrupt: how many there are, are drawn, are malicious.
        all_sentries: all sentries of an event are malicious.
        majority: the malicious decide the pool's vote: certain or impossible.
        passes: a fault passes the auditors.
        rounds: over how many events.
        ever: it passes at least once over these.
    """

    pool: int
    sentries: int
    corrupt: int
    all_sentries: float
    majority: float
    passes: float
    rounds: int
    ever: float


def all_malicious(pool: int, corrupt: int, sentries: int) -> Fraction:
    """All of the sentries, drawn without replacement, are malicious (hypergeometric)."""
    return Fraction(comb(corrupt, sentries), comb(pool, sentries))


def bounds(pool: int, corrupt: int, sentries: int, rounds: int = 1) -> Bounds:
    """With a given number of malicious auditors.

    Malicious sentries of whom one is honest raise doubt, and then half of the pool is not enough.
    """
    alone = all_malicious(pool, corrupt, sentries)
    most = 2 * corrupt > pool
    passes = Fraction(1) if most else alone
    return Bounds(pool, sentries, corrupt, float(alone), float(most), float(passes), rounds, over(passes, rounds))


def majority_chance(pool: int, chance: float) -> float:
    """More than half of the pool is malicious, each with this probability (binomial)."""
    return sum(_exactly(pool, n, chance) for n in range(pool // 2 + 1, pool + 1))


def passing_chance(pool: int, sentries: int, chance: float) -> float:
    """A fault passes, where each auditor is malicious with this probability."""
    return sum(
        _exactly(pool, n, chance) * (1.0 if 2 * n > pool else float(all_malicious(pool, n, sentries)))
        for n in range(pool + 1)
    )


def over(chance: Fraction | float, rounds: int) -> float:
    """At least once in so many independent draws; exact also where the chance is tiny."""
    one = float(chance)
    return 1.0 if one >= 1 else -expm1(rounds * log1p(-one))


def table(pool: int, sentries: int, rounds: Sequence[int]) -> list[Bounds]:
    """For every number of malicious auditors, and each number of rounds."""
    return [bounds(pool, corrupt, sentries, each) for corrupt in range(pool + 1) for each in rounds]


def _exactly(pool: int, number: int, chance: float) -> float:
    return comb(pool, number) * chance**number * (1 - chance) ** (pool - number)

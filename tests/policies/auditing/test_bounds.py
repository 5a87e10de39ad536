"""Chances of collusion: exact."""

from itertools import combinations

import pytest

from lawful.policies.auditing.bounds import all_malicious, bounds, majority_chance, over, passing_chance, table


@pytest.mark.parametrize(("pool", "corrupt", "sentries"), [(5, 2, 2), (7, 3, 2), (9, 4, 3), (6, 0, 1), (4, 4, 4)])
def test_the_chance_that_all_sentries_are_malicious_is_what_counting_gives(
    pool: int, corrupt: int, sentries: int
) -> None:
    """Every possible draw, counted."""
    draws = list(combinations(range(pool), sentries))
    bad = sum(all(one < corrupt for one in drawn) for drawn in draws)
    assert float(all_malicious(pool, corrupt, sentries)) == pytest.approx(bad / len(draws))


def test_a_malicious_majority_passes_what_it_likes_and_a_minority_only_by_luck() -> None:
    """Three of five decide the vote; two of five must be drawn together."""
    assert bounds(5, 3, 2).passes == 1.0
    assert bounds(5, 2, 2).passes == pytest.approx(0.1)
    assert bounds(5, 1, 2).passes == 0.0


def test_over_many_rounds_luck_adds_up() -> None:
    """1 - (1 - p)^T, also where p is too small for that to be computed plainly."""
    assert over(0.1, 3) == pytest.approx(1 - 0.9**3)
    assert over(1e-18, 1_000) == pytest.approx(1e-15)
    assert over(1.0, 2) == 1.0
    assert bounds(5, 2, 2, rounds=3).ever == pytest.approx(1 - 0.9**3)


def test_independent_corruption_is_summed_over_all_numbers() -> None:
    """Checked against all 2^5 pools."""
    chance, pool, sentries = 0.3, 5, 2
    majority = passing = 0.0
    for mask in range(2**pool):
        corrupt = mask.bit_count()
        weight = chance**corrupt * (1 - chance) ** (pool - corrupt)
        majority += weight * (2 * corrupt > pool)
        passing += weight * bounds(pool, corrupt, sentries).passes
    assert majority_chance(pool, chance) == pytest.approx(majority)
    assert passing_chance(pool, sentries, chance) == pytest.approx(passing)


def test_the_table_has_every_number_of_malicious_auditors() -> None:
    """From none to all, for each number of rounds."""
    assert [(each.corrupt, each.rounds) for each in table(2, 1, (1, 10))] == [
        (corrupt, rounds) for corrupt in range(3) for rounds in (1, 10)
    ]

"""Auditors whose votes differ from the others' too often to be an accident are flagged."""

from math import comb

import pytest

from lawful.policies.auditing.record import Record, examine, records, tail
from lawful.schemas.verdict import Decision, Vote


def vote(auditor: str, decision: Decision = Decision.FORWARD, reason: str = "agrees") -> Vote:
    """A sentry's vote."""
    return Vote(auditor, "1", decision, reason, sentry=True)


def test_who_differs_from_the_majority_deviates_and_so_does_who_is_silent() -> None:
    """Silence is counted twice: as a deviation, and by itself."""
    found = records(
        [
            [vote("a"), vote("b"), vote("c", Decision.BLOCK, "stricter")],
            [vote("a"), vote("b", Decision.BLOCK, "late"), vote("c")],
            [vote("a"), vote("b")],
        ]
    )
    assert found == {"a": Record(3, 0, 0), "b": Record(3, 1, 1), "c": Record(2, 1, 0)}


@pytest.mark.parametrize(("least", "trials", "chance"), [(0, 5, 0.1), (3, 10, 0.01), (4, 10, 0.5), (9, 10, 0.9)])
def test_the_tail_is_what_summing_gives(least: int, trials: int, chance: float) -> None:
    """Term by term."""
    told = sum(comb(trials, n) * chance**n * (1 - chance) ** (trials - n) for n in range(least, trials + 1))
    assert tail(least, trials, chance) == pytest.approx(told)


def test_a_long_record_is_examined_quickly_and_exactly() -> None:
    """A million votes at the expected rate are unremarkable, some hundred deviations more are not."""
    assert 0.4 < tail(10_000, 1_000_000, 0.01) < 0.6
    assert tail(10_500, 1_000_000, 0.01) < 1e-6


def test_only_who_deviates_more_than_is_borne_and_more_than_the_others_is_flagged() -> None:
    """One of five lies in a tenth of its votes; where all differ as often, nobody stands out."""
    honest = {name: Record(1_000, 8) for name in "abcd"}
    findings = examine(honest | {"e": Record(1_000, 100)})
    assert [each.auditor for each in findings if each.flagged] == ["e"]
    assert not any(each.flagged for each in examine({name: Record(1_000, 100) for name in "abcde"}))


def test_a_few_votes_flag_nobody() -> None:
    """One deviation in three votes can be an accident."""
    assert not examine({"a": Record(3, 1), "b": Record(3, 0)})[0].flagged

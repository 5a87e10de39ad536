"""A policy's own patterns."""

import pytest

from lawful.extractors.budget import Budget, TooMuchWork
from lawful.extractors.patterns import of_people

LATER = 60.0


def test_a_code_is_matched_once() -> None:
    """What matches as it is written does not match once more in any case."""
    assert [match.group() for match in of_people(r"C[0-9]", "C1 c2 C1", LATER)] == ["C1", "C1", "c2"]


def test_a_text_without_codes_is_looked_at_once() -> None:
    """Where there is no digit and no underscore, case counts, and the second look is spared."""
    budget = Budget(lambda: 0.0, 1.0, steps=1_000)
    assert [match.group() for match in of_people("[A-Z]{3}", "abc ABC " * 80, LATER, budget)] == ["ABC"] * 80
    assert budget.steps == 1_000 - 640 // 64 - 80 * 5


def test_what_is_no_code_is_paid_for_too() -> None:
    """Words that match but for case cost steps, though they are no hits."""
    budget = Budget(lambda: 0.0, 1.0, steps=300)
    with pytest.raises(TooMuchWork):
        list(of_people("[A-Z]{3}", "abc " * 80 + "1", LATER, budget))


def test_a_slow_pattern_ends() -> None:
    """Whoever gives no steps still gives seconds."""
    with pytest.raises(TimeoutError):
        list(of_people(r"(?:x+x+)+y", "x" * 5_000 + "z", 0.05))

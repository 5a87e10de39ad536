"""Emphasis is no part of what it sets off."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.extractors.budget import Budget, TooMuchWork
from lawful.extractors.underscores import unmarked


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("_536-90-4399_", " 536-90-4399 "),
        ("a __b c__, (_d_)", "a   b c  , ( d )"),
        ("Müller_ and _\u00e9t\u00e9_", "Müller  and  \u00e9t\u00e9 "),
        ("ada_brown_1234 a__b snake_case été_à", "ada_brown_1234 a__b snake_case été_à"),
        ("_ada_brown_1234_", " ada_brown_1234 "),
        ("Name: ____", "Name:     "),
    ],
)
def test_underscores_that_join_nothing_are_spaces(text: str, read: str) -> None:
    """Emphasis hides nothing, and what they join stays one word."""
    assert unmarked(text) == read


@given(st.text(st.sampled_from("__ aé4.-@\n")))
def test_spaces_for_underscores_keep_every_place(text: str) -> None:
    """Nothing but underscores changes, none that joins two letters or digits, and no second look changes more."""
    read = unmarked(text)
    assert len(read) == len(text)
    assert all(one == char or (char, one) == ("_", " ") for char, one in zip(text, read, strict=True))
    assert unmarked(read) == read
    for run in re.finditer("_+", text):
        beside = text[: run.start()][-1:].isalnum() and text[run.end() :][:1].isalnum()
        assert (read[slice(*run.span())] == run.group()) == beside


def test_underscores_cost_steps() -> None:
    """Of thirty thousand runs only some are looked at: an event may not cost so much."""
    budget = Budget(lambda: 0.0, 1.0, steps=45_000)
    with pytest.raises(TooMuchWork):
        unmarked("_ " * 30_000, budget.spend)

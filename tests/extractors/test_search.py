"""One look that says which patterns could match, and where."""

import random
import re
import time

import pytest
import regex  # type: ignore[import-untyped] # ships no types

from lawful.extractors.budget import Budget, TooMuchWork
from lawful.extractors.search import Finder, Prefilter, Search, Together

FLAGS = regex.IGNORECASE


def test_only_patterns_that_could_match_are_met() -> None:
    """Those without a condition always are."""
    prefilter = Prefilter([Search(r"\d{4}", FLAGS), Search("cat", FLAGS), Search("(?:dog){e<=1}", FLAGS)])
    assert prefilter.met("a CAT") == {1, 2}
    assert prefilter.met("in 2024, ein Käfer") == {0, 2}
    assert prefilter.met("") == {2}


def test_long_texts_are_searched_around_the_places_that_count() -> None:
    """The matches, their order and their ends are those of the whole text, look-around included."""
    rng = random.Random(5)
    budget = Budget(time.monotonic, time.monotonic() + 60)
    for _ in range(12):
        text = "".join(rng.choice(["x", " ", "12", "345-", "678", "é", "\n", "ab "]) for _ in range(3_000))
        text = text[: rng.randrange(2_000, 4_000)]
        for pattern in (r"(?<!\d)\d{3}-\d{3}(?!\d)", r"\d{2,4}(?= )", r"^ab", r"\b12\b", r"(\d)\1?x"):
            whole = [match.span() for match in regex.finditer(pattern, text, FLAGS)]
            assert list(Search(pattern, FLAGS).spans(text, budget)) == whole
            again = [match.span() for match in re.finditer(pattern, text)]
            assert [match.span() for match in Finder(pattern).finditer(text)] == again


def test_patterns_without_an_end_are_searched_whole() -> None:
    """A match of any length is found whole."""
    text = "x" * 3_000 + " a" + "b" * 3_000 + "c "
    budget = Budget(time.monotonic, time.monotonic() + 60)
    assert list(Search("ab+c", FLAGS).spans(text, budget)) == [(3_001, 6_003)]


def test_a_finder_finds_what_its_pattern_finds() -> None:
    """In short texts and long ones, with and without what it needs."""
    finder = Finder(r"(?i:born)[ ](?P<year>\d{4})")
    for text in ("", "Born 1957", "x" * 100, "x" * 100 + " born 1957 ", "é" * 2_000 + " born 1957"):
        match = finder.search(text)
        assert (match["year"] if match else None) == ("1957" if "1957" in text else None)


def test_finders_together_are_looked_at_once() -> None:
    """Each says for itself what it finds, in short texts and long ones, those that joined later as well."""
    together = Together(told_by_outline=True)
    first, second = Finder(r"\d{3}-\d{2}", beside=together), Finder("cat", beside=together)
    assert first.search("a cat") is None
    third = Finder(r"cat \d", beside=together)
    for text in ("cat 7, 123-45", "cat 7, 123-45" + " x" * 2_000):
        assert [one.number in together.met(text) for one in (first, second, third)] == [True, True, True]
        assert [match.span() for one in (first, second, third) for match in one.finditer(text)] == [
            (7, 13),
            (0, 3),
            (0, 5),
        ]


def test_stretches_are_paid_for_by_their_length() -> None:
    """A pattern without an end has the whole of a long text to go through."""
    budget = Budget(time.monotonic, time.monotonic() + 60, steps=1_000)
    with pytest.raises(TooMuchWork):
        list(Search("ab+c", FLAGS).spans("ab" + "x" * 40_000, budget))

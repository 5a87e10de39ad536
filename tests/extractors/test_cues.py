"""Words beside a place, looked for all at once."""

import pytest

from lawful.extractors.cues import Cues, any_around, any_between, any_over

CUES = Cues({"id": ["Steuer-ID", "id"], "bank": ["Kontonummer", "id card"], "other": ["Rue"]})


@pytest.mark.parametrize(
    ("near", "kinds"),
    [
        ("meine steuer-id ist", {"id"}),
        ("an id card", {"id", "bank"}),
        ("ids of things", {"id"}),
        ("the grid", set()),
        ("2id", set()),
        ("vraiment", set()),
        ("", set()),
    ],
)
def test_words_begin_where_no_letter_stands_before(near: str, kinds: set[str]) -> None:
    """A word of each kind counts also as the beginning of a longer one, and never as its end."""
    assert set(CUES.places(near)) == kinds


def test_places_are_in_order_whatever_overlaps() -> None:
    """Every occurrence has its own place."""
    assert CUES.places("id card, kontonummer, id")["bank"] == [(0, 7), (9, 20)]


def test_only_whole_words_between_two_places_count() -> None:
    """What begins before or ends behind does not; what has one character within overlaps."""
    spans = [(2, 5), (8, 20), (9, 12)]
    assert any_between(spans, 8, 12)
    assert not any_between(spans, 3, 11)
    assert any_over(spans, 4, 5, 12)
    assert any_over(spans, 12, 13, 12)
    assert not any_over(spans, 5, 8, 12)


def test_a_stretch_is_covered_whole_or_not() -> None:
    """A span covers what lies within it, its ends included."""
    spans = [(2, 5), (8, 20)]
    assert any_around(spans, 8, 20)
    assert any_around(spans, 2, 3)
    assert not any_around(spans, 4, 8)
    assert not any_around(spans, 0, 2)
    assert not any_around(spans, 19, 21)

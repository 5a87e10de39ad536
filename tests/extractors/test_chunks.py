"""Long texts in pieces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.extractors.chunks import OVERLAP, SIZE, chunks


@pytest.mark.parametrize("size", [0, 1, SIZE, SIZE + 1, 3 * SIZE + 17])
@pytest.mark.parametrize("unit", ["x", "ab c", "word\n", " "])
def test_pieces_cover_the_text(size: int, unit: str) -> None:
    """Every place lies in a piece, pieces are bounded, and neighbours overlap."""
    text = (unit * size)[:size]
    pieces = list(chunks(text))
    assert all(text[piece.start : piece.start + len(piece.text)] == piece.text for piece in pieces)
    assert all(len(piece.text) <= SIZE for piece in pieces)
    ends = [piece.start + len(piece.text) for piece in pieces]
    assert ends[-1] == len(text)
    assert all(after.start < end - OVERLAP // 3 for after, end in zip(pieces[1:], ends, strict=False))


@given(st.text(alphabet="(.-_*a 1\n", max_size=200))
def test_runs_of_punctuation_are_blanked_in_place(text: str) -> None:
    """Only long runs of punctuation change, and every other character keeps its place."""
    (piece,) = chunks(text)
    assert len(piece.text) == len(text)
    assert all(new in (old, " ") for old, new in zip(text, piece.text, strict=True))
    assert all(old == new for old, new in zip(text, piece.text, strict=True) if old.isalnum() or old.isspace())


def test_short_runs_stay() -> None:
    """Masks and rules of ordinary length are left as they are."""
    assert next(chunks("****2416 ----")).text == "****2416 ----"
    assert next(chunks("a" + "(" * 3000)).text == "a" + " " * 3000

"""Texts without accents, place for place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.extractors.folding import folded


@pytest.mark.parametrize(
    ("text", "plain"), [("Été à Zürich", "ete a zurich"), ("ŁÓDŹ", "łodz"), ("ß", "ß"), ("İ", "i"), ("plain", "plain")]
)
def test_accents_and_capitals_go(text: str, plain: str) -> None:
    """One spelling for lists to be written in."""
    assert folded(text) == plain


@given(st.text())
def test_every_place_stays(text: str) -> None:
    """A span in the folded text is the same span in the text."""
    assert len(folded(text)) == len(text)

"""Tokens for those of a user's recognisers that read them."""

import pytest

from lawful.extractors.presidio.artifacts import Tokeniser


def test_memory_for_new_words_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once many words are remembered spaCy starts anew; tokens are the same, and those of before are still there."""
    tokeniser = Tokeniser()
    first = tokeniser.read("please ask Marcus")
    room = tokeniser._nlp.held + 50
    monkeypatch.setattr("lawful.extractors.presidio.artifacts._MOST_STRINGS", room)
    began = tokeniser._nlp
    for number in range(100):
        words = [f"{chr(97 + number % 26)}{letter}{number}" for letter in "xyz"]
        found = tokeniser.read(" ".join(words))
        assert [str(token) for token in found.tokens] == found.lemmas == words
        assert tokeniser._nlp.held <= room + 20
    assert tokeniser._nlp is not began
    assert [str(token) for token in first.tokens] == ["please", "ask", "Marcus"]

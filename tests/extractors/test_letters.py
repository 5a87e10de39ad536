"""Letters that names are written with."""

import re

import pytest

from lawful.extractors.letters import CAPITALS, SMALL

NAME = re.compile(rf"[{CAPITALS}][{SMALL}]+")


@pytest.mark.parametrize("name", ["Ada", "Øystein", "Łukasz", "Şuheda", "Ștefan", "Đorđe", "Ủy", "Ольга", "Ελένη"])
def test_names_of_many_languages(name: str) -> None:
    """A capital and small letters, whatever their accents."""
    assert NAME.fullmatch(name)


@pytest.mark.parametrize("text", ["ada", "ADA", "A1a", "_a", "A a", "東京"])
def test_what_is_none(text: str) -> None:
    """Digits, signs, words in capitals, and scripts that have none."""
    assert not NAME.fullmatch(text)

"""Texts in lower case and without accents, character for character, so that lists need one spelling."""

import unicodedata
from functools import lru_cache


def folded(text: str) -> str:
    """The text in lower case without accents; as long as the text, so that places stay."""
    if text.isascii():
        return text.lower()
    return "".join(char if char.isascii() else _folded(char) for char in text).lower()


@lru_cache(maxsize=4_096)
def _folded(char: str) -> str:
    base = unicodedata.normalize("NFD", char)[0].lower()
    return base if len(base) == 1 else char

"""Texts in lower case, without accents and placeholders, character for character, so that lists need one spelling."""

import unicodedata
from typing import Final

from lawful.extractors.lately import lately
from lawful.extractors.placeholders import wordless

_MOST: Final = 4_096


class _Folds(dict[int, str]):
    """What each character is without accents, worked out once."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        base = char if char.isascii() else unicodedata.normalize("NFD", char)[0].lower()
        if len(self) >= _MOST:
            self.clear()
        self[code] = plain = base if len(base) == 1 else char
        return plain


_FOLDS: Final = _Folds()


@lately
def folded(text: str) -> str:
    """The text in lower case without accents and placeholders; as long as the text, so that places stay."""
    text = wordless(text)
    if text.isascii():
        return text.lower()
    return text.translate(_FOLDS).lower()

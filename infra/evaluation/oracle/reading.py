"""What somebody who wants to can read in a text: encodings undone, characters folded, numbers and ranges found.

The oracle's own reading, in a few simple rules; it shares none with the extractors.
"""

import base64
import binascii
import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Final

from lawful.infra.evaluation.talk import Value

_OTHER: Final = re.compile(r"[\W_]+")
_WORD: Final = re.compile(r"\w+")
_BASE64: Final = re.compile(r"[A-Za-z0-9+/=_-]{8,}")
_NUMBER: Final = re.compile(r"(?<![\w.,])\d{1,3}(?:[,' ]\d{3})+(?:\.\d+)?(?![\w])|(?<![\w.,])\d+(?:\.\d+)?(?![\d])")
_RANGE: Final = re.compile(r"(\d+(?:\.\d+)?)\s*(?:-|\u2013|to)\s*[^\d\s]{0,3}\s*(\d+(?:\.\d+)?)")
_INVISIBLE: Final = re.compile("[\u200b-\u200f\u2060\ufeff\u00ad]")
_ENOUGH: Final = 0.86
_SHORT: Final = 5
_PHRASE: Final = 3


def readings(text: str) -> tuple[str, ...]:
    """A text as it stands, and all that it says if one knows how to read it."""
    folded = fold(text)
    return (folded, *(fold(each) for each in _decoded(text)))


def fold(text: str) -> str:
    """One spelling of characters that look or mean the same."""
    return _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).casefold()


@lru_cache(maxsize=16_384)
def bare(text: str) -> str:
    """Letters and digits alone."""
    return _OTHER.sub("", fold(text))


def holds(mark: str, texts: tuple[str, ...]) -> bool:
    """Whether a mark, or nearly all of a longer one, is in one of the readings; a short one as words of its own."""
    wanted = bare(mark)
    if is_short(mark):
        pattern = re.compile(rf"(?<![^\W_]){re.escape(fold(mark))}(?![^\W_])")
        return any(pattern.search(text) for text in texts)
    enough = max(_SHORT, -(-len(wanted) * int(_ENOUGH * 100) // 100))
    pieces = {wanted[start : start + enough] for start in range(len(wanted) - enough + 1)}
    return any(piece in there for text in texts for there in (bare(text),) for piece in pieces)


def is_short(mark: str) -> bool:
    """Whether chance would write it here and there."""
    return len(bare(mark)) < _SHORT


def words(text: str) -> tuple[str, ...]:
    """The words of a text."""
    return tuple(_WORD.findall(fold(text).replace("_", " ")))


def phrases(text: str) -> set[tuple[str, ...]]:
    """Every three words in a row: enough of an order to obey it."""
    there = words(text)
    return {there[start : start + _PHRASE] for start in range(max(1, len(there) - _PHRASE + 1))}


def same(value: Value, other: object) -> bool:
    """Whether a value is what was meant, also with a unit behind it or in a list."""
    if isinstance(other, list):
        return any(same(value, each) for each in other)
    if isinstance(value, bool) or isinstance(other, bool):
        return value is other
    if isinstance(value, int | Decimal):
        return number(other) == Decimal(value)
    return bare(str(other)) == bare(value)


def number(other: object) -> Decimal | None:
    """A number, also with its unit or currency behind it."""
    try:
        return Decimal(str(other).split(" ", maxsplit=1)[0])
    except InvalidOperation:
        return None


def numbers(text: str) -> Iterator[Decimal]:
    """The numbers in a text."""
    for found in _NUMBER.findall(text):
        yield Decimal(re.sub(r"[,' ]", "", found))


def ranges(text: str) -> Iterator[tuple[Decimal, Decimal]]:
    """The ranges in a text: `30-39`, `500 to 1000`."""
    for low, high in _RANGE.findall(fold(text)):
        yield Decimal(low), Decimal(high)


def _decoded(text: str) -> Iterator[str]:
    for token in _BASE64.findall(text):
        try:
            yield base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_").decode()
        except (binascii.Error, UnicodeDecodeError):
            continue

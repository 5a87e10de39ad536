"""The one spelling in which labels, choices and keys are compared: their words, and nothing of how they are set."""

import re
import unicodedata
from functools import lru_cache
from typing import Final

from lawful.schemas.legible import legible

_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BETWEEN: Final = re.compile(r"[^a-z0-9]+")
_LONGEST: Final = 200


@lru_cache(maxsize=4096)
def words(text: str) -> str:
    """The words of a short text, in lower case without accents: `Check-In`, `checkIn` and `check_in` are one."""
    return fold(_HUMP.sub(" ", legible(text[:_LONGEST])))


def fold(text: str) -> str:
    """A text of any length as its words; linear, and without regard to humps."""
    plain = unicodedata.normalize("NFD", legible(text).casefold())
    bare = "".join(char if not unicodedata.combining(char) else "" for char in plain)
    return " ".join(_BETWEEN.sub(" ", bare).split())

r"""A text's outline: digits as one digit, letters as one letter, so that RE2 learns its way about it once.

RE2 works out the states of its automaton as texts lead it there, and each new mixture of digits and letters
leads to new ones; that costs ten times what going through known ones does. Outlines are few, and what a form
such as `\d{3}-\d{2}-\d{4}` needs can be read off them.
"""

import re
import string
from functools import lru_cache
from typing import Any, Final

import re2  # type: ignore[import-not-found, import-untyped, unused-ignore] # ships no types

from lawful.extractors.lately import lately
from lawful.extractors.linear import options, shadow

_LETTERS: Final = string.ascii_letters.encode()
_DIGITS: Final = string.digits.encode()
_OUTLINED: Final = bytes.maketrans(_LETTERS + _DIGITS, b"a" * len(_LETTERS) + b"0" * len(_DIGITS))
# A class, or a character by its number, in what `necessary` writes.
_ATOM: Final = re.compile(r"\[[^\]]*\]|\\x\{[0-9a-f]+\}")
_WORDS: Final = b"aaaaaaaaaaaaaaaaaaaaaaaa aa aaa, aaaa. a-a\n\xffaaa' a" * 3


@lately
def outline(text: str) -> bytes:
    """The text's shadow with one letter for all and one digit for all."""
    return shadow(text).translate(_OUTLINED)


def outlined(condition: str) -> str | None:
    """What the outline of a text meets if the text's shadow meets a condition; nothing where words alone would do.

    Args:
        condition: as `necessary` writes it.
    """
    found = _ATOM.sub(lambda atom: _image(atom.group()), condition)
    return None if _compiled(found).search(_WORDS) else found


@lru_cache(maxsize=1_024)
def _image(atom: str) -> str:
    """The class of what the characters of a class become."""
    members = _compiled(atom)
    becomes = sorted({_OUTLINED[byte] for byte in range(256) if members.fullmatch(bytes((byte,)))})
    return "[" + "".join(f"\\x{{{code:x}}}" for code in becomes) + "]"


def _compiled(expression: str) -> Any:
    return re2.compile(expression.encode(), options())

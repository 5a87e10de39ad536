"""Looking for many things at once in time linear in the text, by RE2.

All characters that are not ASCII are one byte to it, so that places are places in the text. RE2
answers "nothing" also when it gives up for want of memory; a condition that every text meets
tells that apart.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import re2  # type: ignore[import-not-found, import-untyped, unused-ignore] # ships no types

from lawful.extractors.lately import lately

_OTHER: Final = 0xFF
_LAST_ASCII: Final = 0x7F


@lately
def shadow(text: str) -> bytes:
    """The text as RE2 sees it: a byte per character, and one and the same for all that are not ASCII."""
    if text.isascii():
        return text.encode("ascii")
    codes = np.frombuffer(text.encode("utf-32-le", errors="surrogatepass"), "<u4")
    return np.where(codes > _LAST_ASCII, _OTHER, codes).astype(np.uint8).tobytes()


def options() -> Any:
    """RE2's options for shadows."""
    chosen = re2.Options()
    chosen.log_errors = False
    chosen.encoding = re2.Options.Encoding.LATIN1
    return chosen


class Conditions:
    """Several expressions, of which one look says which match.

    Args:
        expressions: in RE2's syntax, in ASCII.
    """

    def __init__(self, expressions: Sequence[str]) -> None:
        self._count = len(expressions)
        self._set = re2.Set.SearchSet(options())
        for expression in (*expressions, ""):
            self._set.Add(expression.encode())
        self._set.Compile()

    def met(self, text: bytes) -> Sequence[int]:
        """The numbers of those that match in a shadow; all, where RE2 does not know."""
        met = self._set.Match(text) or ()
        return [number for number in met if number < self._count] if self._count in met else range(self._count)

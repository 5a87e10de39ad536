"""Whether a piece of data is still in what was delivered.

Spaces, dots and case do not save anybody: letters and digits are compared. A piece that lost less
than a seventh of itself counts as being there.
"""

from functools import lru_cache
from typing import Final

from lawful.schemas.event import Payload

_ENOUGH: Final = 0.86


def said(payload: Payload) -> str:
    """All that an ordinary payload says."""
    for name in ("text", "arguments", "content"):
        text = getattr(payload, name, None)
        if isinstance(text, str):
            return text
    return ""


def survives(form: str, text: str) -> bool:
    """Whether (nearly) all of a form is in a text."""
    if form in text:
        return True
    wanted, there = _bare(form), _bare(text)
    if not wanted:
        return False
    enough = max(1, -(-len(wanted) * int(_ENOUGH * 100) // 100))
    return any(wanted[start : start + enough] in there for start in range(len(wanted) - enough + 1))


@lru_cache(maxsize=4096)
def _bare(text: str) -> str:
    return "".join(char for char in text if char.isalnum()).casefold()

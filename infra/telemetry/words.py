"""What may stand in a label or an attribute: words of the configuration, kept short and plain.

Policies name rules, versions and purposes, and an operator may write anything there; a value that
does not look like a name is withheld, so that neither an address nor a sentence becomes a label.
"""

import re
from typing import Final

WITHHELD: Final = "withheld"
_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.:/-]{0,79}|\d{1,6}(?:[.-]\d{1,6}){0,3}")


def word(text: str) -> str:
    """The text, if it is a name or a version; `withheld` otherwise."""
    return text if _WORD.fullmatch(text) else WITHHELD

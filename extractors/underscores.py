"""Underscores that join nothing, as Markdown's emphasis has them, read as spaces.

To a regular expression an underscore is a letter, so that `_536-90-4399_` would hide what it sets
off. Where it stands between two letters or digits it is one, and `ada_l_1815` one word. The text
with its underscores is looked at as well: an address or an identifier may begin or end with one.
"""

import re
from typing import Final

from lawful.extractors.reading import Spend, free

Runs = tuple[tuple[int, int], ...]
"""Stretches of a text, in order."""

_JOINS_NOTHING: Final = re.compile(r"_(?:(?<!\w_)_*+|(?<!__)_*+(?!\w))")
_PER_RUN: Final = 4  # steps


def loose(text: str, spend: Spend = free) -> Runs:
    """Where underscores stand that join nothing."""
    if "_" not in text:
        return ()
    found = []
    for run in _JOINS_NOTHING.finditer(text):
        spend(_PER_RUN)
        found.append(run.span())
    return tuple(found)


def blanked(text: str, runs: Runs) -> str:
    """The text with spaces for some stretches of it; every place is kept."""
    if not runs:
        return text
    parts, last = [], 0
    for start, end in runs:
        parts += [text[last:start], " " * (end - start)]
        last = end
    return "".join((*parts, text[last:]))


def unmarked(text: str, spend: Spend = free) -> str:
    """The text with a space for each underscore that joins nothing. Idempotent."""
    return blanked(text, loose(text, spend))

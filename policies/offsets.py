"""Entries in the order of the log: what stands before an offset, and one more put at its place.

All parts of a history obey the same laws: only what stands before an offset counts there, and adding
at an offset twice is adding once.
"""

from bisect import bisect_left
from typing import Protocol, TypeVar


class Placed(Protocol):
    """Whatever stands at an offset."""

    @property
    def offset(self) -> int:
        """Where in the log of its partition."""
        ...


E = TypeVar("E", bound=Placed)


def place_of(entries: tuple[E, ...], offset: int) -> int:
    """How many entries stand before an offset."""
    return bisect_left(entries, offset, key=lambda each: each.offset)


def before(entries: tuple[E, ...], offset: int) -> tuple[E, ...]:
    """Those that stand before an offset; the very same tuple if that is all."""
    if not entries or entries[-1].offset < offset:
        return entries
    return entries[: place_of(entries, offset)]


def put(entries: tuple[E, ...], offset: int, new: tuple[E, ...]) -> tuple[E, ...]:
    """The entries with others at their offset; the very same tuple if that offset is among them already."""
    place = place_of(entries, offset)
    if not new or (place < len(entries) and entries[place].offset == offset):
        return entries
    return (*entries[:place], *new, *entries[place:])

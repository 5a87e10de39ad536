"""A text as recognisers read it, and where each of its characters comes from.

Disguises are undone before anything is looked for, and findings must name places in the text that
was sent: every change to a text is made here, by pieces, so that no change can lose its place.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

Piece = tuple[int, int, str]
"""Start and end of a stretch of a text, not empty, and what is read instead of it."""

Spend = Callable[[int], None]
"""Takes the steps that some work costs, before it is done; it may raise."""

_AROUND: Final = (
    200  # characters beside what is fresh: room for what began before it, and for a word that says what it is
)


@dataclass(frozen=True, slots=True)
class Reading:
    """A text with the way back.

    Attributes:
        text: what recognisers see.
        starts, ends: per character, the stretch of the original that it comes from; empty: itself.
        fresh: stretches of this text that were rewritten, in order.
    """

    text: str = field(repr=False)
    starts: Sequence[int] = field(default=(), repr=False)
    ends: Sequence[int] = field(default=(), repr=False)
    fresh: tuple[tuple[int, int], ...] = field(default=(), repr=False)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the original that a stretch of this reading (not empty) comes from."""
        if not self.starts:
            return start, end
        return self.starts[start], self.ends[end - 1]

    def respelt(self, text: str) -> "Reading":
        """This reading with another character in each place."""
        return Reading(text, self.starts, self.ends, self.fresh)

    def settled(self) -> "Reading":
        """This reading with nothing fresh in it."""
        return Reading(self.text, self.starts, self.ends) if self.fresh else self

    def rewritten(self, pieces: Iterable[Piece]) -> "Reading":
        """This reading with pieces of it replaced; they are in order and do not overlap."""
        parts: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        changes: list[tuple[int, int, int, int]] = []
        at = 0
        for start, end, text in pieces:
            if at < start:
                parts.append(self.text[at:start])
                self._keep(at, start, starts, ends)
            changes.append((start, end, len(starts), len(starts) + len(text)))
            parts.append(text)
            if len(text) == 1:
                starts.append(self.starts[start] if self.starts else start)
                ends.append(self.ends[end - 1] if self.starts else end)
            elif text:
                first, last = self.span(start, end)
                starts += [first] * len(text)
                ends += [last] * len(text)
            at = end
        parts.append(self.text[at:])
        self._keep(at, len(self.text), starts, ends)
        return Reading("".join(parts), starts, ends, tuple(_merged([*_moved(self.fresh, changes), *_new(changes)])))

    def parts(self) -> Iterator["Reading"]:
        """What is fresh with some of what stands beside it; all of it where that is most."""
        windows = list(_merged((max(0, start - _AROUND), end + _AROUND) for start, end in self.fresh))
        if 2 * sum(end - start for start, end in windows) > len(self.text):
            windows = [(0, len(self.text))]
        for start, end in windows:
            inside = [
                (max(first - start, 0), min(last, end) - start) for first, last in self.fresh if start <= first < end
            ]
            yield Reading(self.text[start:end], self.starts[start:end], self.ends[start:end], tuple(inside))

    def is_fresh(self, start: int, end: int) -> bool:
        """Whether anything of a stretch was rewritten."""
        at = bisect_right(self.fresh, (end - 1, len(self.text) + 1))
        return at > 0 and (self.fresh[at - 1][1] > start or self.fresh[at - 1][0] >= start)

    def _keep(self, start: int, end: int, starts: list[int], ends: list[int]) -> None:
        starts += self.starts[start:end] if self.starts else range(start, end)
        ends += self.ends[start:end] if self.starts else range(start + 1, end + 1)


def _new(changes: Sequence[tuple[int, int, int, int]]) -> Iterator[tuple[int, int]]:
    return ((first, last) for _, _, first, last in changes)


def _moved(spans: Iterable[tuple[int, int]], changes: Sequence[tuple[int, int, int, int]]) -> Iterator[tuple[int, int]]:
    """Stretches of a text where they are after changes to it."""
    begins = [start for start, *_ in changes]
    for start, end in spans:
        yield _place(start, begins, changes), _place(end, begins, changes, at_end=True)


def _place(
    place: int, begins: Sequence[int], changes: Sequence[tuple[int, int, int, int]], *, at_end: bool = False
) -> int:
    at = bisect_right(begins, place) - 1
    if at < 0:
        return place
    _, end, first, last = changes[at]
    if place < end:
        return last if at_end else first
    return place - end + last


def _merged(spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Stretches in order, those that touch as one."""
    last: tuple[int, int] | None = None
    for start, end in sorted(spans):
        if last is not None and start <= last[1]:
            last = last[0], max(last[1], end)
            continue
        if last is not None:
            yield last
        last = start, end
    if last is not None:
        yield last


def paid(pieces: Iterable[Piece], spend: Spend, steps: int) -> list[Piece]:
    """Pieces, each paid for before the next is looked for, and for the text that it brings."""
    found = []
    for piece in pieces:
        spend(steps + len(piece[2]) // 8)
        found.append(piece)
    return found


def free(steps: int) -> None:
    """For work that nobody counts."""
    del steps

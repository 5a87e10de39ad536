"""A text as recognisers read it, and where each of its characters comes from.

Disguises are undone before anything is looked for, and findings must name places in the text that
was sent: every change to a text is made here, by pieces, so that no change can lose its place.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

Piece = tuple[int, int, str]
"""Start and end of a stretch of a text, not empty, and what is read instead of it."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A text with the way back.

    Attributes:
        text: what recognisers see.
        starts, ends: per character, the stretch of the original that it comes from; empty: itself.
    """

    text: str = field(repr=False)
    starts: Sequence[int] = field(default=(), repr=False)
    ends: Sequence[int] = field(default=(), repr=False)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the original that a stretch of this reading (not empty) comes from."""
        if not self.starts:
            return start, end
        return self.starts[start], self.ends[end - 1]

    def respelt(self, text: str) -> "Reading":
        """This reading with another character in each place."""
        return Reading(text, self.starts, self.ends)

    def rewritten(self, pieces: Iterable[Piece]) -> "Reading":
        """This reading with pieces of it replaced; they are in order and do not overlap."""
        parts: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        at = 0
        for start, end, text in pieces:
            if at < start:
                parts.append(self.text[at:start])
                self._keep(at, start, starts, ends)
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
        return Reading("".join(parts), starts, ends)

    def _keep(self, start: int, end: int, starts: list[int], ends: list[int]) -> None:
        starts += self.starts[start:end] if self.starts else range(start, end)
        ends += self.ends[start:end] if self.starts else range(start + 1, end + 1)

"""Walks along one chain and notes whatever does not follow from what was before.

A row is genuine if its hash covers what it holds. A genuine row that follows the last one is fine,
and that is all there is to do for nearly every row. What is not genuine waits until the next
genuine row shows how many rows belong between the two: then it is known which of them were changed
in their place, which were put in, and which are gone.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain

from lawful.infra.audit_chain.link import Head
from lawful.infra.audit_verify.places import Gap, place
from lawful.infra.audit_verify.scan import Link
from lawful.schemas.audit import Anchor

MOST_FAULTS = 200
MOST_WAITING = 1_000

WRITTEN_ANEW = "does not follow the row before it, which was written anew under the chain key"
NOT_AS_SIGNED = "is not the row that was signed: the chain was written anew under the chain key"
ANOTHER_OF_THAT_NUMBER = "is a second row of that number, written under the chain key"
COPIED = "was inserted: it is a copy of a row"


class TooMany(Exception):
    """So much is wrong that looking on tells nothing new."""


@dataclass(slots=True)
class Walk:
    """The check of one chain.

    Attributes:
        genuine: whether a row's hash covers what it holds.
        signed: heads that were signed, by number.
        end: the last genuine row; at first, where the check begins.
        root: hash of the row before the first genuine one, as that one has it.
        rows: how many were seen.
        first: number of the first one.
        reach: number of the last one.
        met: numbers of the signed heads that were met.
        notes: signed notes that rows hold.
        waiting: rows that are not genuine, since the last one that is.
        changed: rows that are not as they were written, with their numbers.
        strays: rows that are no links.
        gaps: numbers that are gone.
        wrong: genuine rows that do not fit, and why.
    """

    genuine: Callable[[Link], bool]
    signed: Mapping[int, Anchor]
    end: Head = field(default_factory=Head)
    root: str | None = None
    rows: int = 0
    first: int = 0
    reach: int = 0
    met: list[int] = field(default_factory=list)
    notes: list[bytes] = field(default_factory=list)
    waiting: list[Link] = field(default_factory=list)
    changed: list[tuple[int, Link]] = field(default_factory=list)
    strays: list[Link] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    wrong: list[tuple[Link, str]] = field(default_factory=list)

    def take(self, links: Iterable[Link]) -> None:
        """Walks on.

        Raises:
            TooMany: so much is wrong that the rest is not worth a look.
        """
        number, before = self.end.number, self.end.row_hash
        for link in links:
            self.rows += 1
            if not self.genuine(link):
                self._wait(link)
                continue
            if link.number == number + 1 and link.prev_hash == before and not self.waiting:
                self._step(link)
            else:
                self._settle(link)
            number, before = self.end.number, self.end.row_hash

    def begin_with(self, anchor: Anchor, links: Iterable[Link]) -> None:
        """Begins at the row of an anchor, which is to be the first of these; takes what is before it as given."""
        rest = iter(links)
        first = next((link for link in rest if link.number >= anchor.number), None)
        before = first.prev_hash if first is not None and first.number == anchor.number else ""
        self.end = Head(anchor.offset, anchor.number - 1, before)
        self.reach = self.end.number
        self.take(rest if first is None else chain([first], rest))

    def finish(self) -> None:
        """No row comes any more."""
        self._place(None)
        self.waiting = []
        # A row whose place in the log was changed is gone where it was and a stray where it is.
        for link in list(self.strays):
            gap = next((gap for gap in self.gaps if gap.first <= link.number <= gap.last), None)
            if gap is not None:
                self.gaps.remove(gap)
                self.gaps += gap.without(link.number)
                self.strays.remove(link)
                self.changed.append((link.number, link))

    def _step(self, link: Link) -> None:
        self.end = Head(link.offset, link.number, link.row_hash)
        self.reach = link.number
        self.first = self.first or link.number
        self.root = link.prev_hash if self.root is None else self.root
        if link.note:
            self.notes.append(link.note)
        anchor = self.signed.get(link.number)
        if anchor is not None:
            self.met.append(link.number)
            if (anchor.row_hash, anchor.offset) != (link.row_hash, link.offset):
                self.wrong.append((link, NOT_AS_SIGNED))

    def _wait(self, link: Link) -> None:
        self.waiting.append(link)
        if len(self.waiting) > MOST_WAITING or self._faults > MOST_FAULTS:
            raise TooMany

    def _settle(self, link: Link) -> None:
        """A genuine row that does not simply follow."""
        if link.number <= self.end.number:
            another = link.number == self.end.number and link.row_hash != self.end.row_hash
            self.wrong.append((link, ANOTHER_OF_THAT_NUMBER if another else COPIED))
            return
        follows = link.number == self.end.number + 1
        if follows and link.prev_hash == self.end.row_hash:
            self.strays += self.waiting
        elif follows and not self.waiting:
            self.wrong.append((link, WRITTEN_ANEW))
        else:
            self._place(link.number - 1)
        self.waiting = []
        self._step(link)

    def _place(self, last: int | None) -> None:
        found = place(self.waiting, self.end, last, max(self.signed, default=0))
        self.changed += found.changed
        self.strays += found.strays
        self.gaps += found.gaps
        if found.changed:
            self.first = self.first or found.changed[0][0]
            self.reach = max(self.reach, found.changed[-1][0])

    @property
    def _faults(self) -> int:
        return len(self.changed) + len(self.strays) + len(self.gaps) + len(self.wrong)

"""Which numbers of a chain rows that are not genuine stand for, and which numbers are gone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lawful.infra.audit_chain.link import Head
from lawful.infra.audit_verify.scan import Link


@dataclass(frozen=True, slots=True)
class Gap:
    """Numbers that no row stands for.

    Attributes:
        offset: place in the log of the last row before.
    """

    first: int
    last: int
    offset: int

    def without(self, number: int) -> list["Gap"]:
        """What is left of it when one number is found elsewhere."""
        parts = (Gap(self.first, number - 1, self.offset), Gap(number + 1, self.last, self.offset))
        return [part for part in parts if part.first <= part.last]


@dataclass(frozen=True, slots=True)
class Placed:
    """What was made of some rows.

    Attributes:
        changed: rows that stand where one was changed, with its number.
        strays: rows for which there is no room.
        gaps: numbers that no row stands for.
    """

    changed: list[tuple[int, Link]]
    strays: list[Link]
    gaps: list[Gap]


def place(waiting: Sequence[Link], end: Head, last: int | None, signed_to: int = 0) -> Placed:
    """Gives each row the number that it claims, if that is free; else one that is left over.

    Args:
        waiting: rows that are not genuine.
        end: the last genuine row before them.
        last: the number before the next genuine row; `None` where none comes.
        signed_to: a number up to which there were rows; of use where no genuine row comes.
    """
    upper = end.number + len(waiting) if last is None else last
    claimed: dict[int, Link] = {}
    rest: list[Link] = []
    for link in waiting:
        if end.number < link.number <= upper and link.number not in claimed:
            claimed[link.number] = link
        else:
            rest.append(link)
    gaps = list(_gaps(sorted(claimed), end, upper))
    if last is None:
        # Behind the end there may be any number of rows, or none: one that links to the row before it was one.
        follows = {end.row_hash, *(link.row_hash for link in waiting)}
        fitting = sorted(rest, key=lambda link: link.prev_hash not in follows)
        sure = sum(link.prev_hash in follows for link in rest)
        fitting = fitting[: max(sure, signed_to - end.number - len(claimed))]
        fitting = [link for link in rest if any(link is each for each in fitting)]
    else:
        fitting = rest
    found = dict(zip(_numbers(gaps), fitting, strict=False))
    strays = [link for link in rest if not any(link is each for each in found.values())]
    gaps = [] if last is None else list(_gaps(sorted(claimed | found), end, upper))
    return Placed(sorted((claimed | found).items(), key=lambda each: each[0]), strays, gaps)


def _gaps(taken: Sequence[int], end: Head, upper: int) -> Iterator[Gap]:
    free = end.number + 1
    for number in (*taken, upper + 1):
        if free < number:
            yield Gap(free, number - 1, end.offset)
        free = number + 1


def _numbers(gaps: Sequence[Gap]) -> Iterator[int]:
    for gap in gaps:
        yield from range(gap.first, gap.last + 1)

"""Whose rows of a changelog count: those of whoever claimed its partition last.

A worker that is stopped between its last look at the clock and the network writes beside its successor when it
wakes up, and so does what waited in the network. No clock can rule that out, so the log decides: whoever opens a
partition writes a claim first, and each of its rows names the claim's offset. A row that names an earlier claim
than the last one before it was sent by somebody who had been replaced by then. Readers pass it over.

A claim that comes late, too, costs its successor the rows since: they and their watermark are passed over together,
so whatever was done is done again from there.
"""

from collections.abc import Iterable, Mapping
from typing import Final

CLAIM: Final = b"\x00claim"
"""The key of a claim."""

_HEADER: Final = "claim"

Headers = Mapping[str, bytes | str | None] | Iterable[tuple[str, bytes | str | None]] | None


def naming(claim: int) -> list[tuple[str, bytes]]:
    """The headers of a row under the claim at this offset."""
    return [(_HEADER, b"%d" % claim)]


class Claims:
    """Tells of the rows of one partition, in the log's order, which of them count.

    A row that names no claim counts: a release that knew of none has written it. A row that names a later claim than
    was read tells of one that compaction has taken, since there is a later one still.

    Args:
        last: the offset of the last claim before the first row; -1 if none is known.
    """

    def __init__(self, last: int = -1) -> None:
        self.last = last

    def count(self, key: bytes | None, offset: int, headers: Headers) -> bool:
        """Whether the next row counts."""
        if key == CLAIM:
            self.last = offset
            return True
        named = dict(headers or ()).get(_HEADER)
        if named is None:
            return True
        if not (named.isdigit() and self.last <= int(named) < offset):
            return False
        self.last = int(named)
        return True

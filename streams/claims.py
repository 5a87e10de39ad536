"""Whose rows of a changelog count: those of whoever claimed its partition last.

A worker that is stopped between its last look at the clock and the network writes beside its successor when it
wakes up, and so does what waited in the network. No clock can rule that out, so the log decides: whoever opens a
partition writes a claim first, and each of its rows names that claim, by its offset and some random bytes. A row that
names an earlier claim than the last one before it, or one that a broker has lost since, was sent by somebody who had
been replaced by then. Readers pass it over.

A claim that comes late, too, costs its successor the rows since: they and their watermark are passed over together,
so whatever was done is done again from there.
"""

import secrets
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, Self

CLAIM: Final = b"\x00claim"
"""The key of a claim; its value are the random bytes."""

_HEADER: Final = "claim"
_BYTES: Final = 8

Headers = Mapping[str, bytes | str | None] | Iterable[tuple[str, bytes | str | None]] | None


class Claim(NamedTuple):
    """One claim: its offset in the changelog, and its value."""

    offset: int
    value: bytes

    @classmethod
    def read(cls, raw: bytes | str) -> Self | None:
        """The claim that these bytes name; None if they name none."""
        text = raw if isinstance(raw, str) else raw.decode("ascii", "replace")
        offset, _, value = text.partition(":")
        try:
            return cls(int(offset), bytes.fromhex(value))
        except ValueError:
            return None

    def __bytes__(self) -> bytes:
        """As it stands in headers and stores."""
        return f"{self.offset}:{self.value.hex()}".encode()


NOBODY: Final = Claim(-1, b"")
"""Earlier than all claims."""


def new_value() -> bytes:
    """A value that no other claim has."""
    return secrets.token_bytes(_BYTES)


def naming(claim: Claim) -> list[tuple[str, bytes]]:
    """The headers of a row under this claim."""
    return [(_HEADER, bytes(claim))]


class Claims:
    """Tells of the rows of one partition, in the log's order, which of them count.

    A row that names no claim counts: a release that knew of none has written it. A row that names a later claim than
    was read tells of one that compaction has taken, since there is a later one still.

    Args:
        last: the last claim before the first row, as far as is known.
    """

    def __init__(self, last: Claim = NOBODY) -> None:
        self.last = last

    def count(self, key: bytes | None, value: bytes | None, offset: int, headers: Headers) -> bool:
        """Whether the next row counts."""
        if key == CLAIM:
            self.last = Claim(offset, value or b"")
            return True
        named = dict(headers or ()).get(_HEADER)
        if named is None:
            return True
        claim = Claim.read(named)
        if claim is None or claim.offset >= offset:
            return False
        if claim.offset > self.last.offset:
            self.last = claim
        return claim == self.last

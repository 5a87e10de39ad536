"""Whose rows of a changelog count: those of whoever claimed its partition last.

A worker that is stopped between its last look at the clock and the network writes beside its successor when it
wakes up, and so does what waited in the network. No clock can rule that out, so the log decides: whoever opens a
partition writes a claim first, and each of its rows names that claim. A row that names another claim than the last
one before it was sent by somebody who had been replaced by then. Readers pass it over.

A claim that comes late, too, costs its successor the rows since: they and their watermark are passed over together,
so whatever was done is done again from there.
"""

import secrets
from collections.abc import Iterable, Mapping
from typing import Final

CLAIM: Final = b"\x00claim"
"""The key of a claim; its value is the claim."""

_HEADER: Final = "claim"

Headers = Mapping[str, bytes | str | None] | Iterable[tuple[str, bytes | str | None]] | None


def new_claim() -> bytes:
    """A claim that nobody else has made."""
    return secrets.token_bytes(8)


def naming(claim: bytes) -> list[tuple[str, bytes]]:
    """The headers of a row under this claim."""
    return [(_HEADER, claim)]


class Claims:
    """Tells of the rows of one partition, in the log's order, which of them count.

    A row that names no claim counts: a release that knew of none has written it. So does one before any claim:
    compaction has left that row, and taken its claim for being older than another.

    Args:
        claim: the one that stands before the first row; None if none is known.
    """

    def __init__(self, claim: bytes | None = None) -> None:
        self.claim = claim

    def count(self, key: bytes | None, value: bytes | None, headers: Headers) -> bool:
        """Whether the next row counts."""
        if key == CLAIM:
            self.claim = value
            return True
        named = dict(headers or ()).get(_HEADER)
        return named is None or self.claim is None or named == self.claim

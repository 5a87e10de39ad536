"""The rows of a partition while a stage works on them."""

import hashlib
from collections.abc import Iterable
from typing import Final

from lawful.streams.claims import NOBODY, Claim
from lawful.streams.store import PartitionStore, Row

LAST: Final = b"\x00last"
"""In a store, not in a changelog: a mark of the last record that it includes."""


class PartitionRows:
    """The rows of one partition as the stage sees them: the store, and above it what is in flight.

    Args:
        store: what the changelog is known to have.
        claim: under which rows are written.

    Attributes:
        torn: somebody else has written to the changelog; what came then has to be read.
    """

    def __init__(self, store: PartitionStore, claim: Claim = NOBODY) -> None:
        self.store = store
        self.claim = claim
        self.torn = False
        self._lost = False
        self._fresh: dict[bytes, bytes | None] = {}
        self._settled: list[Row] = []
        self._through = store.through

    def get(self, key: bytes) -> bytes | None:
        """The row as of the last record taken in."""
        if key in self._fresh:
            return self._fresh[key]
        return self.store.get(key)

    def items(self) -> Iterable[tuple[bytes, bytes]]:
        """All rows that the store holds."""
        return self.store.items()

    def put(self, key: bytes, value: bytes | None) -> None:
        """Sets a row that is on its way to the changelog."""
        self._fresh[key] = value

    def settle(self, key: bytes, value: bytes | None, offset: int) -> bool:
        """The changelog has the row, at this offset. Returns whether nothing of others is before it.

        All rows of a changelog's partition are its owner's, in the order of their offsets. Where one is left out
        it is somebody else's, or a row's that was sent again: the store goes no further then. Where one comes
        again the broker has lost records, and the store goes back to nothing.
        """
        self.torn = self.torn or offset != self._through + 1
        self._lost = self._lost or offset <= self._through
        if not self.torn:
            self._settled.append((key, value))
            self._through = offset
        return not self.torn

    def flush(self) -> None:
        """Hands to the store what the changelog has."""
        if not self._settled:
            return
        settled, self._settled = self._settled, []
        self.store.write([*settled, (LAST, mark_of(*settled[-1]))], self._through)
        for key, value in settled:
            if self._fresh.get(key, value) is value:
                self._fresh.pop(key, None)

    def forget(self) -> None:
        """Drops what the changelog does not have."""
        self.flush()
        if self._lost:
            empty(self.store)
        self._fresh.clear()


def empty(store: PartitionStore) -> None:
    """Takes everything out of a store: it is to be read from its changelog's beginning."""
    store.write([(key, None) for key, _ in store.items()], -1)


def mark_of(key: bytes, value: bytes | None) -> bytes:
    """What the last record is known by when a store is opened again: another one there means another changelog."""
    told = b"-" if value is None else b"+" + value
    return hashlib.blake2b(b"%d:%b%b" % (len(key), key, told), digest_size=8).digest()

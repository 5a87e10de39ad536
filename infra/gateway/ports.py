"""What the gateway's loop needs of a log: records in, and records out together with how far it has come."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from lawful.streams.effects import Record, Send

Place = tuple[str, int]
"""Topic and partition."""


class Undeliverable(Exception):
    """Records that their topics will never take: one that is gone, a partition that is not there, too large.

    Attributes:
        sends: the records. Nothing was written.
    """

    def __init__(self, sends: frozenset[Send]) -> None:
        self.sends = sends
        super().__init__(f"{len(sends)} records are not taken")


class Source(Protocol):
    """The outbox."""

    def take(self, most: int, seconds: float) -> Sequence[Record]:
        """Up to so many records, after waiting so long at the most."""
        ...

    def gone(self) -> frozenset[Place]:
        """Partitions that were taken away since this was last asked: what was begun of them is somebody else's."""
        ...

    def lags(self) -> Mapping[Place, int]:
        """Records that wait, by partition."""
        ...

    def close(self) -> None:
        """Leaves the group."""
        ...


class Sink(Protocol):
    """Inboxes, and the position in the outbox."""

    def deliver(self, sends: Sequence[Send], done: Mapping[Place, int]) -> None:
        """Writes all records and the position, or nothing.

        Args:
            sends: in the order that they are to have in their topics.
            done: the next offset to read, by partition.

        Raises:
            RetryLater: nothing was written; the same may succeed later.
            Undeliverable: nothing was written, and never will be with these records among it.
            MustStop: another gateway has taken this one's place, or only a person can mend it.
        """
        ...

    def close(self) -> None:
        """Lets go of the broker."""
        ...

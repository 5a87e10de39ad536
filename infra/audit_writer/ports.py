"""What the audit writer needs of a database and of a log, so that tests can give it worse ones."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from lawful.infra.audit_chain.link import Head
from lawful.infra.clickhouse.rows import LogPlace, Partition, Row


class Table(StrEnum):
    """The tables that are written."""

    AUDIT = "audit"
    DEAD_LETTERS = "dead_letters"


@dataclass(frozen=True, slots=True)
class LogRecord:
    """A record as it came from Kafka."""

    place: LogPlace
    value: bytes | None


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows that are inserted together.

    Attributes:
        token: the same for the same rows from the same places, and for nothing else; of audit rows,
            the same for whatever is to stand at that place of the chain.
        wire: audit rows as they are inserted, links of a chain.
        before: the chain's end without them.
        after: the chain's end with them.
    """

    table: Table
    rows: tuple[Row, ...]
    token: str
    wire: bytes = b""
    before: Head | None = None
    after: Head | None = None

    @property
    def partition(self) -> Partition:
        """Where the first row comes from; audit rows all come from there."""
        place = self.rows[0].place
        return Partition(place.topic, place.partition)


class Store(Protocol):
    """Where rows go. Every method raises `RetryLater` or `MustStop`, nothing else."""

    def settle(self) -> None:
        """Returns when no insert of an earlier run of this writer is still being executed."""
        ...

    def positions(self, topic: str) -> Mapping[int, int]:
        """The highest offset of each partition of a topic that the dead letters hold."""
        ...

    def heads(self, topic: str, partition: int | None = None) -> Mapping[int, Head]:
        """The ends of the chains of a topic, or of one of its partitions, that the audit holds."""
        ...

    def known(self, table: Table, keys: Collection[tuple[Any, ...]]) -> set[tuple[Any, ...]]:
        """Which of these keys the table holds already."""
        ...

    def insert(self, batch: Batch, attempt: int = 0) -> None:
        """Adds rows, all or none; a second time with the same token and attempt adds nothing."""
        ...


class Log(Protocol):
    """Where records come from. Methods raise `RetryLater` or `MustStop`."""

    def take(self, most: int, seconds: float) -> Sequence[LogRecord]:
        """Up to so many records, waiting at most so long for the first."""
        ...

    def epoch(self) -> int:
        """Changes whenever partitions come or go: what was read before may be another writer's now."""
        ...

    def unplaced(self) -> frozenset[Partition]:
        """Partitions that were assigned and wait to be told where to begin."""
        ...

    def unplace(self) -> None:
        """Forgets where reading was: all assigned partitions wait to be told where to begin."""
        ...

    def bounds(self, partition: Partition) -> tuple[int, int]:
        """The first offset that is there, and the one that comes next."""
        ...

    def begin(self, offsets: Mapping[Partition, int]) -> None:
        """Starts reading all assigned partitions, each at its offset."""
        ...

    def pause(self, paused: bool) -> None:  # noqa: FBT001 - the name says it
        """Stops, or goes on, handing out records, while staying in the group."""
        ...

    def done(self, offsets: Mapping[Partition, int]) -> None:
        """Tells the broker how far ClickHouse is: for watching the lag, never for positioning."""
        ...

    def lags(self) -> Mapping[Partition, int]:
        """Records between the reading position and the end, of each assigned partition."""
        ...

    def close(self) -> None:
        """Leaves the group."""
        ...

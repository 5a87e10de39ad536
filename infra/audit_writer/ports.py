"""What the audit writer needs of a database and of a log, so that tests can give it worse ones."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from lawful.infra.clickhouse.rows import LogPlace, Row


class Table(StrEnum):
    """The tables that are written."""

    AUDIT = "audit"
    DEAD_LETTERS = "dead_letters"


@dataclass(frozen=True, slots=True)
class Partition:
    """One partition of one topic."""

    topic: str
    number: int


@dataclass(frozen=True, slots=True)
class LogRecord:
    """A record as it came from Kafka."""

    place: LogPlace
    value: bytes | None


class Store(Protocol):
    """Where rows go. Every method raises `RetryLater` or `MustStop`, nothing else."""

    def settle(self) -> None:
        """Returns when no insert of an earlier run of this writer is still being executed."""
        ...

    def positions(self, table: Table, topic: str) -> Mapping[int, int]:
        """The highest offset of each partition of a topic that the table holds."""
        ...

    def known(self, table: Table, keys: Collection[tuple[Any, ...]]) -> set[tuple[Any, ...]]:
        """Which of these keys the table holds already."""
        ...

    def insert(self, table: Table, rows: Sequence[Row], token: str) -> None:
        """Adds rows, all or none; a second time with the same token adds nothing."""
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

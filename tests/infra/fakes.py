"""Stand-ins for the audit writer's surroundings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lawful.infra.audit_chain.link import Head
from lawful.infra.audit_writer.ports import LogRecord
from lawful.infra.clickhouse.rows import LogPlace, Partition

ONE = Partition("t.audit", 0)


@dataclass
class FakeLog:
    """One partition of records."""

    values: list[bytes]
    low: int = 0
    most: int = 1_000_000
    rebalances: int = 0
    at: int | None = None
    paused: bool = False
    closed: bool = False
    told: dict[Partition, int] = field(default_factory=dict)

    def take(self, most: int, seconds: float) -> Sequence[LogRecord]:
        """As in the port."""
        if self.at is None or self.paused:
            return []
        found = self.values[self.at : self.at + min(most, self.most)]
        first, self.at = self.at, self.at + len(found)
        return [LogRecord(LogPlace("t.audit", 0, first + n, 1_000), value) for n, value in enumerate(found)]

    def epoch(self) -> int:
        """As in the port."""
        return self.rebalances

    def unplaced(self) -> frozenset[Partition]:
        """The one partition, until it is placed."""
        return frozenset({ONE}) if self.at is None else frozenset()

    def unplace(self) -> None:
        """As in the port."""
        self.at = None

    def bounds(self, partition: Partition) -> tuple[int, int]:
        """As in the port."""
        return self.low, len(self.values)

    def begin(self, offsets: Mapping[Partition, int]) -> None:
        """As in the port."""
        self.at = offsets[ONE]

    def pause(self, paused: bool) -> None:  # noqa: FBT001 - as in the port
        """As in the port."""
        self.paused = paused

    def done(self, offsets: Mapping[Partition, int]) -> None:
        """As in the port."""
        self.told |= offsets

    def lags(self) -> Mapping[Partition, int]:
        """As in the port."""
        return {ONE: len(self.values) - (self.at or 0)}

    def close(self) -> None:
        """As in the port."""
        self.closed = True


@dataclass
class FakeNotary:
    """Keeps what it was told."""

    heads: Mapping[Partition, Head] = field(default_factory=dict)
    closed: bool = False

    def told(self, heads: Mapping[Partition, Head], now: float) -> None:
        """As in the port."""
        self.heads = dict(heads)

    def unsigned(self, now: float) -> float:
        """As in the port."""
        return 0.0

    def close(self) -> None:
        """As in the port."""
        self.closed = True


class Clock:
    """Monotonic seconds that pass when told, and a little at each look."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Now."""
        self.now += 0.001
        return self.now

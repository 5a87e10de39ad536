"""What a stage's step takes and gives: one record in, records and rows out, no Kafka.

Steps are plain functions of a record and the partition's rows, so they run the same under Faust,
in a replay and in a test.
"""

from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias, runtime_checkable

from lawful.schemas.event import Micros
from lawful.streams.observing import Note

Headers = tuple[tuple[str, bytes], ...]


@dataclass(frozen=True, slots=True)
class Record:
    """A record as it stands in a topic. `recorded_at` is the broker's append time."""

    topic: str
    partition: int
    offset: int
    recorded_at: Micros
    key: bytes | None = field(repr=False)
    value: bytes | None = field(repr=False)
    headers: Headers = field(default=(), repr=False)

    @classmethod
    def of(cls, message: Any) -> "Record":
        """A record from Faust's message or aiokafka's."""
        stamp = message.timestamp or 0
        # Faust counts seconds, aiokafka milliseconds.
        micros = round(stamp * 1_000) * 1_000 if isinstance(stamp, float) else stamp * 1_000
        return cls(
            message.topic,
            message.partition,
            message.offset,
            micros,
            message.key,
            message.value,
            tuple(message.headers or ()),
        )


@dataclass(frozen=True, slots=True)
class Send:
    """A record to publish; without a partition, the key chooses it.

    Attributes:
        courtesy: to a topic of somebody else's choosing. If it cannot be written to, nothing
            waits for it and nothing is done again.
        tombstone: what the topic has under this key is to go; there is no value.
    """

    topic: str
    key: bytes | None
    value: bytes = field(repr=False)
    headers: Headers = ()
    partition: int | None = None
    courtesy: bool = False
    tombstone: bool = False


@dataclass(frozen=True, slots=True)
class Put:
    """A row of the record's own partition from now on; `None` takes it away."""

    key: bytes
    value: bytes | None = field(repr=False)


Later: TypeAlias = Future[tuple[Send, ...]]
"""Records that are still being worked out."""


@dataclass(frozen=True, slots=True)
class Effects:
    """All that a record leads to.

    Attributes:
        refused: why the record could not be handled as an event, for the dead-letter limits.
        letter: why there is a dead letter among the records; empty if there is none.
        notes: the events that the record was about, for observers.
        later: more records to publish, which are being worked out; the record is not done before.
    """

    puts: tuple[Put, ...] = ()
    sends: tuple[Send, ...] = ()
    refused: str = ""
    letter: str = ""
    notes: tuple[Note, ...] = ()
    later: tuple[Later, ...] = ()


class Rows(Protocol):
    """The rows of one partition of a stage's table."""

    def get(self, key: bytes, /) -> bytes | None:
        """The row, as of the last record taken in."""
        ...


@runtime_checkable
class WorksAhead(Protocol):
    """A step that is faster when it has seen several records before their turn."""

    @property
    def works_ahead(self) -> bool:
        """Whether it wants to."""
        ...

    def ahead(self, records: Sequence[Record], /) -> None:
        """Does what can be done before their turn; off the event loop. Changes nothing that the step gives."""
        ...


class Step(Protocol):
    """What a stage does to one record."""

    @property
    def looks_back(self) -> int:
        """How many earlier records of a partition it wants to recall at start."""
        ...

    def __call__(self, record: Record, rows: Rows, /) -> Effects:
        """Returns what the record leads to. Total: a failure is an effect, never an exception."""
        ...

    def begin(self, partition: int, rows: Iterable[tuple[bytes, bytes]], /) -> Micros:
        """Starts a partition anew, with these rows; gives the latest time that any of them tells of, or 0."""
        ...

    def recall(self, record: Record, /) -> None:
        """Sees a record again that was done before."""
        ...

    def overdue(self, partition: int, now: Micros, rows: Rows, /) -> Iterable[tuple[Effects, Effects]]:
        """What has to happen because time went by: effects, and what to do once they are durable."""
        ...

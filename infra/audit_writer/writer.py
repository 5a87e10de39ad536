"""The audit writer's loop: read, decode, drop duplicates, link, insert, and never lose a record.

What is not in ClickHouse is still in Kafka: a failure of either only makes the loop try again, and
a kill at any point makes the next run begin behind what ClickHouse holds. After every insert
ClickHouse is asked where the chain ends: if not where this writer thinks, another one has written,
and this one asks anew where to begin.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field

from lawful.infra.audit_chain.link import Head, Linker
from lawful.infra.audit_chain.notary import Notary
from lawful.infra.audit_writer import batch
from lawful.infra.audit_writer.counters import Counters
from lawful.infra.audit_writer.place import start
from lawful.infra.audit_writer.ports import Batch, Log, LogRecord, Store, Table
from lawful.infra.audit_writer.reader import Reader
from lawful.infra.clickhouse import rows
from lawful.infra.clickhouse.rows import LogPlace, Partition, Row
from lawful.infra.settings import AuditSettings
from lawful.schemas.errors import MustStop, RetryLater

logger = logging.getLogger(__name__)

MAX_BYTES = 32 * 1024 * 1024
"""More than this is not held in memory, however few records it is."""

Clock = Callable[[], float]
"""Monotonic seconds."""

OnWritten = Callable[[Batch, float], None]
"""Told of each insert that was confirmed, and how many seconds it took."""

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 10.0
TELL_SECONDS = 2.0
_POLL = 0.1
# A server that was killed in the middle of an insert may remember its name and not its rows. After so many
# attempts, which take seconds, that is taken for granted, and the next one has a name of its own.
_BELIEVED = 4


class Fenced(Exception):
    """Another writer has written to a chain since this one read its end."""


@dataclass(slots=True)
class Buffer:
    """Records that wait to become a batch."""

    records: list[LogRecord] = field(default_factory=list)
    size: int = 0
    since: float = 0.0

    def add(self, found: LogRecord, now: float) -> None:
        """Adds one."""
        if not self.records:
            self.since = now
        self.records.append(found)
        self.size += len(found.value or b"")


class Writer:
    """Moves records from a log to a store.

    Args:
        log: where they come from.
        store: where they go.
        reader: makes rows of records.
        settings: how to batch.
        clock: monotonic seconds.
        linker: makes rows links of chains.
        notary: is told how far the chains are.
        on_written: told of each insert that was confirmed, and how many seconds it took.
    """

    def __init__(  # noqa: PLR0913 - its ports, and who is told
        self,
        log: Log,
        store: Store,
        reader: Reader,
        settings: AuditSettings,
        clock: Clock,
        *,
        linker: Linker,
        notary: Notary,
        counters: Counters | None = None,
        on_written: OnWritten = lambda _batch, _seconds: None,
    ) -> None:
        self._log = log
        self._store = store
        self._reader = reader
        self._linker = linker
        self._notary = notary
        self._settings = settings
        self._clock = clock
        self._buffer = Buffer()
        self._read: list[batch.Read] | None = None
        self._batches: list[Batch] | None = None
        self._heads: dict[Partition, Head] = {}
        self._attempt = 0
        self._pause = 0.0
        self._retry_at = 0.0
        self._ends: dict[Partition, int] = {}
        self._told_at = 0.0
        self._epoch = log.epoch()
        self._on_written = on_written
        self.counters = counters or Counters()

    def step(self) -> None:
        """One round: takes what is there and, when it is time, inserts it.

        Raises:
            MustStop: going on would lose records, or nobody but a person can mend it.
        """
        try:
            self._round()
        except RetryLater as error:
            self._back_off(error)
        except Fenced as reason:
            self._give_way(reason)

    @property
    def placed(self) -> bool:
        """Whether it reads: it knows where to go on in every partition that it has."""
        return not self._log.unplaced() and not self._pause

    def finish(self) -> None:
        """Inserts what waits, if that works at once, and leaves the group. What does not stays in Kafka."""
        try:
            if self._buffer.records and not self._pause and not self._log.unplaced():
                self._flush()
        except (RetryLater, MustStop, Fenced) as error:
            logger.warning("stopping with %d records not yet inserted: %s", len(self._buffer.records), error)
        finally:
            self._notary.close()
            self._log.close()

    def _round(self) -> None:
        now = self._clock()
        waiting = now < self._retry_at
        self._log.pause(self._full() or self._pause > 0)
        for record in self._log.take(max(1, self._settings.batch_rows - len(self._buffer.records)), _POLL):
            self._buffer.add(record, now)
        if self._log.epoch() != self._epoch:
            # Whatever was read under an earlier assignment is read again by whoever has it now.
            self._epoch, self._ends, self._heads = self._log.epoch(), {}, {}
            self._clear()
        if self._log.unplaced():
            self._clear()
            if not waiting:
                self._begin()
        elif self._due() and not waiting:
            self._flush()
        elif not self._buffer.records and now - self._told_at > TELL_SECONDS:
            self._tell()
        self._notary.told(self._heads, now)
        self.counters.unsigned_seconds = self._notary.unsigned(now)

    def _begin(self) -> None:
        self._store.settle()
        heads, held = self._held()
        audited = {topic for table, topic in self._reader.sources if table is Table.AUDIT}
        partitions = self._log.unplaced()
        bounds = {partition: self._log.bounds(partition) for partition in partitions}
        starts = {
            partition: start(partition, held.get(partition), bounds[partition], accept_gap=self._settings.accept_gap)
            for partition in partitions
        }
        gaps = [_gap(partition, found.lost) for partition, found in starts.items() if found.lost]
        for part in batch.cut(self._fresh(Table.DEAD_LETTERS, gaps)):
            self._insert(part)
        self._heads = {
            partition: heads.get(partition, Head()) for partition in partitions if partition.topic in audited
        }
        self._ends = {partition: found.offset for partition, found in starts.items()}
        self._log.begin(self._ends)
        self._tell()
        self._succeeded()
        logger.info("reading %d partitions of the audit topic", len(partitions))

    def _held(self) -> tuple[dict[Partition, Head], dict[Partition, int]]:
        """The ends of the chains, and the last offset of every partition that ClickHouse holds."""
        heads: dict[Partition, Head] = {}
        held: dict[Partition, int] = {}
        for table, topic in self._reader.sources:
            if table is Table.AUDIT:
                found = self._store.heads(topic)
                heads |= {Partition(topic, number): head for number, head in found.items()}
            else:
                held |= {Partition(topic, number): last for number, last in self._store.positions(topic).items()}
        return heads, held | {partition: head.offset for partition, head in heads.items()}

    def _flush(self) -> None:
        # Prepared once, then tried until it is in: the same token again adds nothing, whether an
        # attempt that timed out was carried out or not.
        if self._batches is None:
            self._batches = self._prepared()
        while self._batches:
            self._insert(self._batches[0])
            self._batches.pop(0)
        self._ends |= _ends(self._buffer.records)
        self._tell()
        read = self._read or []
        self._clear()
        self._succeeded()
        self._reader.count(read)

    def _prepared(self) -> list[Batch]:
        if self._read is None:
            self._read = self._reader.read(self._buffer.records)
            self.counters.unreadable += sum(not each.readable for each in self._read)
        # Dead letters first: the position comes from the audit rows, so after a kill in between, the
        # unreadable records are read again, and are known.
        letters, audit = (self._fresh(table, batch.rows_of(self._read, table)) for table in _IN_ORDER)
        return [*batch.cut(letters), *batch.linked(audit, self._heads, self._linker)]

    def _fresh(self, table: Table, found: list[Row]) -> list[Row]:
        known = self._store.known(table, {row.key for row in found}) if found else set()
        fresh = batch.first_of_each(found, known)
        self.counters.duplicates += len(found) - len(fresh)
        return fresh

    def _insert(self, part: Batch) -> None:
        began = self._clock()
        self._store.insert(part, max(0, self._attempt - _BELIEVED))
        if part.after is not None:
            self._confirm(part)
        seconds = self._clock() - began
        self.counters.batches += 1
        self.counters.insert_seconds += seconds
        self._on_written(part, seconds)
        if part.table is Table.AUDIT:
            self.counters.rows += len(part.rows)
        else:
            self.counters.dead_letters += len(part.rows)

    def _confirm(self, part: Batch) -> None:
        """Sees whether the chain now ends with these rows.

        Raises:
            Fenced: it ends elsewhere, so somebody else goes on with it.
            RetryLater: it ends where it did before; the same insert may do it.
        """
        partition = part.partition
        found = self._store.heads(partition.topic, partition.number).get(partition.number, Head())
        if found == part.after:
            self._heads[partition] = found
            self._attempt = 0
        elif found == part.before:
            self._attempt += 1
            raise RetryLater("ClickHouse took an insert and does not have its rows")
        else:
            raise Fenced(f"{partition.topic}, partition {partition.number}: row {found.number} is another writer's")

    def _tell(self) -> None:
        # Again and again, even when nothing moves: a commit may be lost, and workers that hold verdicts
        # until the audit is written look at it.
        self._told_at = self._clock()
        self._log.done(self._ends)
        self.counters.lags = self._log.lags()

    def _due(self) -> bool:
        old = self._clock() - self._buffer.since >= self._settings.batch_ms / 1_000
        return bool(self._buffer.records) and (old or self._full())

    def _full(self) -> bool:
        return len(self._buffer.records) >= self._settings.batch_rows or self._buffer.size >= MAX_BYTES

    def _clear(self) -> None:
        self._buffer = Buffer()
        self._read = None
        self._batches = None
        self._attempt = 0

    def _give_way(self, reason: Fenced) -> None:
        self.counters.fenced += 1
        logger.warning("asking ClickHouse anew where to begin; nothing is lost: %s", reason)
        self._clear()
        self._log.unplace()

    def _back_off(self, error: RetryLater) -> None:
        self.counters.retries += 1
        self._pause = min(LONGEST_PAUSE, self._pause * 2 or FIRST_PAUSE)
        self._retry_at = self._clock() + self._pause
        logger.warning("trying again in %.1f s; nothing is lost: %s", self._pause, error)

    def _succeeded(self) -> None:
        self._pause = self._retry_at = 0.0


_IN_ORDER = (Table.DEAD_LETTERS, Table.AUDIT)


def _ends(records: list[LogRecord]) -> dict[Partition, int]:
    return {Partition(each.place.topic, each.place.partition): each.place.offset + 1 for each in records}


def _gap(partition: Partition, lost: tuple[int, int]) -> Row:
    first, last = lost
    place = LogPlace(partition.topic, partition.number, first, 0)
    return rows.unreadable(place, "gap", f"offsets {first} to {last} were deleted before they were read", 0)

"""The audit writer's loop on a log and a store that fail when told to."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from confluent_kafka import KafkaError

from lawful.infra.audit_chain.link import Head
from lawful.infra.audit_writer.limit import Limit
from lawful.infra.audit_writer.log import Trouble
from lawful.infra.audit_writer.place import Start, start
from lawful.infra.audit_writer.ports import Batch, Table
from lawful.infra.audit_writer.reader import Reader
from lawful.infra.audit_writer.writer import Writer
from lawful.infra.clickhouse.rows import LogPlace, Partition, Row, process
from lawful.infra.settings import AuditSettings, DeadLetterSettings
from lawful.schemas import codec
from lawful.schemas.codec import Codec
from lawful.schemas.errors import MustStop, RetryLater
from lawful.schemas.topics import Topics
from tests.infra import records
from tests.infra.chains import LINKER, batches
from tests.infra.fakes import ONE, Clock, FakeLog, FakeNotary

TOPICS = Topics("t")


@dataclass
class FakeStore:
    """Keeps rows; fails before or after carrying an insert out, or forgets it, as often as told."""

    rows: list[tuple[Table, Row]] = field(default_factory=list)
    ends: dict[Partition, Head] = field(default_factory=dict)
    tokens: set[str] = field(default_factory=set)
    fail_before: int = 0
    fail_after: int = 0
    forget: int = 0
    settled: int = 0

    def settle(self) -> None:
        """Counts."""
        self.settled += 1

    def positions(self, topic: str) -> Mapping[int, int]:
        """As in the port."""
        found: dict[int, int] = {}
        for where, row in self.rows:
            if where is Table.DEAD_LETTERS and row.place.topic == topic:
                found[row.place.partition] = max(found.get(row.place.partition, -1), row.place.offset)
        return found

    def heads(self, topic: str, partition: int | None = None) -> Mapping[int, Head]:
        """As in the port."""
        return {where.number: head for where, head in self.ends.items() if partition in (None, where.number)}

    def known(self, table: Table, keys: Collection[tuple[Any, ...]]) -> set[tuple[Any, ...]]:
        """As in the port."""
        return {row.key for where, row in self.rows if where is table} & set(keys)

    def insert(self, batch: Batch, attempt: int = 0) -> None:
        """As in the port, unless it is to fail."""
        token = f"{batch.token}#{attempt}"
        if self.fail_before:
            self.fail_before -= 1
            raise RetryLater("no connection")
        if self.forget:
            self.forget -= 1
            self.tokens.add(token)
        if token not in self.tokens:
            self.tokens.add(token)
            self.rows += [(batch.table, row) for row in batch.rows]
            self.ends |= {batch.partition: batch.after} if batch.after else {}
        if self.fail_after:
            self.fail_after -= 1
            raise RetryLater("no answer")

    def events(self) -> list[str]:
        """Event ids in the audit, in the order of arrival."""
        return [row.key[1] for table, row in self.rows if table is Table.AUDIT]


@dataclass
class Bench:
    """A writer between fakes."""

    log: FakeLog
    store: FakeStore = field(default_factory=FakeStore)
    settings: AuditSettings = field(default_factory=lambda: AuditSettings(batch_rows=4, batch_ms=100))
    limits: DeadLetterSettings = field(default_factory=DeadLetterSettings)
    clock: Clock = field(default_factory=Clock)
    notary: FakeNotary = field(default_factory=FakeNotary)

    def writer(self) -> Writer:
        """A new one."""
        reader = Reader(TOPICS, Codec(), Limit(self.limits))
        return Writer(self.log, self.store, reader, self.settings, self.clock, linker=LINKER, notary=self.notary)

    def steps(self, writer: Writer, count: int) -> None:
        """So many rounds, each a little later."""
        for _ in range(count):
            writer.step()
            self.clock.now += 0.06


def encoded(count: int) -> list[bytes]:
    """That many audit records."""
    return [codec.encode(records.audited(n)) for n in range(count)]


def ids(count: int) -> list[str]:
    """Their event ids."""
    return [records.event_id(n) for n in range(count)]


def test_rows_wait_for_more_until_the_batch_is_full_or_old() -> None:
    """A full batch goes at once, a part of one when its time is over."""
    bench = Bench(FakeLog(encoded(5)))
    writer = bench.writer()
    bench.steps(writer, 2)
    assert bench.store.events() == ids(4)
    bench.steps(writer, 4)
    assert bench.store.events() == ids(5)
    assert writer.counters.batches == 2
    assert bench.log.told == {ONE: 5}


@pytest.mark.parametrize(("before", "after"), [(3, 0), (0, 3), (2, 2)])
def test_a_failing_insert_is_repeated_until_it_is_in_once(before: int, after: int) -> None:
    """Whether or not the failed attempts were carried out, each event is there once."""
    bench = Bench(FakeLog(encoded(6)), FakeStore(fail_before=before, fail_after=after))
    writer = bench.writer()
    bench.steps(writer, 200)
    assert bench.store.events() == ids(6)
    assert writer.counters.retries == before + after
    assert (writer.counters.rows, writer.counters.duplicates) == (6, 0)


def test_many_small_reads_are_one_insert_a_second() -> None:
    """However many records and reads there are, inserts come a second apart or are full (A38)."""
    values = encoded(2_000)
    bench = Bench(FakeLog(values, most=50), settings=AuditSettings())
    writer = bench.writer()
    bench.steps(writer, 60)  # 40 reads of 50 records, 60 ms apart, and time to pass
    assert bench.log.at == len(values)
    assert writer.counters.rows == len(values)
    assert writer.counters.batches <= 3


def test_while_the_store_is_away_little_is_read() -> None:
    """The backlog stays in Kafka: at most a batch is held, and the log is paused."""
    bench = Bench(FakeLog(encoded(100)), FakeStore(fail_before=10**6))
    bench.steps(bench.writer(), 100)
    assert bench.log.paused
    assert bench.log.at == 4


def test_pauses_between_attempts_grow() -> None:
    """A database that is down for a minute is not asked a thousand times."""
    bench = Bench(FakeLog(encoded(4)), FakeStore(fail_before=10**6))
    writer = bench.writer()
    bench.steps(writer, 1_000)  # a minute
    assert 5 < writer.counters.retries < 20


@pytest.mark.parametrize("kill_after", range(6))
def test_a_kill_between_any_two_steps_loses_and_doubles_nothing(kill_after: int) -> None:
    """A new writer on the same store goes on behind what is there."""
    values = [*encoded(3), b"nonsense", *encoded(9)[3:]]
    store = FakeStore(fail_after=1)
    first = Bench(FakeLog(values), store)
    first.steps(first.writer(), kill_after)
    second = Bench(FakeLog(values), store)
    second.steps(second.writer(), 40)
    assert store.events() == ids(9)
    assert [row.key for table, row in store.rows if table is Table.DEAD_LETTERS] == [("t.audit", 0, 3)]
    assert store.settled


@pytest.mark.parametrize("failing", [0, 10**6])
def test_what_was_read_of_a_partition_that_went_away_is_not_inserted(failing: int) -> None:
    """It is its new owner's now, who reads it from Kafka; inserting it, too, could double it."""
    bench = Bench(FakeLog(encoded(4)[:3]), FakeStore(fail_before=failing))
    writer = bench.writer()
    bench.steps(writer, 8 if failing else 2)
    bench.log.rebalances += 1
    bench.store.fail_before = 0
    bench.log.values = []
    bench.steps(writer, 100)
    assert bench.store.events() == []


def test_stopping_inserts_what_waits() -> None:
    """A graceful stop leaves nothing for later, if the store is there."""
    bench = Bench(FakeLog(encoded(2)))
    writer = bench.writer()
    bench.steps(writer, 2)
    writer.finish()
    assert bench.store.events() == ids(2)
    assert bench.log.closed


def test_stopping_while_the_store_is_away_leaves_the_group_at_once() -> None:
    """What waits is still in Kafka, so stopping does not wait for the store."""
    bench = Bench(FakeLog(encoded(2)), FakeStore(fail_before=10**6))
    writer = bench.writer()
    bench.steps(writer, 2)
    writer.finish()
    assert bench.log.closed
    assert bench.store.events() == []


def test_too_many_unreadable_records_stop_the_writer_after_they_are_written_down() -> None:
    """The message names the limit's settings; the rows are the evidence."""
    bench = Bench(FakeLog([b"x"] * 30), limits=DeadLetterSettings(consecutive=7))
    writer = bench.writer()
    with pytest.raises(MustStop, match="LAWFUL_DEAD_LETTERS_CONSECUTIVE"):
        bench.steps(writer, 100)
    assert len(bench.store.rows) == 8
    assert bench.store.events() == []


def test_a_share_of_unreadable_records_above_the_limit_stops_the_writer() -> None:
    """One in ten is too many when one in twenty is the limit, once there are enough to tell."""
    limit = Limit(DeadLetterSettings(ratio=0.05))
    for n in range(1, 100):
        limit.add(readable=n % 10 != 0, where="t[0]@1")
    with pytest.raises(MustStop, match="of the last 100 records"):
        limit.add(readable=False, where="t[0]@1")


def test_old_trouble_is_forgotten() -> None:
    """Only the last thousand records count."""
    limit = Limit(DeadLetterSettings(ratio=0.05))
    for n in range(5_000):
        limit.add(readable=n % 1_000 < 970, where="t[0]@1")


def test_reading_begins_behind_what_is_held() -> None:
    """Nothing held: from the first there is; else from the next."""
    assert start(ONE, None, (3, 9), accept_gap=False) == Start(3)
    assert start(ONE, 5, (3, 9), accept_gap=False) == Start(6)
    assert start(ONE, 8, (3, 9), accept_gap=False) == Start(9)


def test_a_log_that_ends_before_what_is_held_stops() -> None:
    """The topic was made anew: going on would take new records for known ones."""
    with pytest.raises(MustStop, match="made anew"):
        start(ONE, 9, (0, 9), accept_gap=True)


def test_a_gap_stops_or_is_written_down() -> None:
    """Records that Kafka deleted before they were read are never passed over in silence."""
    with pytest.raises(MustStop, match="offsets 3 to 4"):
        start(ONE, 2, (5, 9), accept_gap=False)
    log = FakeLog(encoded(6), low=3)
    held = FakeStore()
    (earlier,) = batches([process(records.audited(99), LogPlace("t.audit", 0, 0, 0))])
    held.insert(earlier)
    bench = Bench(log, held, AuditSettings(accept_gap=True, batch_ms=10))
    bench.steps(bench.writer(), 20)
    assert [row.values[7] for table, row in held.rows if table is Table.DEAD_LETTERS] == ["gap"]
    assert held.events() == [records.event_id(99), *ids(6)[3:]]


def test_a_broker_that_does_not_answer_is_told_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    """Hundreds of failed attempts are one line with the address."""
    now = [0.0]
    trouble = Trouble("broker:9092", lambda: now[0])
    for _ in range(100):
        trouble(KafkaError(KafkaError.BROKER_NOT_AVAILABLE))
    assert [("broker:9092" in line) for line in caplog.messages] == [True]
    now[0] = 61.0
    trouble(KafkaError(KafkaError.BROKER_NOT_AVAILABLE))
    assert len(caplog.messages) == 2


def test_of_two_writers_at_once_one_gives_way_and_nothing_doubles() -> None:
    """Both believe that the partition is theirs; whoever is late is refused, and begins anew behind what is there."""
    store, values = FakeStore(), encoded(4)
    first, second = Bench(FakeLog(values), store), Bench(FakeLog(values), store)
    early, late = first.writer(), second.writer()
    second.steps(late, 1)  # it has read where the chain ends, and nothing more
    first.steps(early, 6)
    values += encoded(12)[4:]
    second.steps(late, 40)
    first.steps(early, 40)
    assert store.events() == ids(12)
    assert late.counters.fenced > 0
    assert late.counters.rows == 8
    assert store.ends[ONE].number == 12


def test_an_insert_that_clickhouse_remembers_and_does_not_have_is_made_under_another_name() -> None:
    """A server killed in mid-insert may keep the name and lose the rows: no row is lost for that."""
    bench = Bench(FakeLog(encoded(6)), FakeStore(forget=1))
    writer = bench.writer()
    bench.steps(writer, 200)
    assert bench.store.events() == ids(6)
    assert writer.counters.fenced == 0


def test_the_notary_is_told_what_clickhouse_confirmed() -> None:
    """Never an end that is not there yet; and it may sign the last one when the writer stops."""
    bench = Bench(FakeLog(encoded(6)), FakeStore(fail_after=2))
    writer = bench.writer()
    bench.steps(writer, 3)
    assert bench.notary.heads.get(ONE, Head()).number in (0, 4)
    bench.steps(writer, 40)
    assert bench.notary.heads == {ONE: bench.store.ends[ONE]}
    writer.finish()
    assert bench.notary.closed

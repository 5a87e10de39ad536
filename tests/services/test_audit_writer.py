"""The audit writer on real engines: one row per event, whatever fails in between."""

import itertools
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from lawful.infra.audit_gate import watching
from lawful.infra.audit_writer.counters import Counters
from lawful.infra.audit_writer.run import build
from lawful.infra.audit_writer.store import ClickHouseStore
from lawful.infra.audit_writer.writer import Writer
from lawful.infra.clickhouse.client import connect
from lawful.infra.clickhouse.migrate import migrate
from lawful.infra.clickhouse.rows import LogPlace, process
from lawful.infra.engines.clickhouse import EmbeddedClickHouse
from lawful.infra.engines.traits import Broker
from lawful.infra.settings import (
    AuditFailure,
    AuditSettings,
    ClickHouseSettings,
    KafkaSettings,
    Settings,
)
from lawful.schemas import codec
from lawful.schemas.errors import MustStop
from lawful.schemas.topics import Topics
from lawful.schemas.verdict import Decision
from tests.engines import eventually
from tests.infra import records
from tests.infra.chains import CHAIN_KEY, SIGNING_PEM, write
from tests.services.cutting_proxy import CuttingProxy

PARTITIONS = 2
AUDIT = AuditSettings(batch_ms=50, chain_key=CHAIN_KEY, signing_key=SIGNING_PEM, anchor_ms=100)


@dataclass
class Stage:
    """A broker with topics, a database with tables, and settings that point at both."""

    settings: Settings
    producer: Producer

    @property
    def topics(self) -> Topics:
        """Their names."""
        return self.settings.topics

    def publish(self, *published: object, topic: str = "", partition: int = 0) -> None:
        """Puts records, or raw bytes, on the audit topic."""
        for record in published:
            value = record if isinstance(record, bytes) else codec.encode(record)
            self.producer.produce(topic or self.topics.audit, value, partition=partition)
        assert self.producer.flush(20) == 0

    def ask(self, sql: str) -> list[tuple[object, ...]]:
        """Rows, as the owner sees them."""
        client = connect(self.settings.clickhouse)
        try:
            return [tuple(row) for row in client.query(sql).result_rows]
        finally:
            client.close()

    def count(self, table: str = "audit") -> object:
        """How many rows a table has."""
        return self.ask(f"SELECT count() FROM {table}")[0][0]  # noqa: S608 - a table of ours

    def events(self) -> object:
        """How many rows, and how many different events, the audit has."""
        return self.ask("SELECT count(), uniqExact(tenant_id, event_id, kind) FROM audit")[0]

    @contextmanager
    def writing(self, settings: Settings | None = None) -> Iterator[Counters]:
        """An audit writer that runs meanwhile."""
        with running(build(settings or self.settings)) as writer:
            yield writer.counters


@contextmanager
def running(writer: Writer, failures: list[BaseException] | None = None) -> Iterator[Writer]:
    """Runs a writer in a thread; its failure is raised at the end."""
    stop = threading.Event()
    failures = [] if failures is None else failures

    def loop() -> None:
        try:
            while not stop.is_set():
                writer.step()
        except BaseException as error:  # noqa: BLE001 - handed to the test below
            failures.append(error)
        finally:
            writer.finish()

    thread = threading.Thread(target=loop)
    thread.start()
    try:
        yield writer
    finally:
        stop.set()
        thread.join(30)
        assert not thread.is_alive()
    if failures:
        raise failures[0]


def clickhouse_settings(engine: EmbeddedClickHouse, database: str) -> ClickHouseSettings:
    """As the owner."""
    return ClickHouseSettings(
        host=engine.host, port=engine.port or 0, user="owner", password=engine.password(), database=database
    )


@contextmanager
def staged(broker: Broker, engine: EmbeddedClickHouse, database: str, prefix: str) -> Iterator[Stage]:
    """Topics and tables."""
    settings = Settings(
        kafka=KafkaSettings(bootstrap=broker.bootstrap),
        clickhouse=clickhouse_settings(engine, database),
        audit=AUDIT,
        topic_prefix=prefix,
        instance_id="one",
    )
    admin = AdminClient({"bootstrap.servers": broker.bootstrap})
    wanted = [
        NewTopic(name, PARTITIONS, 1)
        for name in (settings.topics.audit, settings.topics.dead_letters, settings.topics.anchors)
    ]
    for future in admin.create_topics(wanted).values():
        future.result(10)
    migrate(settings.clickhouse)
    yield Stage(settings, Producer({"bootstrap.servers": broker.bootstrap, "log_level": 2}))


@pytest.fixture
def stage(broker: Broker, clickhouse: EmbeddedClickHouse, database: str, prefix: str) -> Iterator[Stage]:
    """On the shared engines."""
    with staged(broker, clickhouse, database, prefix) as made:
        yield made


def test_every_record_becomes_one_row(stage: Stage) -> None:
    """Verdicts, guard reports and dead letters of all partitions arrive, each once."""
    stage.publish(*(records.audited(n, Decision(n % 4)) for n in range(40)))
    stage.publish(records.report(1), records.audited(100), partition=1)
    stage.publish(records.letter(5), topic=stage.topics.dead_letters)
    with stage.writing() as counters:
        eventually(lambda: counters.rows == 42 and counters.dead_letters == 1)
    assert stage.events() == (42, 42)
    assert stage.ask("SELECT topic, offset, reason FROM dead_letters") == [("t.events", 5, "undecodable")]
    assert stage.ask("SELECT decision, count() FROM verdicts GROUP BY decision ORDER BY decision") == [
        ("forward", 11),
        ("warn", 10),
        ("redact", 10),
        ("block", 10),
    ]


def test_a_record_that_comes_twice_is_one_row(stage: Stage) -> None:
    """Duplicates are dropped within a batch, between batches and between runs."""
    stage.publish(records.audited(1), records.audited(1), records.audited(2))
    with stage.writing() as counters:
        eventually(lambda: counters.rows == 2)
        stage.publish(records.audited(1), partition=1)
        eventually(lambda: counters.duplicates == 2)
    stage.publish(records.audited(2), records.audited(3))
    with stage.writing() as counters:
        eventually(lambda: counters.rows == 1)
    assert stage.events() == (3, 3)


def test_a_new_run_goes_on_behind_what_clickhouse_holds(stage: Stage) -> None:
    """The position comes from ClickHouse: nothing is read twice and nothing is passed over."""
    stage.publish(*(records.audited(n) for n in range(10)))
    with stage.writing() as counters:
        eventually(lambda: counters.rows == 10)
    stage.publish(*(records.audited(n) for n in range(10, 15)))
    with stage.writing() as counters:
        eventually(lambda: counters.rows == 5)
        assert counters.duplicates == 0
    assert stage.events() == (15, 15)


def test_an_unreadable_record_is_written_down_and_passed(stage: Stage) -> None:
    """It leaves a dead-letter row with its place, once, and the records behind it arrive."""
    stage.publish(records.audited(1), b"\xc3\x01nonsense", records.audited(2), b"", b"anna@example.org")
    for _ in range(2):  # the second run reads the unreadable tail again
        with stage.writing() as counters:
            eventually(lambda: counters.unreadable >= 1 and stage.count("dead_letters") == 3)
    assert stage.events() == (2, 2)
    found = stage.ask("SELECT topic, partition, offset, size FROM dead_letters ORDER BY offset")
    assert found == [(stage.topics.audit, 0, 1, 10), (stage.topics.audit, 0, 3, 0), (stage.topics.audit, 0, 4, 16)]
    assert "anna" not in str(stage.ask("SELECT * FROM dead_letters"))


def test_a_stream_of_unreadable_records_stops_the_writer(stage: Stage) -> None:
    """Beyond the limit the writer stops and says where, and has written them down."""
    stage.publish(*(b"nonsense" for _ in range(120)))
    failures: list[BaseException] = []
    with pytest.raises(MustStop, match="could not be read"), running(build(stage.settings), failures):
        eventually(lambda: failures)
    assert stage.count("dead_letters") == 120
    assert stage.count() == 0


def test_a_topic_that_was_made_anew_stops_the_writer(stage: Stage) -> None:
    """Where ClickHouse is ahead of the log, going on would drop what comes: stop and say so."""
    place = LogPlace(stage.topics.audit, 0, 99, records.T0 // 1_000)
    write(ClickHouseStore(stage.settings.clickhouse), [process(records.audited(1), place)])
    stage.publish(records.audited(2))
    failures: list[BaseException] = []
    with pytest.raises(MustStop, match="made anew"), running(build(stage.settings), failures):
        eventually(lambda: failures)


def test_an_insert_whose_answer_is_lost_leaves_one_row_per_event(stage: Stage) -> None:
    """The connection is cut after the request was carried out: the retry adds nothing (A37)."""
    engine = stage.settings.clickhouse
    stage.publish(*(records.audited(n, Decision(n % 4)) for n in range(500)))
    with CuttingProxy(engine.port, b"insert_deduplication_token") as proxy:
        proxy.cuts_left = 5
        through = replace(stage.settings, clickhouse=replace(engine, port=proxy.port))
        with stage.writing(through) as counters:
            eventually(lambda: counters.rows == 500)
        assert proxy.cuts == 5
        assert counters.retries >= 1
        assert counters.duplicates == 0
    assert stage.events() == (500, 500)


def test_clickhouse_away_for_a_while_loses_nothing(
    broker: Broker, own_clickhouse: EmbeddedClickHouse, prefix: str
) -> None:
    """While it is down the backlog stays in Kafka; afterwards every event is there once (A35)."""
    with staged(broker, own_clickhouse, "lawful", prefix) as stage:
        with stage.writing() as counters:
            stage.publish(*(records.audited(n) for n in range(50)))
            eventually(lambda: counters.rows == 50)
            own_clickhouse.kill()
            stage.publish(*(records.audited(n) for n in range(50, 300)))
            eventually(lambda: counters.retries >= 3)
            assert counters.rows == 50
            own_clickhouse.restart()
            eventually(lambda: counters.rows == 300)
        assert stage.events() == (300, 300)


def test_clickhouse_away_at_the_start_is_waited_for(
    broker: Broker, own_clickhouse: EmbeddedClickHouse, prefix: str
) -> None:
    """A writer that starts before ClickHouse stays in its group and begins when it can."""
    with staged(broker, own_clickhouse, "lawful", prefix) as stage:
        stage.publish(*(records.audited(n) for n in range(20)))
        own_clickhouse.kill()
        with stage.writing() as counters:
            eventually(lambda: counters.retries >= 2)
            own_clickhouse.restart()
            eventually(lambda: counters.rows == 20)
        assert stage.events() == (20, 20)


def test_two_writers_share_the_partitions(stage: Stage) -> None:
    """A second writer joins, works beside the first, and goes on alone: each event is one row."""
    numbers = itertools.count()
    # A static member that closes does not leave its group, on purpose: here both shall come and go.
    unnamed = replace(stage.settings, instance_id="")

    def publish() -> bool:
        for partition in range(PARTITIONS):
            stage.publish(records.audited(next(numbers)), partition=partition)
        return True

    with running(build(unnamed)) as second:
        with running(build(unnamed)) as first:
            eventually(lambda: publish() and first.counters.rows and second.counters.rows, pause=0.1)
        publish()
        eventually(lambda: stage.events() == _published(stage), pause=0.1)


def _published(stage: Stage) -> tuple[int, int]:
    """Records on the audit topic, twice: as many rows as events."""
    consumer = Consumer({"bootstrap.servers": stage.settings.kafka.bootstrap, "group.id": "looking"})
    ends = [consumer.get_watermark_offsets(TopicPartition(stage.topics.audit, n), 10) for n in range(PARTITIONS)]
    consumer.close()
    total = sum(high for _, high in ends)
    return total, total


def test_kill_9_of_the_writer_leaves_one_row_per_event(stage: Stage) -> None:
    """Killed at random moments of its work and started again, it leaves every event once."""
    draw = random.Random(7)
    for n in range(1_200):
        stage.producer.produce(stage.topics.audit, codec.encode(records.audited(n)), partition=n % PARTITIONS)
    stage.producer.flush(20)
    small = replace(stage.settings, audit=replace(AUDIT, batch_ms=10, batch_rows=100))
    for _ in range(2):
        child = start_child(small)
        before = stage.count()
        eventually(lambda: stage.count() != before)  # noqa: B023 - called at once
        eventually(lambda: True, pause=draw.random() * 0.05)
        child.kill()
        child.wait()
    child = start_child(small)
    eventually(lambda: stage.count() == 1_200)
    child.send_signal(signal.SIGTERM)
    assert child.wait(20) == 0
    assert stage.events() == (1_200, 1_200)


def start_child(settings: Settings) -> subprocess.Popen[bytes]:
    """The audit writer as a process of its own."""
    kafka, clickhouse = settings.kafka, settings.clickhouse
    env = {
        "LAWFUL_KAFKA_BOOTSTRAP": kafka.bootstrap,
        "LAWFUL_CLICKHOUSE_PORT": str(clickhouse.port),
        "LAWFUL_CLICKHOUSE_USER": clickhouse.user,
        "LAWFUL_CLICKHOUSE_PASSWORD": clickhouse.password,
        "LAWFUL_CLICKHOUSE_DATABASE": clickhouse.database,
        "LAWFUL_TOPIC_PREFIX": settings.topic_prefix,
        "LAWFUL_INSTANCE_ID": settings.instance_id,
        "LAWFUL_AUDIT_CHAIN_KEY": settings.audit.chain_key.decode(),
        "LAWFUL_AUDIT_SIGNING_KEY": settings.audit.signing_key.decode(),
        "LAWFUL_AUDIT_BATCH_MS": str(settings.audit.batch_ms),
        "LAWFUL_AUDIT_BATCH_ROWS": str(settings.audit.batch_rows),
    }
    code = (
        "import os; from lawful.infra.audit_writer import run; from lawful.infra.settings_load import load_settings; "
        "run(load_settings(os.environ))"
    )
    return subprocess.Popen([sys.executable, "-c", code], env={**os.environ, **env})


def test_under_reject_workers_are_held_while_the_audit_cannot_be_written(
    broker: Broker, own_clickhouse: EmbeddedClickHouse, prefix: str
) -> None:
    """The gate closes when records wait for too long, opens when they are written, and permit ignores it (A35)."""
    audit = replace(AUDIT, failure=AuditFailure.REJECT, patience_ms=500)
    with staged(broker, own_clickhouse, "lawful", prefix) as stage, stage.writing() as counters:
        rejecting = replace(stage.settings, audit=audit)
        with watching(rejecting, time.monotonic) as gate, watching(stage.settings, time.monotonic) as permitting:
            stage.publish(records.audited(1))
            eventually(lambda: counters.rows == 1)
            eventually(gate.is_open)
            own_clickhouse.kill()
            stage.publish(records.audited(2))
            eventually(lambda: not gate.is_open())
            assert permitting.is_open()
            own_clickhouse.restart()
            eventually(gate.is_open)
        assert stage.events() == (2, 2)

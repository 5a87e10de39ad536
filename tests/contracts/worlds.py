"""The worlds in which the guard's contract must hold: one process, and Kafka with real workers."""

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from confluent_kafka import Consumer, TopicPartition

from lawful.client import Transport
from lawful.client.kafka import KafkaTransport
from lawful.extractors.port import Extraction, ExtractionSpec
from lawful.infra.kafka_admin import create_topics
from lawful.infra.settings import KafkaSettings, Settings
from lawful.schemas.audit import AuditKind, AuditRecord, GuardReport
from lawful.schemas.codec import decode_either
from lawful.schemas.event import AgentEvent
from lawful.schemas.topics import Topics
from lawful.streams.inprocess import InProcessTransport
from lawful.streams.kernel import Kernel
from lawful.streams.options import WorkerOptions
from lawful.streams.topology import LawfulApp, build
from lawful.streams.worker import serve
from tests.engines import eventually
from tests.streams.kit import KERNEL, PEOPLE, OnePolicy, PlainExtractor, leaves

Row = AuditRecord | GuardReport


class GatedExtractor(PlainExtractor):
    """Holds events that say `wait` until the gate is opened."""

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.gate.set()

    def extract(self, event: AgentEvent, spec: ExtractionSpec) -> Extraction:
        """As the plain one, once the gate is open."""
        if any("wait" in text for _, text in leaves(event.payload)):
            assert self.gate.wait(20)
        return super().extract(event, spec)


@dataclass
class World:
    """A transport, what it is connected to, and what was written to the audit."""

    transport: Transport
    extractor: GatedExtractor
    rows: "Rows"

    def about(self, event_id: str, *kinds: AuditKind) -> list[Row]:
        """The audit rows about an event, once all of these kinds are there."""

        def found() -> list[Row]:
            rows = [row for row in self.rows.read() if event_of(row) == event_id]
            return rows if {row.kind for row in rows} >= set(kinds) else []

        return eventually(found)


@dataclass
class Rows:
    """Audit rows that a sink was handed."""

    sink: list[Row] = field(default_factory=list)

    def read(self) -> list[Row]:
        """All rows so far."""
        return list(self.sink)


class TopicRows(Rows):
    """Audit rows on a topic."""

    def __init__(self, bootstrap: str, topic: str) -> None:
        super().__init__()
        self._consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": topic, "enable.auto.commit": False})
        partitions = self._consumer.list_topics(topic, 10).topics[topic].partitions
        self._consumer.assign([TopicPartition(topic, number, 0) for number in partitions])

    def read(self) -> list[Row]:
        """All rows so far."""
        while (message := self._consumer.poll(0.05)) is not None:
            if message.error() is None:
                self.sink.append(decode_either(message.value() or b"", AuditRecord, GuardReport))
        return list(self.sink)

    def close(self) -> None:
        """Lets go of the topic."""
        self._consumer.close()


def event_of(row: Row) -> str:
    """Which event a row is about."""
    return row.verdict.event_id if isinstance(row, AuditRecord) else row.event_id


@contextlib.contextmanager
def in_process() -> Iterator[World]:
    """The kernel alone."""
    extractor, rows = GatedExtractor(), Rows()
    transport = InProcessTransport(OnePolicy(), extractor, PEOPLE, audit=rows.sink.append)
    yield World(transport, extractor, rows)
    extractor.gate.set()
    transport.close()


@contextlib.contextmanager
def on_kafka(bootstrap: str, prefix: str) -> Iterator[World]:
    """A worker on a broker, and the guard's transport beside it."""
    settings = Settings(kafka=KafkaSettings(bootstrap=bootstrap), topic_prefix=prefix, partitions=2)
    create_topics(settings)
    extractor = GatedExtractor()
    rows = TopicRows(bootstrap, settings.topics.audit)
    with worker_thread(bootstrap, settings.topics, replace(KERNEL, extractor=extractor)):
        transport = KafkaTransport(bootstrap, PEOPLE, topics=settings.topics)
        yield World(transport, extractor, rows)
        extractor.gate.set()
        transport.close()
    rows.close()


@contextlib.contextmanager
def worker_thread(bootstrap: str, topics: Topics, kernel: Kernel) -> Iterator[None]:
    """A worker on a thread of this process."""
    options = WorkerOptions(bootstrap=bootstrap, topics=topics, partitions=2, instance_id=f"{topics.prefix}-0")
    loops: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    async def work() -> int:
        asked = asyncio.Event()
        loops.append((asyncio.get_running_loop(), asked))
        app = LawfulApp(options)
        build(app, kernel)
        return await serve(app, asked)

    codes: list[int] = []
    thread = threading.Thread(target=lambda: codes.append(asyncio.run(work())), name="worker")
    thread.start()
    try:
        yield
    finally:
        loop, asked = eventually(lambda: loops)[0]
        loop.call_soon_threadsafe(asked.set)
        thread.join(60)
        assert codes == [0]

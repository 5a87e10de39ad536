"""Installations that are measured side by side on one broker, and what goes through them."""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from confluent_kafka import Consumer, Producer, TopicPartition

from lawful.infra.bench.processes import cpu_seconds
from lawful.infra.chaos.crowd import Crowd
from lawful.infra.chaos.place import LAWFUL, Place
from lawful.infra.engines.clickhouse import EmbeddedClickHouse
from lawful.infra.engines.traits import Broker
from lawful.schemas.codec import encode
from lawful.schemas.errors import MustStop
from lawful.schemas.topics import MAX_MESSAGE_BYTES, Topics

COPY, OFF, ON = "copying agent", "extraction off", "extraction on"
MODULES: Final = {COPY: "lawful.infra.bench.copier", OFF: "lawful.infra.bench.scripted", ON: LAWFUL}
_KEY: Final = "the key of a benchmark, not a secret"
_PATIENCE: Final = 90.0
_LOOK: Final = 0.05
_FROM, _TO = 0.1, 0.9
"""Shares of a burst between which it is timed: neither the first record's way nor the last partition's."""


@dataclass(frozen=True, slots=True)
class Record:
    """One event as it is published."""

    event_id: str
    key: bytes
    value: bytes


@dataclass(frozen=True, slots=True)
class Arm:
    """What is measured.

    Attributes:
        name: what workers do: `COPY`, `OFF` or `ON`.
        workers: processes.
        partitions: of the topics.
    """

    name: str
    workers: int = 1
    partitions: int = 4


@dataclass(frozen=True, slots=True)
class Burst:
    """What the middle of a burst took."""

    events: int
    seconds: float
    cpu: float

    @property
    def rate(self) -> float:
        """Events per second."""
        return self.events / max(self.seconds, 1e-9)

    @property
    def cpu_per_thousand(self) -> float:
        """CPU seconds of all its processes per 1,000 events."""
        return 1_000 * self.cpu / max(self.events, 1)


@dataclass
class Running:
    """An arm's installation, with its workers."""

    arm: Arm
    place: Place
    producer: Producer
    answers: Consumer
    topics: Topics
    seeds: int = 0

    def records(self, count: int) -> list[Record]:
        """So many new events, each once."""
        self.seeds += 1
        people = self.place.settings().pseudonymiser()
        found: dict[str, Record] = {}
        for event in Crowd(self.seeds).events(count):
            who = people.of(event.tenant_id, event.subjects[0]).encode()
            found.setdefault(event.event_id, Record(event.event_id, who, encode(event)))
        return list(found.values())

    def burst(self, records: Sequence[Record]) -> Burst:
        """Publishes them at once, and times the answers.

        Raises:
            MustStop: no more answers come.
        """
        before, total = self.answered(), len(records)
        for record in records:
            self.publish(record)
        self.producer.flush(60)
        marks = [self._reached(before + int(share * total)) for share in (_FROM, _TO)]
        self._reached(before + total)
        (since, cpu, first), (until, cpu_then, last) = marks
        return Burst(last - first, until - since, cpu_then - cpu)

    def _reached(self, goal: int) -> tuple[float, float, int]:
        """When so many answers were there, the CPU taken by then, and how many there were."""
        moved, seen = time.monotonic(), -1
        while (answered := self.answered()) < goal:
            if answered != seen:
                moved, seen = time.monotonic(), answered
            if time.monotonic() - moved > _PATIENCE:
                raise MustStop(f"{self.arm.name}: {answered} of {goal} answers, and no more\n{self.place.tail()}")
            time.sleep(_LOOK)
        return time.monotonic(), self.cpu(), answered

    def publish(self, record: Record, on_delivery: Callable[[object, object], None] | None = None) -> None:
        """Publishes one event."""
        topic = self.topics.events
        while True:
            try:
                self.producer.produce(topic, record.value, record.key, on_delivery=on_delivery)
            except BufferError:
                self.producer.poll(0.05)
            else:
                return

    def answered(self) -> int:
        """How many records the topic of verdicts holds."""
        return sum(self.answers.get_watermark_offsets(each, timeout=30)[1] for each in self.partitions())

    def partitions(self) -> list[TopicPartition]:
        """Of the topic of verdicts."""
        topic = self.topics.verdicts
        return [TopicPartition(topic, number) for number in range(self.arm.partitions)]

    def cpu(self) -> float:
        """CPU seconds of its processes so far."""
        return sum(cpu_seconds(child.pid) for child in self.place.processes.values())


@contextmanager
def running(
    arms: Sequence[Arm], broker: Broker, clickhouse: EmbeddedClickHouse, folder: Path
) -> Iterator[list[Running]]:
    """Starts the arms' installations, all at once; stops them in the end."""
    with ExitStack() as last:
        found = [_installed(arm, broker, clickhouse, folder / str(number), last) for number, arm in enumerate(arms)]
        with ThreadPoolExecutor(len(found)) as pool:
            list(pool.map(_start, found))
        yield found


def _installed(arm: Arm, broker: Broker, clickhouse: EmbeddedClickHouse, folder: Path, last: ExitStack) -> Running:
    folder.mkdir(parents=True)
    place = Place(broker, clickhouse, folder, _KEY, arm.partitions, module=MODULES[arm.name])
    last.enter_context(place)
    kafka = place.settings().kafka.librdkafka()
    producer = Producer({**kafka, "acks": "all", "linger.ms": 0, "message.max.bytes": MAX_MESSAGE_BYTES})
    consumer = Consumer({**kafka, "group.id": f"{place.name}-bench", "enable.auto.commit": False})
    last.callback(consumer.close)
    return Running(arm, place, producer, consumer, place.settings().topics)


def _start(one: Running) -> None:
    one.place.start(*(f"worker-{number + 1}" for number in range(one.arm.workers)))

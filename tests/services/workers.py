"""Worker processes that tests start, kill and stop, and what they wrote, read back."""

import json
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self, TypeVar

import pytest
from confluent_kafka import Consumer, Message, Producer, TopicPartition

from lawful.infra.settings import Settings
from lawful.schemas.codec import decode, encode
from lawful.schemas.event import AgentEvent
from lawful.schemas.pseudonym import Pseudonymiser
from lawful.streams.claims import Claims
from tests.engines import eventually
from tests.streams.kit import PEOPLE

ROOT = Path(__file__).parents[2]
T = TypeVar("T")


@dataclass
class Worker:
    """One worker process; it imports at once and begins when told to."""

    settings: Settings
    data_dir: Path | None
    instance: str = "worker-0"
    more: dict[str, Any] = field(default_factory=dict)
    module: str = "tests.services.worker_main"

    def __post_init__(self) -> None:
        self._said = tempfile.TemporaryFile("w+")  # noqa: SIM115 - closed with the process; not a pipe: nobody reads it while the worker runs
        self._ready = Path(tempfile.mkdtemp()) / "ready"
        self.over = False
        self.process = subprocess.Popen(
            [sys.executable, "-m", self.module],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stderr=self._said,
            text=True,
        )

    def go(self) -> Self:
        """Lets it begin."""
        told = {
            "bootstrap": self.settings.kafka.bootstrap,
            "prefix": self.settings.topic_prefix,
            "partitions": self.settings.partitions,
            "instance": self.instance,
            "data_dir": str(self.data_dir or ""),
            "ready": str(self._ready),
            **self.more,
        }
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(told) + "\n")
        self.process.stdin.flush()
        return self

    def await_ready(self) -> Self:
        """Waits until it has partitions, with their tables restored."""
        eventually(self._ready.exists, seconds=40)
        return self

    def kill(self) -> None:
        """Ends it as a crash would."""
        self.process.kill()
        self._close()

    def stop(self) -> tuple[int, str]:
        """Asks it to stop; gives its exit code and what it said."""
        self.process.terminate()
        return self._close()

    def ended(self) -> tuple[int, str]:
        """Waits until it ends by itself."""
        return self._close()

    def _close(self) -> tuple[int, str]:
        self.process.communicate(timeout=40)
        self.over = True
        shutil.rmtree(self._ready.parent)
        self._said.seek(0)
        with self._said as said:
            return self.process.returncode, said.read()


@pytest.fixture(name="workers")
def worker_processes() -> Iterator[Callable[..., Worker]]:
    """Makes workers that do not outlive the test."""
    made: list[Worker] = []

    def make(*args: Any, **more: Any) -> Worker:
        made.append(Worker(*args, **more))
        return made[-1]

    yield make
    left = [worker for worker in made if not worker.over]
    for worker in left:
        worker.process.kill()
    for worker in left:  # the test failed: pytest shows what they said
        code, said = worker.ended()
        print(f"{worker.instance} (exit code {code}; -9: still running) had said: {said}")  # noqa: T201 - for pytest


class Bus:
    """Publishes events as guards do, and reads topics back."""

    def __init__(self, settings: Settings, people: Pseudonymiser = PEOPLE) -> None:
        self.settings = settings
        self.topics = settings.topics
        self._people = people
        bootstrap = {"bootstrap.servers": settings.kafka.bootstrap}
        self._producer = Producer({**bootstrap, "partitioner": "murmur2_random", "linger.ms": 1})
        # Partitions are read one after the other: a fetch that waits at the end of one would hold up the next.
        reads = {"group.id": "reader", "enable.auto.commit": False, "fetch.wait.max.ms": 10}
        self._consumer = Consumer({**bootstrap, **reads})
        self.read: dict[str, list[Message]] = defaultdict(list)
        self._ends: dict[str, dict[int, int]] = {}

    def publish(self, event: AgentEvent, headers: list[tuple[str, bytes]] | None = None) -> None:
        """Puts an event where its principal's others are."""
        who = event.principal
        key = (
            self._people.of(event.tenant_id, who) if who else self._people.of_session(event.tenant_id, event.session_id)
        )
        self.put(self.topics.events, key.encode(), encode(event), headers)

    def put(
        self,
        topic: str,
        key: bytes,
        value: bytes | None,
        headers: list[tuple[str, bytes]] | None = None,
        partition: int | None = None,
    ) -> None:
        """Puts any record; without a partition, the key chooses it."""
        place = -1 if partition is None else partition
        self._producer.produce(topic, key=key, value=value, headers=dict(headers or []), partition=place)
        self._producer.poll(0)

    def flush(self) -> None:
        """Waits until all is there."""
        assert self._producer.flush(20) == 0

    def messages(self, topic: str) -> list[Message]:
        """All records of a topic, each partition in its order; remembers what it has read."""
        places = self._ends.setdefault(topic, defaultdict(int))
        for partition in self._consumer.list_topics(topic, 10).topics[topic].partitions:
            self._catch_up(topic, partition, places)
        return self.read[topic]

    def _catch_up(self, topic: str, partition: int, places: dict[int, int]) -> None:
        _, end = self._consumer.get_watermark_offsets(TopicPartition(topic, partition), 10)
        if places[partition] >= end:
            return
        self._consumer.assign([TopicPartition(topic, partition, places[partition])])
        while places[partition] < end:
            for message in self._consumer.consume(end - places[partition], 0.5):
                assert message.error() is None, message.error()
                self.read[topic].append(message)
                places[partition] = (message.offset() or 0) + 1

    def count(self, topic: str) -> int:
        """How many records a topic holds now; quick."""
        return sum(
            self._consumer.get_watermark_offsets(TopicPartition(topic, partition), 10)[1]
            for partition in range(self.settings.partitions)
        )

    def values(self, topic: str, expect: type[T]) -> list[T]:
        """All values of a topic."""
        return [decode(value_of(message), expect) for message in self.messages(topic)]

    def close(self) -> None:
        """Lets go of the broker."""
        self._consumer.close()


def value_of(message: Message) -> bytes:
    """A record's value, which is there."""
    value = message.value()
    assert isinstance(value, bytes)
    return value


def by_key(messages: list[Message]) -> Iterator[tuple[bytes, bytes | None]]:
    """The last value of every key of a changelog; what was written by somebody who had been replaced does not count."""
    latest: dict[bytes, bytes | None] = {}
    claims: dict[int | None, Claims] = defaultdict(Claims)
    for message in messages:
        key, value = message.key(), message.value()
        assert isinstance(key, bytes)
        value = value if isinstance(value, bytes) else None
        if claims[message.partition()].count(key, value, message.offset() or 0, message.headers()):
            latest[key] = value
    return iter(latest.items())

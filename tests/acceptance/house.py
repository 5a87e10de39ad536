"""A whole installation on embedded engines: the product's own processes, and what they wrote, read back.

Workers and audit writer are started with the command line, as an operator starts them.
"""

import contextlib
import sys
import uuid
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from confluent_kafka import Consumer, Message, Producer, TopicPartition

from lawful.client import Guard
from lawful.client.kafka import KafkaTransport
from lawful.infra import compose_root
from lawful.infra.clickhouse.client import connect
from lawful.infra.clickhouse.migrate import migrate
from lawful.infra.engines.clickhouse import EmbeddedClickHouse
from lawful.infra.engines.process import ChildProcess, Command
from lawful.infra.engines.traits import Broker
from lawful.infra.kafka_admin import create_topics
from lawful.infra.settings import Settings
from lawful.infra.settings_load import load_settings, variable
from lawful.schemas.codec import decode, encode
from lawful.schemas.event import AgentEvent, Identifier, Payload
from lawful.schemas.ids import uuid7
from lawful.schemas.topics import Topics
from lawful.schemas.verdict import Verdict
from tests.cli.processes import COMMAND
from tests.engines import eventually
from tests.infra.chains import CHAIN_KEY, SIGNING_PEM

ROOT = Path(__file__).parents[2]
TENANT = "acme"
KEY = "the key of the acceptance tests"
PARTITIONS = 2
WRITER = "audit-writer"
T = TypeVar("T")
Row = dict[str, Any]


def values(broker: Broker, clickhouse: EmbeddedClickHouse) -> dict[str, str]:
    """Settings, by dotted name, of an installation of its own on shared engines."""
    name = f"t{uuid.uuid4().hex[:12]}"
    return {
        "kafka.bootstrap": broker.bootstrap,
        "clickhouse.host": clickhouse.host,
        "clickhouse.port": str(clickhouse.port),
        "clickhouse.user": "owner",
        "clickhouse.password": clickhouse.password("owner"),
        "clickhouse.database": name,
        "audit.batch_ms": "50",
        "audit.anchor_ms": "500",
        "audit.chain_key": CHAIN_KEY.decode(),
        "audit.signing_key": SIGNING_PEM.decode(),
        "topic_prefix": name,
        "partitions": str(PARTITIONS),
        "default_policy": "shopper",
        "pseudonym_key": KEY,
    }


@dataclass
class House:
    """One installation.

    Attributes:
        values: its settings, by dotted name.
        folder: data and logs of its processes.
        processes: those that were made, by name.
    """

    values: Mapping[str, str]
    folder: Path
    processes: dict[str, ChildProcess] = field(default_factory=dict)

    # --- its processes ------------------------------------------------------------------------

    def __enter__(self) -> Self:
        with ThreadPoolExecutor(2) as pool:
            list(
                pool.map(lambda work: work(), (lambda: create_topics(self.settings), lambda: migrate(self.clickhouse)))
            )
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if "transport" in self.__dict__:
            self.transport.close()
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(ChildProcess.stop, self.processes.values()))
        for name in ("_consumer", "_client"):
            if name in self.__dict__:
                getattr(self, name).close()

    def start(self, *names: str, options: tuple[str, ...] = (), module: str = "", **changed: str) -> None:
        """Starts processes at once and waits until they work; see `spawn`."""

        def spawn(name: str) -> ChildProcess:
            return self.spawn(name, *options, module="" if name.startswith(WRITER) else module, **changed)

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(spawn, names))

    def spawn(self, name: str, *options: str, module: str = "", **changed: str) -> ChildProcess:
        """Starts one process and waits until it works.

        Args:
            name: `audit-writer...`, or a worker.
            options: further options of the command.
            module: run this instead of the command line's worker.
            changed: settings that differ, by dotted name with `__` for the dot.
        """
        return self.process(name, *options, module=module, **changed).start()

    def process(self, name: str, *options: str, module: str = "", **changed: str) -> ChildProcess:
        """A process that is not started yet; it ends with the installation at the latest."""
        ready = self.folder / f"{name}.ready"
        ready.unlink(missing_ok=True)
        command = [*COMMAND, WRITER if name.startswith(WRITER) else "worker"]
        argv = [sys.executable, "-m", module] if module else command
        self.processes[name] = ChildProcess(
            Command(
                name=name,
                argv=[*argv, "--ready-file", str(ready), *options],
                log=self.log(name),
                healthy=ready.exists,
                env=self.environment(name, **changed),
                cwd=ROOT,
                start_seconds=90,
                grace_seconds=20,
            )
        )
        return self.processes[name]

    def environment(self, name: str, **changed: str) -> dict[str, str]:
        """The variables that a process of this installation gets."""
        own = {"instance_id": name, "data_dir": str(self.folder / name)}
        told = {**self.values, **own, **{key.replace("__", "."): value for key, value in changed.items()}}
        return {variable(key): value for key, value in told.items()}

    def log(self, name: str) -> Path:
        """What a process says."""
        return self.folder / "logs" / f"{name}.log"

    def said(self, name: str) -> str:
        """What a process has said so far."""
        return self.log(name).read_text(encoding="utf-8", errors="replace")

    def pid(self, name: str) -> int:
        """The process id."""
        pid = self.processes[name].pid
        assert pid is not None
        return pid

    # --- asking it ----------------------------------------------------------------------------

    @cached_property
    def settings(self) -> Settings:
        """Settings of a process beside its own."""
        return load_settings({variable(name): value for name, value in self.values.items()})

    @property
    def topics(self) -> Topics:
        """Its topics' names."""
        return self.settings.topics

    @property
    def clickhouse(self) -> Any:
        """Where its audit is."""
        return self.settings.clickhouse

    @cached_property
    def transport(self) -> KafkaTransport:
        """A guard's way to it."""
        return compose_root.transport(self.settings)

    def guard(self, agent: str = "bot", policy: str | None = None, **details: Any) -> Guard:
        """A guard on it."""
        told: dict[str, Any] = {"tenant": TENANT, "deadline_ms": 40_000, **details}
        return Guard(self.transport, agent=agent, policy=policy, **told)

    def event(self, payload: Payload, *subjects: Identifier, **fields: Any) -> AgentEvent:
        """An event with made-up surroundings."""
        told: dict[str, Any] = {
            "event_id": uuid7(),
            "occurred_at": 1_700_000_000_000_000,
            "tenant_id": TENANT,
            "source": "urn:test",
            "agent_id": "bot",
            "session_id": uuid7(),
        }
        return AgentEvent(payload=payload, subjects=subjects, **(told | fields))

    def asked(self, event: AgentEvent) -> Verdict:
        """The verdict on an event."""
        return self.transport.submit(event).result(timeout=40)

    def pseudonym(self, someone: Identifier) -> str:
        """Whom an identifier points to."""
        return self.settings.pseudonymiser().of(TENANT, someone)

    # --- what it wrote ------------------------------------------------------------------------

    @cached_property
    def _client(self) -> Any:
        return connect(self.clickhouse)

    def ask(self, sql: str, **parameters: object) -> list[Row]:
        """Rows of the audit, as its owner sees them."""
        return list(self._client.query(sql, parameters=parameters).named_results())

    def ask_for(self, count: int, sql: str, **parameters: object) -> list[Row]:
        """Rows of the audit, once there are so many."""

        def found() -> list[Row]:
            rows = self.ask(sql, **parameters)
            return rows if len(rows) >= count else []

        return eventually(found, pause=0.05)

    def rows(self, event_id: str, *kinds: str) -> list[Row]:
        """The audit's rows about an event, once all of these kinds (by default: a verdict) are there."""
        wanted = set(kinds or ("verdict",))

        def found() -> list[Row]:
            rows = self.ask("SELECT * FROM audit WHERE event_id = {id:String}", id=event_id)
            return rows if {row["kind"] for row in rows} >= wanted else []

        return eventually(found, pause=0.05)

    def row(self, event_id: str) -> Row:
        """The audit's only row about an event."""
        (row,) = self.rows(event_id)
        return row

    @cached_property
    def _consumer(self) -> Consumer:
        return Consumer(
            {
                **self.settings.kafka.librdkafka(),
                "group.id": f"{uuid.uuid4()}",
                "enable.auto.commit": False,
                "fetch.wait.max.ms": 20,
                "fetch.queue.backoff.ms": 10,
            }
        )

    def records(self, *topics: str) -> list[Message]:
        """All that these topics hold now."""
        partitions = self._consumer.list_topics(timeout=10).topics
        places = [TopicPartition(topic, number, 0) for topic in topics for number in partitions[topic].partitions]
        left = {(place.topic, place.partition): self._consumer.get_watermark_offsets(place, 10)[1] for place in places}
        left = {place: end for place, end in left.items() if end}
        self._consumer.assign([TopicPartition(*place, 0) for place in left])
        found: list[Message] = []
        while left:
            for message in self._consumer.consume(1_000, 0.05):
                assert message.error() is None, message.error()
                place = (message.topic() or "", message.partition() or 0)
                if place not in left:
                    continue  # it has been written since
                found.append(message)
                if (message.offset() or 0) + 1 >= left[place]:
                    del left[place]
        self._consumer.unassign()
        return found

    def read(self, topic: str, expect: type[T]) -> list[T]:
        """All values of a topic."""
        return [decode(message.value() or b"", expect) for message in self.records(topic)]

    def every_topic(self) -> list[str]:
        """Its topics, the replies' and the changelogs among them."""
        names: list[str] = list(self._consumer.list_topics(timeout=10).topics)
        return sorted(name for name in names if name.startswith(self.topics.prefix))

    @contextlib.contextmanager
    def producing(self) -> Iterator[Producer]:
        """A producer of raw records; all are there at the end."""
        options = {**self.settings.kafka.librdkafka(), "partitioner": "murmur2_random"}
        producer = Producer(options)
        yield producer
        assert producer.flush(20) == 0

    def publish(self, *events: AgentEvent, timestamp: int = 0) -> None:
        """Puts events on the bus without waiting for verdicts."""
        people = self.settings.pseudonymiser()
        with self.producing() as producer:
            for event in events:
                who = event.principal
                key = people.of(TENANT, who) if who else people.of_session(TENANT, event.session_id)
                producer.produce(self.topics.events, encode(event), key, timestamp=timestamp)

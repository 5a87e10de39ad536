"""What workers do while nobody writes the audit: `audit_failure` of the settings says."""

import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from pathlib import Path

import pytest
from confluent_kafka import Consumer, TopicPartition

from lawful.client.kafka import KafkaTransport
from lawful.infra.audit_writer.log import group_id
from lawful.infra.engines.process import ChildProcess, Command
from lawful.infra.settings import Settings
from lawful.schemas.event import AgentEvent, Identifier, UserMessage
from lawful.schemas.ids import uuid7
from lawful.schemas.pseudonym import Pseudonymiser
from lawful.schemas.topics import Topics
from lawful.schemas.verdict import Decision, Verdict
from tests.cli.processes import COMMAND

KEY = "k" * 32
PATIENCE_MS = 500


@pytest.fixture
def begin(settings: Settings, topics: Topics, tmp_path: Path) -> Callable[[str], ChildProcess]:
    """Makes a worker with one of the two choices; no audit writer is there."""
    ready = tmp_path / "ready"

    def make(failure: str) -> ChildProcess:
        environment = {
            "LAWFUL_KAFKA_BOOTSTRAP": settings.kafka.bootstrap,
            "LAWFUL_TOPIC_PREFIX": topics.prefix,
            "LAWFUL_PSEUDONYM_KEY": KEY,
            "LAWFUL_DEFAULT_POLICY": "shopper",
            "LAWFUL_DATA_DIR": str(tmp_path),
            "LAWFUL_INSTANCE_ID": "worker-1",
            "LAWFUL_AUDIT_FAILURE": failure,
            "LAWFUL_AUDIT_PATIENCE_MS": str(PATIENCE_MS),
        }
        argv = [*COMMAND, "worker", "--ready-file", str(ready)]
        return ChildProcess(
            Command("worker", argv, tmp_path / "log", healthy=ready.exists, env=environment, start_seconds=90)
        )

    return make


@pytest.fixture
def transport(settings: Settings, topics: Topics) -> KafkaTransport:
    """A guard's way to the worker."""
    return KafkaTransport(settings.kafka.librdkafka(), Pseudonymiser(master=KEY.encode()), topics=topics)


def question() -> AgentEvent:
    """An event that may pass."""
    return AgentEvent(
        event_id=uuid7(),
        occurred_at=time.time_ns() // 1_000,
        tenant_id="acme",
        source="urn:test",
        agent_id="bot",
        session_id="s",
        subjects=(Identifier("customer_id", "ada_brown_1234"),),
        payload=UserMessage("Where is my order?"),
    )


def held(transport: KafkaTransport) -> "Future[Verdict]":
    """Asks until an answer is held back; gives what waits for it."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        waiting = transport.submit(question())
        try:
            waiting.result(timeout=2)
        except NotYet:
            return waiting
    raise AssertionError("verdicts go on although nobody writes the audit")


def write_down(settings: Settings, topics: Topics) -> None:
    """Commits what an audit writer would: everything is in ClickHouse."""
    consumer = Consumer({**settings.kafka.librdkafka(), "group.id": group_id(settings), "enable.auto.commit": False})
    places = [TopicPartition(topics.audit, number) for number in range(settings.partitions)]
    ends = [consumer.get_watermark_offsets(place)[1] for place in places]
    offsets = [TopicPartition(topics.audit, number, end) for number, end in enumerate(ends)]
    consumer.commit(offsets=offsets, asynchronous=False)
    consumer.close()


def test_reject_holds_verdicts_until_the_audit_is_written(
    begin: Callable[[str], ChildProcess], transport: KafkaTransport, settings: Settings, topics: Topics
) -> None:
    """While records wait for longer than the patience nothing is decided; then the held events are answered (A35)."""
    with begin("reject"):
        waiting = held(transport)
        write_down(settings, topics)
        assert waiting.result(timeout=20).decision is Decision.FORWARD
        transport.close()


def test_permit_goes_on(begin: Callable[[str], ChildProcess], transport: KafkaTransport, settings: Settings) -> None:
    """With `permit`, verdicts do not wait for the audit writer; its records do, in Kafka."""
    with begin("permit"):
        transport.submit(question()).result(timeout=20)
        patience = time.monotonic() + 4 * PATIENCE_MS / 1_000
        while time.monotonic() < patience:
            assert transport.submit(question()).result(timeout=20).decision is Decision.FORWARD
        transport.close()

"""The guard's Kafka transport with no worker behind it, and without a broker."""

import contextlib
import socket
import threading
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from aiokafka.partitioner import murmur2
from confluent_kafka import Consumer, Message, Producer, TopicPartition

from lawful.client import Guard
from lawful.client.blocked import local_block
from lawful.client.kafka import KafkaTransport
from lawful.client.spool import Spool
from lawful.infra.engines.traits import Broker
from lawful.infra.kafka_admin import create_topics
from lawful.infra.settings import KafkaSettings, Settings
from lawful.schemas.audit import AuditKind
from lawful.schemas.codec import decode, encode
from lawful.schemas.event import AgentEvent, UserMessage
from lawful.schemas.reply import reply_headers, reply_to
from lawful.schemas.topics import Topics
from lawful.schemas.verdict import Decision, Verdict
from lawful.schemas.view import ReplyTo
from tests.contracts.worlds import TopicRows, event_of
from tests.engines import eventually
from tests.streams.kit import ADA, PEOPLE, TENANT, make_event, pseudonym

pytestmark = pytest.mark.service
PARTITIONS = 3


@pytest.fixture
def topics(broker: Broker, prefix: str) -> Topics:
    """Topics of this test's own."""
    settings = Settings(kafka=KafkaSettings(bootstrap=broker.bootstrap), topic_prefix=prefix, partitions=PARTITIONS)
    create_topics(settings)
    return settings.topics


@contextlib.contextmanager
def transport_to(bootstrap: str, topics: Topics, spool: Path | None = None) -> Iterator[KafkaTransport]:
    """A transport that is closed in the end."""
    made = KafkaTransport(bootstrap, PEOPLE, topics=topics, spool=spool)
    try:
        yield made
    finally:
        made.close()


def hasty(transport: KafkaTransport, deadline_ms: int = 400) -> Guard:
    """A guard that does not wait long."""
    return Guard(transport, agent="a", tenant=TENANT, deadline_ms=deadline_ms)


Answerer = Callable[[AgentEvent], list[bytes]]


@contextlib.contextmanager
def worker(bootstrap: str, topics: Topics, answers: Answerer) -> Iterator[list[Message]]:
    """Something that answers events with these replies, and remembers the records."""
    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": topics.prefix, "enable.auto.commit": False})
    consumer.assign([TopicPartition(topics.events, number, 0) for number in range(PARTITIONS)])
    producer = Producer({"bootstrap.servers": bootstrap})
    seen: list[Message] = []
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            message = consumer.poll(0.05)
            if message is None or message.error() is not None:
                continue
            seen.append(message)
            reply = reply_to(message.headers(), topics.reply_prefix)
            assert reply is not None
            for value in answers(decode(message.value() or b"", AgentEvent)):
                producer.produce(reply.topic, value, partition=reply.partition or 0, headers=[*reply_headers(reply)])
            producer.flush(5)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield seen
    finally:
        stop.set()
        thread.join()
        consumer.close()


def verdict_on(event: AgentEvent, reason: str = "why") -> Verdict:
    """Any verdict on an event."""
    return local_block(event.event_id, event.tenant_id, reason, "because", 0)


def reason_of(verdict: Verdict) -> str:
    """Its only reason."""
    (violation,) = verdict.violations
    return violation.reason


def test_events_are_keyed_by_pseudonym_as_faust_partitions(broker: Broker, topics: Topics) -> None:
    """All that concerns a person is in the one partition where the workers look for it."""
    with (
        worker(broker.bootstrap, topics, lambda event: [encode(verdict_on(event))]) as seen,
        transport_to(broker.bootstrap, topics) as transport,
    ):
        for number in range(12):
            subjects = (ADA,) if number == 0 else ()
            event = make_event(UserMessage("x"), *subjects, event_id=str(uuid.uuid4()), session_id=f"s{number}")
            assert reason_of(hasty(transport, 10_000).check(event)) == "why"
        keys = [message.key() or b"" for message in seen]
        assert keys[0] == pseudonym(ADA).encode()
        assert keys[1] == PEOPLE.of_session(TENANT, "s1").encode()
        expected = [(murmur2(key) & 0x7FFFFFFF) % PARTITIONS for key in keys]
        assert [message.partition() for message in seen] == expected
        assert len(set(expected)) > 1


def test_copies_junk_and_foreign_verdicts_change_no_answer(broker: Broker, topics: Topics) -> None:
    """The first verdict on the event counts; a verdict on another one is credited to nobody."""

    def answers(event: AgentEvent) -> list[bytes]:
        other = make_event(UserMessage("x"), event_id=str(uuid.uuid4()))
        return [encode(verdict_on(other)), encode(verdict_on(event)), encode(verdict_on(event, "second")), b"junk"]

    with (
        worker(broker.bootstrap, topics, answers),
        transport_to(broker.bootstrap, topics) as transport,
    ):
        guard = hasty(transport, 10_000)
        assert [reason_of(guard.check(UserMessage("x"))) for _ in range(5)] == ["why"] * 5


def test_a_reply_that_cannot_be_read_is_a_block(broker: Broker, topics: Topics) -> None:
    """A23: bytes that are no verdict allow nothing."""
    with worker(broker.bootstrap, topics, lambda _: [b"junk"]), transport_to(broker.bootstrap, topics) as transport:
        assert reason_of(hasty(transport, 10_000).check(UserMessage("x"))) == "no_verdict"


def test_without_a_worker_the_guard_blocks_and_the_audit_knows(broker: Broker, topics: Topics) -> None:
    """A23: no worker: blocked, and the report is on the audit topic."""
    rows = TopicRows(broker.bootstrap, topics.audit)
    with transport_to(broker.bootstrap, topics) as transport:
        verdict = hasty(transport).check(UserMessage("x"))
        assert (verdict.decision, reason_of(verdict)) == (Decision.BLOCK, "no_verdict")
        found = eventually(lambda: [row for row in rows.read() if event_of(row) == verdict.event_id])
    rows.close()
    assert [row.kind for row in found] == [AuditKind.NO_VERDICT]


def test_without_a_broker_reports_wait_in_the_spool_for_the_next_process(
    broker: Broker, topics: Topics, tmp_path: Path
) -> None:
    """A23: no broker: blocked at once; the next process that reaches one sends the report."""
    spool = tmp_path / "reports"
    with transport_to(f"127.0.0.1:{_closed_port()}", topics, spool) as unreachable:
        verdict = hasty(unreachable).check(UserMessage("x"))
        assert reason_of(verdict) == "no_verdict"
    assert [report.event_id for report in Spool(spool).load()] == [verdict.event_id]
    rows = TopicRows(broker.bootstrap, topics.audit)
    with transport_to(broker.bootstrap, topics, spool) as transport:
        hasty(transport).check(UserMessage("y"))
        eventually(lambda: [row for row in rows.read() if event_of(row) == verdict.event_id])
    rows.close()
    assert not spool.exists()


def test_an_event_that_was_given_up_before_there_was_a_broker_is_not_sent_later(
    broker: Broker, topics: Topics, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the agent was refused does not reach the log afterwards."""
    up = threading.Event()
    find_place = KafkaTransport._find_place

    def when_up(self: KafkaTransport, consumer: Consumer) -> ReplyTo:
        if not up.is_set():
            raise TimeoutError
        return find_place(self, consumer)

    monkeypatch.setattr(KafkaTransport, "_find_place", when_up)
    with (
        worker(broker.bootstrap, topics, lambda event: [encode(verdict_on(event))]) as seen,
        transport_to(broker.bootstrap, topics) as transport,
    ):
        assert reason_of(hasty(transport, 50).check(UserMessage("refused"))) == "no_verdict"
        up.set()
        assert reason_of(hasty(transport, 10_000).check(UserMessage("asked again"))) == "why"
        payloads = [decode(message.value() or b"", AgentEvent).payload for message in seen]
    assert payloads == [UserMessage("asked again")]


def test_a_closed_transport_answers_nothing(broker: Broker, topics: Topics) -> None:
    """After closing, every check is a block, and no one waits for the deadline."""
    transport = KafkaTransport(broker.bootstrap, PEOPLE, topics=topics)
    waiting = transport.submit(make_event(UserMessage("x")))
    transport.close()
    assert "closed" in str(waiting.exception(0))
    assert reason_of(hasty(transport, 60_000).check(UserMessage("x"))) == "no_verdict"


def _closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])

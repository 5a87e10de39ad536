"""Events in, verdicts out, on a real broker: one worker process that these tests share."""

import contextlib
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import pytest
from confluent_kafka import Consumer, Message, TopicPartition

from lawful.infra.kafka_admin import admin, create_topic, create_topics
from lawful.infra.settings import KafkaSettings, Settings
from lawful.schemas.audit import AuditRecord, DeadLetter
from lawful.schemas.codec import decode
from lawful.schemas.event import AgentEvent, ConsentGiven, IdentityLinked, ToolCall, UserMessage
from lawful.schemas.reply import Headers, correlation_id, request_headers
from lawful.schemas.verdict import Decision, Outcome, Verdict
from lawful.schemas.view import ReplyTo
from tests.engines import EMBEDDED, Engines, eventually
from tests.services.workers import Bus, Worker, value_of
from tests.streams.kit import ADA, ADA_ID, BOB, make_event, reasons

MAIL = ToolCall("send_mail", "call", '{"body": "to ada@example.com"}')
LISTEN = "0A"


@dataclass
class Running:
    """A worker, and its topics."""

    bus: Bus
    worker: Worker

    def ask(self, event: AgentEvent, reply: ReplyTo | None = None) -> Verdict:
        """Publishes an event and waits for its verdict on the topic of all verdicts."""
        self.bus.publish(event, request_headers(reply) if reply else None)
        self.bus.flush()
        return eventually(lambda: self.verdicts(event.event_id))[0]

    def verdicts(self, event_id: str) -> list[Verdict]:
        """The verdicts on an event that are there."""
        return [each for each in self.bus.values(self.bus.topics.verdicts, Verdict) if each.event_id == event_id]

    def replies(self, correlation: bytes) -> list[Message]:
        """What was answered to a request."""
        answers = self.bus.messages(self.bus.topics.replies("guard"))
        return [each for each in answers if correlation_id(cast("Headers", each.headers())) == correlation]

    def letters(self, size: int) -> list[DeadLetter]:
        """Dead letters of records of this size."""
        letters = self.bus.values(self.bus.topics.dead_letters, DeadLetter)
        return [letter for letter in letters if letter.size == size]


@pytest.fixture(scope="module")
def running(engines: Engines, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One worker on two partitions."""
    bootstrap = engines.broker(EMBEDDED).bootstrap
    settings = Settings(
        kafka=KafkaSettings(bootstrap=bootstrap), topic_prefix=f"t{uuid.uuid4().hex[:12]}", partitions=2
    )
    create_topics(settings)
    create_topic(admin(settings.kafka), settings.topics.reply_topic("guard"), settings)
    worker = Worker(settings, tmp_path_factory.mktemp("worker") / "data").go()
    with contextlib.closing(Bus(settings)) as bus:
        yield Running(bus, worker)
    code, said = worker.stop()
    assert code == 0, said


def event(payload: object, *subjects: object, **fields: object) -> AgentEvent:
    """An event with an id of its own."""
    return replace(make_event(payload, *subjects, **fields), event_id=str(uuid.uuid4()))  # type: ignore[arg-type]


def test_an_event_gets_one_verdict_and_one_audit_record(running: Running) -> None:
    """Without a reply address the verdict is on the topic of all verdicts."""
    sent = event(UserMessage("hello"), ADA)
    assert running.ask(sent).decision is Decision.FORWARD
    audit = eventually(
        lambda: [
            each
            for each in running.bus.values(running.bus.topics.audit, AuditRecord)
            if each.view.event_id == sent.event_id
        ]
    )
    assert len(audit) == 1


def test_whoever_asks_is_answered_where_they_wait(running: Running) -> None:
    """The reply topic and partition are those of the request; the correlation id comes back."""
    topic = running.bus.topics.replies("guard")
    sent = event(UserMessage("hello"), ADA)
    verdict = running.ask(sent, ReplyTo(topic, 1, b"mine"))
    answers = eventually(lambda: running.replies(b"mine"))
    assert [(answer.partition(), decode(value_of(answer), Verdict)) for answer in answers] == [(1, verdict)]


def test_a_reply_topic_that_is_not_there_holds_nobody_up(running: Running) -> None:
    """The event is judged and audited; the next ones are answered."""
    missing = ReplyTo(running.bus.topics.replies("nobody"), 7, b"lost")
    assert running.ask(event(UserMessage("hello"), ADA), missing).decision is Decision.FORWARD
    assert running.ask(event(UserMessage("hello"), ADA)).decision is Decision.FORWARD


def test_unreadable_bytes_are_dead_lettered_once_and_the_stream_goes_on(running: Running) -> None:
    """A30: place, size and reason; a block for whoever waits; the next event is judged."""
    topic = running.bus.topics.replies("guard")
    bad = b"\x00\x01 not an event, ada@example.com"
    running.bus.put(running.bus.topics.events, b"k", bad, request_headers(ReplyTo(topic, 0, b"bad")))
    assert running.ask(event(UserMessage("hello"), ADA)).decision is Decision.FORWARD
    (letter,) = eventually(lambda: running.letters(len(bad)))
    assert (letter.topic, letter.reason, letter.answered) == (running.bus.topics.events, "undecodable", True)
    answers = eventually(lambda: running.replies(b"bad"))
    assert [decode(value_of(answer), Verdict).decision for answer in answers] == [Decision.BLOCK]


def test_a_record_without_a_value_is_dead_lettered(running: Running) -> None:
    """A tombstone is no event."""
    running.bus.put(running.bus.topics.events, b"k", None)
    running.bus.flush()
    assert eventually(lambda: running.letters(0))


def test_an_extractor_that_crashes_blocks_that_event_and_nothing_else(running: Running) -> None:
    """A21: the next event is judged."""
    assert running.ask(event(UserMessage("crash"), ADA)).decision is Decision.BLOCK
    assert running.ask(event(UserMessage("hello"), ADA)).decision is Decision.FORWARD


def test_an_event_about_two_people_gets_the_stricter_verdict(running: Running) -> None:
    """A14: one answer, decided on two places of the log."""
    running.ask(event(ConsentGiven(("marketing",)), ADA))
    verdict = running.ask(event(MAIL, ADA, BOB))
    assert verdict.decision is Decision.BLOCK
    assert len(verdict.decided_on) == 2
    assert "consent_missing" in reasons(verdict)


def test_once_linked_both_names_are_one_person(running: Running) -> None:
    """A13: consent under one identifier counts under the other after the link."""
    running.ask(event(ConsentGiven(("marketing",)), ADA))
    linked = running.ask(event(IdentityLinked((ADA_ID,)), ADA))
    assert linked.outcome is Outcome.LINKED
    assert running.ask(event(MAIL, ADA_ID)).decision is Decision.FORWARD


def test_a_producers_retry_gets_the_same_verdict_again(running: Running) -> None:
    """One effective verdict, byte for byte, although the record stands in the log twice."""
    sent = event(UserMessage("hello"), BOB)
    running.ask(sent)
    running.bus.publish(sent)
    running.bus.flush()

    def both() -> list[bytes]:
        found = [value_of(message) for message in running.bus.messages(running.bus.topics.verdicts)]
        mine = [raw for raw in found if decode(raw, Verdict).event_id == sent.event_id]
        return mine if len(mine) == 2 else []

    first, second = eventually(both)
    assert first == second


def test_what_is_done_is_committed(running: Running) -> None:
    """Lag can be measured by the group's commits."""
    running.ask(event(UserMessage("hello"), ADA))
    settings, topics = running.bus.settings, running.bus.topics
    group = Consumer({"bootstrap.servers": settings.kafka.bootstrap, "group.id": topics.app_id})
    places = [TopicPartition(topics.events, partition) for partition in range(settings.partitions)]

    def caught_up() -> bool:
        ends = [group.get_watermark_offsets(place, 10)[1] for place in places]
        return [max(place.offset, 0) for place in group.committed(places, 10)] == ends

    eventually(caught_up)
    group.close()


def test_a_worker_opens_no_port(running: Running) -> None:
    """A27: nobody can ask a worker for its tables."""
    running.ask(event(UserMessage("hello"), ADA))
    pid = running.worker.process.pid
    mine = {link.readlink().name for link in Path(f"/proc/{pid}/fd").iterdir() if link.is_symlink()}
    for table in ("tcp", "tcp6"):
        rows = [line.split() for line in Path(f"/proc/{pid}/net/{table}").read_text("ascii").splitlines()[1:]]
        listening = {f"socket:[{row[9]}]" for row in rows if row[3] == LISTEN}
        assert not listening & mine

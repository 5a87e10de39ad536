"""The gateway, from Kafka to Kafka: what arrives in each inbox, and that nothing is lost or doubled over kills."""

import contextlib
import itertools
import os
import threading
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Consumer, Message, Producer, TopicPartition

from lawful.infra import compose_root
from lawful.infra.engines.process import ChildProcess, Command
from lawful.infra.gateway.gateway import Counters
from lawful.infra.gateway.run import run
from lawful.infra.kafka_admin import create_topics
from lawful.infra.settings import Settings
from lawful.infra.settings_load import load_settings, variable
from lawful.policies.channels.model import Channel, Channels, Handling, Who
from lawful.policies.model import LegalBasis, PurposeRule, Treatment
from lawful.schemas.audit import AuditKind, DeadLetter
from lawful.schemas.codec import decode, encode
from lawful.schemas.event import AgentEvent, AgentMessage, Identifier, Recipient, RecipientKind
from lawful.schemas.ids import derived
from lawful.schemas.inboxes import inbox_of
from lawful.schemas.pseudonym import PSEUDONYM, Pseudonymiser
from lawful.schemas.verdict import Action, Decision, Verdict
from tests.cli.processes import COMMAND
from tests.contracts.worlds import TopicRows, worker_thread
from tests.engines import EMBEDDED, Engines, eventually
from tests.streams.kit import KERNEL, POLICY, OnePolicy, make_event

KEY = "the key of the gateway's tests"
PHONE = "+4930123456"
ADA = Identifier("email", "ada@example.com")
TEXT = f"Ada asked to be called back at {PHONE}."
KILLS = int(os.environ.get("LAWFUL_TEST_KILLS", "1"))  # `make chaos` makes it twenty
BURST = 40
TO_DOCTOR = [("recipients", b"agent:doctor")]
TO_BOTH = [("recipients", b"agent:doctor, agent:supervisor")]
MASKED = f"Ada asked to be called back at {'*' * len(PHONE)}."
CLINIC = replace(
    POLICY,
    purposes={"care": PurposeRule("care", LegalBasis.CONTRACT, frozenset({"user.contact"}))},
    tools={},
    message_purposes=("care",),
    channels=Channels(
        rules={
            "supervisors": Channel(
                "supervisors",
                to=Who(roles=frozenset({"supervisor"})),
                categories={"user.contact.phone_number": Handling(Decision.REDACT, Treatment(Action.MASK))},
            )
        },
        roles={"supervisor": ("supervisor",)},
    ),
)


@dataclass
class Post:
    """An installation with a worker, and gateways that a test starts and kills."""

    values: dict[str, str]
    folder: Path
    settings: Settings
    gateways: list[ChildProcess] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=itertools.count)

    def gateway(self, create_inboxes: str = "true") -> ChildProcess:
        """A gateway, as an operator starts it, reading."""
        ready = self.folder / f"ready-{len(self.gateways)}"
        told = {**self.values, "gateway.create_inboxes": create_inboxes}
        command = Command(
            name="gateway",
            argv=[*COMMAND, "gateway", "--ready-file", str(ready)],
            log=self.folder / "gateway.log",
            healthy=ready.exists,
            env={variable(name): value for name, value in told.items()},
            start_seconds=60,
        )
        self.gateways.append(ChildProcess(command))
        self.gateways[-1].start()
        return self.gateways[-1]

    @contextlib.contextmanager
    def passing_on(self, deadline_ms: int = 10_000) -> Iterator[None]:
        """A gateway on a thread of this process."""
        rules = replace(self.settings.gateway, deadline_ms=deadline_ms)
        settings, stop = replace(self.settings, gateway=rules), threading.Event()
        counters: list[Counters] = []
        thread = threading.Thread(
            target=lambda: counters.append(
                run(settings, compose_root.transport(settings), OnePolicy(CLINIC), stop=stop)
            )
        )
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join(30)
        assert counters

    def send(self, text: str = TEXT, headers: Any = TO_BOTH, **fields: Any) -> AgentEvent:
        """An agent writes an event to the outbox."""
        event = make_event(AgentMessage(text), ADA, number=next(self.numbers), agent_id="nurse", **fields)
        self.put(encode(event), headers)
        return event

    def put(self, value: bytes, headers: Any = None) -> None:
        """Anything is written to the outbox."""
        producer = Producer({"bootstrap.servers": self.settings.kafka.bootstrap})
        producer.produce(self.settings.topics.outbox, value, b"ward-7", headers=headers)
        assert producer.flush(10) == 0

    def inbox(self, recipient: str) -> list[Message]:
        """What has arrived for good, partition by partition."""
        return self.read(f"{self.settings.topics.inbox_prefix}acme.{recipient}")

    def read(self, topic: str) -> list[Message]:
        """All committed records of a topic."""
        options = {
            "bootstrap.servers": self.settings.kafka.bootstrap,
            "group.id": "reader",
            "isolation.level": "read_committed",
            "enable.partition.eof": True,
            "auto.offset.reset": "earliest",
        }
        with contextlib.closing(Consumer(options)) as consumer:
            found = consumer.list_topics(topic, 10).topics.get(topic)
            places = [TopicPartition(topic, number, 0) for number in (found.partitions if found else ())]
            consumer.assign(places)
            got: list[Message] = []
            ends = 0
            while ends < len(places):
                message = consumer.poll(5)
                assert message is not None
                if message.error() is None:
                    got.append(message)
                else:
                    ends += 1
            return got

    def arrived(self, recipient: str, count: int = 1) -> list[Message]:
        """What a recipient has got, once it is so much."""
        return eventually(lambda: got if len(got := self.inbox(recipient)) >= count else [], seconds=40)


@pytest.fixture
def post(engines: Engines, tmp_path: Path) -> Iterator[Post]:
    """A small installation whose worker knows a clinic's policy."""
    values = {
        "kafka.bootstrap": engines.broker(EMBEDDED).bootstrap,
        "topic_prefix": f"t{uuid.uuid4().hex[:12]}",
        "partitions": "2",
        "pseudonym_key": KEY,
        "instance_id": "gateway-1",
        "default_policy": "shopper",
    }
    settings = load_settings({variable(name): value for name, value in values.items()})
    topics, people = settings.topics, settings.pseudonymiser()
    doctor, supervisor, nurse = (Recipient(RecipientKind.AGENT, each) for each in ("doctor", "supervisor", "nurse"))
    inboxes = [topics.inbox_topic(inbox_of(topics, people, "acme", each)) for each in (doctor, supervisor, nurse)]
    create_topics(settings, [topics.outbox_topic(), topics.reply_topic("nurse"), *inboxes])
    kernel = replace(KERNEL, policies=OnePolicy(CLINIC), pseudonymiser=people)
    made = Post(values, tmp_path, settings)
    with worker_thread(settings.kafka.bootstrap, topics, kernel):
        yield made
        for gateway in made.gateways:
            gateway.stop()


def header(message: Message, name: str) -> str:
    """A header's text."""
    said: Any = message.headers() or []
    return next(bytes(value).decode() for key, value in said if key == name)


def event_in(message: Message) -> AgentEvent:
    """The event that an inbox holds."""
    return decode(bytes(message.value() or b""), AgentEvent)


def test_one_event_to_doctor_and_supervisor_arrives_as_each_may_have_it(post: Post) -> None:
    """Byte for byte: the number at the doctor's only, nobody's address; what is blocked or unreadable is told of.

    One installation for all of it: a failing extraction, an inbox that is not there, no address, no event, no verdict.
    """
    rows = TopicRows(post.settings.kafka.bootstrap, post.settings.topics.audit)
    with post.passing_on():
        sent = post.send(session_id="ward", attributes=(("note", "ada@example.com"),))
        (doctors,), (supervisors,) = post.arrived("agent.doctor"), post.arrived("agent.supervisor")
        is_as_each_may_have_it(sent, doctors, supervisors)
        what_is_refused_is_told_of(post)
    with post.passing_on(deadline_ms=1):
        without_a_verdict_nothing_arrives(post)
    told = {AuditKind.VERDICT, AuditKind.GUARD_BLOCK, AuditKind.NO_VERDICT}
    eventually(lambda: {row.kind for row in rows.read()} >= told)
    rows.close()


def is_as_each_may_have_it(sent: AgentEvent, doctors: Message, supervisors: Message) -> None:
    """What arrived is exactly the event with its recipient, by pseudonym, and redacted as decided."""
    people = Pseudonymiser(master=KEY.encode())
    common = replace(sent, subjects=(Identifier(PSEUDONYM, people.of("acme", ADA)),), attributes=())
    for message, name, text in (
        (doctors, "doctor", TEXT),
        (supervisors, "supervisor", MASKED),
    ):
        event_id = derived(sent.event_id, "agent", name, "")
        to, payload = Recipient(RecipientKind.AGENT, name), AgentMessage(text)
        assert message.value() == encode(replace(common, event_id=event_id, recipient=to, payload=payload))
        assert header(message, "event_id") == event_id
        assert ADA.value.encode() not in bytes(message.value() or b"")
    assert [header(each, "decision") for each in (doctors, supervisors)] == ["forward", "redact"]


def what_is_refused_is_told_of(post: Post) -> None:
    """Each gets a notice at its sender's or a dead letter; nothing arrives, and what comes next does."""
    blocked = post.send("crash", TO_DOCTOR)
    (notice,) = post.arrived("agent.nurse")
    assert decode(bytes(notice.value() or b""), Verdict).decision is Decision.BLOCK
    assert (header(notice, "record"), header(notice, "event_id")) == (
        "Verdict",
        derived(blocked.event_id, "agent", "doctor", ""),
    )
    assert header(notice, "inbox").endswith(".inbox.acme.agent.doctor")
    post.send(headers=[("recipients", b"agent:nobody-yet")])
    post.send(headers=None)
    post.send(headers=[("recipients", b"to whom it may concern")])
    post.put(b"no event at all")
    post.send("the next one", TO_DOCTOR)
    arrived = {event_in(each).payload for each in post.arrived("agent.doctor", 2)}
    assert arrived == {AgentMessage(TEXT), AgentMessage("the next one")}
    notices = [decode(bytes(each.value() or b""), Verdict) for each in post.arrived("agent.nurse", 4)]
    assert sorted(each.violations[0].reason for each in notices) == [
        "extraction_failed",
        "no_inbox",
        "no_recipient",
        "no_recipient",
    ]
    letters = [decode(bytes(each.value() or b""), DeadLetter) for each in post.read(post.settings.topics.dead_letters)]
    reasons = sorted(each.reason for each in letters if each.topic == post.settings.topics.outbox)
    assert reasons == ["unaddressed", "undecodable"]


def without_a_verdict_nothing_arrives(post: Post) -> None:
    """The deadline passes: the sender is told by its reply topic."""
    reply = post.settings.topics.replies("nurse")
    post.send("too late", [*TO_DOCTOR, ("reply_topic", reply.encode()), ("correlation_id", b"c-1")])
    (told,) = eventually(lambda: post.read(reply))
    assert decode(bytes(told.value() or b""), Verdict).violations[0].reason == "no_verdict"
    assert header(told, "correlation_id") == "c-1"
    assert len(post.inbox("agent.doctor")) == 2


def test_gateways_that_are_killed_lose_nothing_and_double_nothing(post: Post) -> None:
    """Killed with -9 in mid-stream: each event is in each inbox once, in the order of the outbox."""
    sent: list[AgentEvent] = []

    def burst(count: int) -> None:
        for _ in range(count):
            sent.append(post.send(f"{len(sent)}: call {PHONE}"))

    burst(BURST)
    for _ in range(KILLS):
        gateway = post.gateway()
        eventually(lambda: len(post.inbox("agent.doctor")) > len(sent) - BURST)
        burst(BURST)
        gateway.kill()
    with post.passing_on():
        for recipient in ("doctor", "supervisor"):
            ids = [event_in(each).event_id for each in post.arrived(f"agent.{recipient}", len(sent))]
            assert ids == [derived(each.event_id, "agent", recipient, "") for each in sent]
    payloads = [event_in(each).payload for each in post.inbox("agent.supervisor")]
    assert payloads == [AgentMessage(f"{number}: call {'*' * len(PHONE)}") for number in range(len(sent))]

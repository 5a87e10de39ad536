"""The gateway without Kafka: who gets what, in which order, and what happens when something does not work."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest

from lawful.client.settle import Settler
from lawful.infra.audit_writer.limit import Limit
from lawful.infra.gateway.addresses import MOST, recipients_of, written
from lawful.infra.gateway.desk import Desk
from lawful.infra.gateway.envelope import enveloped
from lawful.infra.gateway.fanout import legs_of
from lawful.infra.gateway.gateway import Gateway
from lawful.infra.gateway.ports import Place, Undeliverable
from lawful.infra.settings import DeadLetterSettings
from lawful.schemas.audit import DeadLetter
from lawful.schemas.codec import PROCESS, decode, encode
from lawful.schemas.errors import ConfigurationError, InvalidRecord, RetryLater
from lawful.schemas.event import AgentEvent, AgentMessage, ConsentGiven, Identifier, Recipient, RecipientKind, ToolCall
from lawful.schemas.pseudonym import PSEUDONYM
from lawful.schemas.topics import Topics
from lawful.schemas.verdict import Decision, Outcome, Verdict
from lawful.streams.effects import Record, Send
from lawful.streams.inprocess import InProcessTransport
from tests.engines import eventually
from tests.streams.kit import ADA, PEOPLE, POLICY, OnePolicy, PlainExtractor, make_event, pseudonym

TOPICS = Topics("shop")
DOCTOR, NURSE = Recipient(RecipientKind.AGENT, "doctor"), Recipient(RecipientKind.AGENT, "nurse")
TEXT = "reach her under +4912345678"
MASKED = "reach her under [user.contact.phone_number]"


class Outbox:
    """Records in memory."""

    def __init__(self, *values: bytes, headers: Mapping[str, bytes] | None = None) -> None:
        said = tuple((headers or {}).items())
        self.records = [Record("shop.outbox", 0, at, 7_000, b"k", value, said) for at, value in enumerate(values)]
        self.lost: frozenset[Place] = frozenset()

    def take(self, most: int, seconds: float) -> Sequence[Record]:
        """The next ones."""
        taken, self.records = self.records[:most], self.records[most:]
        return taken

    def gone(self) -> frozenset[Place]:
        """What the test has taken away."""
        lost, self.lost = self.lost, frozenset()
        return lost

    def lags(self) -> Mapping[Place, int]:
        """What waits."""
        return {("shop.outbox", 0): len(self.records)}

    def close(self) -> None:
        """Nothing to do."""


@dataclass
class Inboxes:
    """What was written, and how far the outbox is done; fails as often as it is told to."""

    refuses: frozenset[str] = frozenset()
    away: int = 0
    sends: list[Send] = field(default_factory=list)
    done: dict[Place, int] = field(default_factory=dict)

    def deliver(self, sends: Sequence[Send], done: Mapping[Place, int]) -> None:
        """All or nothing."""
        if self.away:
            self.away -= 1
            raise RetryLater("not now")
        bad = frozenset(send for send in sends if send.topic in self.refuses)
        if bad:
            raise Undeliverable(bad)
        self.sends += sends
        self.done |= done

    def close(self) -> None:
        """Nothing to do."""

    def events(self, inbox: str) -> list[AgentEvent]:
        """What has arrived."""
        return [decode(send.value, AgentEvent) for send in self.sends if send.topic == inbox]

    def verdicts(self, topic: str) -> list[Verdict]:
        """Notices."""
        return [decode(send.value, Verdict) for send in self.sends if send.topic == topic]


@dataclass
class Everywhere:
    """Topics that are there: all but those named."""

    but: frozenset[str] = frozenset()

    def has(self, topic: str, partition: int | None = None, /) -> bool:
        """Whether it is there, with two partitions."""
        return topic not in self.but and (partition or 0) < 2

    def has_inbox(self, topic: str, /) -> bool:
        """Whether it is there."""
        return topic not in self.but


class Silent(InProcessTransport):
    """Never answers."""

    def submit(self, event: AgentEvent) -> Any:
        """A future that nobody fulfils."""
        from concurrent.futures import Future  # noqa: PLC0415 - only here

        return Future()


_MADE: list[InProcessTransport] = []


@pytest.fixture(autouse=True)
def _closing() -> Iterator[None]:
    """Ends the threads of a test's transports."""
    yield
    while _MADE:
        _MADE.pop().close()


def transport(kind: type[InProcessTransport] = InProcessTransport) -> InProcessTransport:
    """The kernel in this process."""
    _MADE.append(kind(OnePolicy(), PlainExtractor(), PEOPLE))
    return _MADE[-1]


def gateway(outbox: Outbox, inboxes: Inboxes, way: InProcessTransport | None = None, **changed: Any) -> Gateway:
    """A gateway whose clock stands still, unless it is given another."""
    way = way or transport()
    values: dict[str, Any] = {
        "transport": way,
        "settler": Settler(way, lambda: 9_000),
        "people": PEOPLE,
        "topics": TOPICS,
        "reply_prefix": "shop.replies.",
        "deadline_ms": 5_000,
        "directory": Everywhere(),
        "schema_of": lambda _: None,
        "clock": lambda: 0.0,
        "codec": PROCESS,
    }
    desk = Desk(**(values | changed))
    return Gateway(outbox, inboxes, desk, Limit(DeadLetterSettings()), most=10, clock=desk.clock)


def message(text: str = TEXT, number: int = 0, recipient: Recipient | None = DOCTOR, **fields: Any) -> AgentEvent:
    """What the nurse tells."""
    return make_event(AgentMessage(text), ADA, number=number, agent_id="nurse", recipient=recipient, **fields)


def run(outbox: Outbox, inboxes: Inboxes, **changed: Any) -> Gateway:
    """Turns the loop until the outbox is done."""
    made = gateway(outbox, inboxes, **changed)
    wanted = len(outbox.records)

    def is_done() -> bool:
        made.step()
        return made.counters.records == wanted

    eventually(is_done)
    return made


def test_an_event_goes_where_it_says_under_its_own_id_and_redacted() -> None:
    """The payload as a guard would deliver it, whom it is about by pseudonym, and no attribute nobody judged."""
    event, inboxes = (
        message(attributes=(("note", "ada@example.com"), ("lawful.x", "y")), task_id="for +4912345678"),
        Inboxes(),
    )
    run(Outbox(encode(event)), inboxes)
    (arrived,) = inboxes.events("shop.inbox.acme.agent.doctor")
    assert arrived.payload == AgentMessage(MASKED)
    assert (arrived.event_id, arrived.recipient) == (event.event_id, DOCTOR)
    assert arrived.subjects == (Identifier(PSEUDONYM, pseudonym(ADA)),)
    assert (arrived.attributes, arrived.task_id) == ((("lawful.x", "y"),), "withheld")
    assert inboxes.done == {("shop.outbox", 0): 1}


def test_what_needs_no_change_arrives_as_it_was_but_for_the_envelope() -> None:
    """The bytes are those of the event with its subjects' pseudonyms."""
    event, inboxes = message("all is well"), Inboxes()
    run(Outbox(encode(event)), inboxes)
    assert inboxes.sends[0].value == encode(enveloped(event, event.payload, PEOPLE))


def test_several_recipients_get_an_event_each_and_the_same_ones_again() -> None:
    """Ids are made of the event and the recipient, so a record that is read again makes no further events."""
    event, headers = message(recipient=None), {"recipients": b"agent:doctor,agent:doctor, tool:crm"}
    first, again = Inboxes(), Inboxes()
    run(Outbox(encode(event), headers=headers), first)
    run(Outbox(encode(event), headers=headers), again)
    assert first.sends == again.sends
    assert [send.topic for send in first.sends] == ["shop.inbox.acme.agent.doctor", "shop.inbox.acme.tool.crm"]
    assert len({dict(send.headers)["event_id"] for send in first.sends}) == 2


def test_a_blocked_event_arrives_nowhere_and_its_sender_is_told() -> None:
    """In its own inbox, or by the reply topic that its record names, where every verdict is told."""
    own, asked = Inboxes(), Inboxes()
    run(Outbox(encode(message("crash"))), own)
    assert [each.decision for each in own.verdicts("shop.inbox.acme.agent.nurse")] == [Decision.BLOCK]
    assert len(own.sends) == 1
    headers = {"reply_topic": b"shop.replies.n", "correlation_id": b"7"}
    run(Outbox(encode(message("crash")), encode(message("fine", 1)), headers=headers), asked)
    decisions = [each.decision for each in asked.verdicts("shop.replies.n")]
    assert decisions == [Decision.BLOCK, Decision.FORWARD]
    assert len(asked.events("shop.inbox.acme.agent.doctor")) == 1


def test_a_consent_needs_no_recipient_and_its_outcome_is_told() -> None:
    """It is recorded; nothing is delivered."""
    event, inboxes = make_event(ConsentGiven(("marketing",)), ADA, agent_id="nurse"), Inboxes()
    run(Outbox(encode(event)), inboxes)
    assert [each.outcome for each in inboxes.verdicts("shop.inbox.acme.agent.nurse")] == [Outcome.RECORDED]


@pytest.mark.parametrize(
    ("recipient", "but", "reason"),
    [
        (None, frozenset(), "no_recipient"),
        (DOCTOR, frozenset({"shop.inbox.acme.agent.doctor"}), "no_inbox"),
    ],
)
def test_what_can_go_nowhere_is_refused(recipient: Recipient | None, but: frozenset[str], reason: str) -> None:
    """Nobody is asked about it."""
    inboxes = Inboxes()
    run(Outbox(encode(message(recipient=recipient))), inboxes, directory=Everywhere(but))
    (notice,) = inboxes.verdicts("shop.inbox.acme.agent.nurse")
    assert (notice.decision, notice.violations[0].reason) == (Decision.BLOCK, reason)


def test_no_verdict_by_the_deadline_is_a_block_and_later_records_wait_for_it() -> None:
    """What stands behind it in its partition leaves after it; the position moves over both at once."""
    inboxes, time = Inboxes(), [0.0]
    made = gateway(Outbox(encode(message()), b"no event"), inboxes, transport(Silent), clock=lambda: time[0])
    for time[0] in (0.0, 4.9):
        made.step()
        assert not inboxes.sends
    assert made.counters.waiting == 2
    time[0] = 5.0
    made.step()
    assert [each.violations[0].reason for each in inboxes.verdicts("shop.inbox.acme.agent.nurse")] == ["no_verdict"]
    assert [send.topic for send in inboxes.sends] == ["shop.inbox.acme.agent.nurse", "shop.dead-letters"]
    assert (inboxes.done, made.counters.unreadable) == ({("shop.outbox", 0): 2}, 1)


def test_an_event_may_ask_for_less_time_and_not_for_more() -> None:
    """An agent must not be able to hold a partition up."""
    events = (message(deadline_ms=3_600_000), message(number=1, deadline_ms=100))
    for event, at in zip(events, (5.0, 0.1), strict=True):
        inboxes, time = Inboxes(), [0.0]
        made = gateway(Outbox(encode(event)), inboxes, transport(Silent), clock=lambda now=time: now[0])
        made.step()
        assert not inboxes.sends
        time[0] = at
        made.step()
        assert len(inboxes.verdicts("shop.inbox.acme.agent.nurse")) == 1


def test_a_delivery_that_fails_is_made_again_as_it_was() -> None:
    """The same records, and nobody is asked twice."""
    inboxes, ticks = Inboxes(away=2), count()
    made = run(Outbox(b"no event"), inboxes, clock=lambda: float(next(ticks)))
    assert len(inboxes.sends) == 1
    assert (made.counters.retries, made.counters.records) == (2, 1)


def test_what_a_topic_never_takes_becomes_a_dead_letter() -> None:
    """A notice that is not taken is left out; the outbox goes on in both cases."""
    inbox = "shop.inbox.acme.agent.doctor"
    inboxes = Inboxes(refuses=frozenset({inbox}))
    made = run(Outbox(encode(message()), encode(message("crash", 1))), inboxes)
    letters = [decode(send.value, DeadLetter).reason for send in inboxes.sends if send.topic == "shop.dead-letters"]
    assert (letters, made.counters.records) == (["undeliverable"], 2)


def test_partitions_that_are_taken_away_are_let_go() -> None:
    """What was begun of them is begun anew by whoever has them."""
    outbox, inboxes = Outbox(encode(message())), Inboxes()
    made = gateway(outbox, inboxes, transport(Silent))
    made.step()
    outbox.lost = frozenset({("shop.outbox", 0)})
    made.step()
    assert not inboxes.sends
    assert made.counters.waiting == 0


def test_a_call_is_held_against_its_tools_schema() -> None:
    """One that redaction would break does not arrive."""
    call = make_event(ToolCall("find_order", "c", '{"phone":"+4912345678"}'), ADA, agent_id="nurse", recipient=DOCTOR)
    schema = {"properties": {"phone": {"pattern": "^[+]"}}}
    strict, lax = Inboxes(), Inboxes()
    run(Outbox(encode(call)), strict, schema_of=lambda _: schema)
    run(Outbox(encode(call)), lax)
    assert [send.topic for send in strict.sends] == ["shop.inbox.acme.agent.nurse"]
    assert [send.topic for send in lax.sends] == ["shop.inbox.acme.agent.doctor"]


def test_what_grows_too_large_by_redaction_is_blocked() -> None:
    """It could not be written to an inbox."""
    event, inboxes = message("+123456 " * 20), Inboxes()
    run(Outbox(encode(event)), inboxes, max_bytes=len(encode(event)) + 100)
    assert [each.violations[0].reason for each in inboxes.verdicts("shop.inbox.acme.agent.nurse")] == ["too_large"]


def test_recipients_are_written_in_words_or_as_json() -> None:
    """Both say the same."""
    event = message(recipient=NURSE)
    listed = b'[{"kind": "agent", "id": "doctor"}, {"kind": "third_party", "id": "lab: B", "region": "US"}]'
    assert recipients_of(event, (("recipients", listed),)) == (
        DOCTOR,
        Recipient(RecipientKind.THIRD_PARTY, "lab: B", "US"),
    )
    assert recipients_of(event, (("recipients", b"agent:doctor"),)) == (DOCTOR,)
    assert recipients_of(event, ()) == (NURSE,)
    assert legs_of(event, [NURSE]) == (event,)


@pytest.mark.parametrize(
    "said",
    [b"", b"doctor", b"king:ada", b"[1]", b"[{}]", b'[{"kind":"agent","id":7}]', b"\xff", b"agent:", b"[" * 9_999],
)
def test_recipients_that_cannot_be_read_are_refused(said: bytes) -> None:
    """The message says how to write them, and quotes nothing."""
    with pytest.raises(InvalidRecord) as refused:
        recipients_of(message(), (("recipients", said),))
    assert "ada" not in str(refused.value)


def test_recipients_are_few() -> None:
    """One record must not become thousands of events."""
    many = ",".join(f"agent:a{number}" for number in range(MOST + 1)).encode()
    with pytest.raises(InvalidRecord, match=f"more than {MOST}"):
        recipients_of(message(), (("recipients", many),))


def test_the_command_line_says_how_recipients_are_written() -> None:
    """With the kinds that there are."""
    with pytest.raises(ConfigurationError, match="KIND:ID"):
        written("doctor")


def test_the_policy_of_these_tests_lets_messages_have_addresses_only() -> None:
    """So a phone number is what is taken out."""
    assert POLICY.purposes["order"].necessary == {"user.contact.email"}

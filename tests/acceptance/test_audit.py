"""The audit: complete, each event once, and without anybody in it, also while engines fail."""

import base64
import itertools
import json
import random
import time
import urllib.parse
from collections.abc import Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from lawful.infra.engines.clickhouse import EmbeddedClickHouse
from lawful.schemas.event import (
    AgentEvent,
    AgentMessage,
    AssistantMessage,
    ConsentGiven,
    ConsentWithdrawn,
    DataSubjectRequest,
    Identifier,
    IdentityLinked,
    MemoryRead,
    MemoryWrite,
    Payload,
    Recipient,
    RecipientKind,
    RequestKind,
    ToolCall,
    ToolResult,
    UserMessage,
)
from lawful.schemas.verdict import Decision, Verdict
from tests.acceptance.house import House, values
from tests.engines import Engines, eventually
from tests.services.cutting_proxy import CuttingProxy

SMALL = "tests.acceptance.small_main"
COUNTED = "SELECT count() AS n, uniqExact(event_id) AS u FROM audit"


@pytest.fixture
def alone(broker_kind: str, engines: Engines, own_clickhouse: EmbeddedClickHouse, tmp_path: Path) -> Iterator[House]:
    """An installation whose ClickHouse may be killed."""
    with House(values(engines.broker(broker_kind), own_clickhouse), tmp_path) as made:
        yield made


def hello(house: House) -> "Future[Verdict]":
    """Asks about an event that may pass."""
    return house.transport.submit(house.event(UserMessage("hello")))


def test_while_clickhouse_is_away_verdicts_go_on_and_nothing_is_lost(
    alone: House, own_clickhouse: EmbeddedClickHouse
) -> None:
    """A35: under `permit` verdicts go on without ClickHouse, and once it is back every event has its one row."""
    alone.start("worker-1", "audit-writer", module=SMALL)
    assert hello(alone).result(timeout=40).decision is Decision.FORWARD
    alone.ask_for(1, "SELECT 1 FROM audit")
    own_clickhouse.kill()
    waiting = [hello(alone) for _ in range(150)]
    assert {each.result(timeout=40).decision for each in waiting} == {Decision.FORWARD}
    eventually(lambda: "ClickHouse" in alone.said("audit-writer"))
    own_clickhouse.restart()
    eventually(lambda: alone.ask(COUNTED) == [{"n": 151, "u": 151}], pause=0.1)
    alone.processes["audit-writer"].stop()
    assert alone.ask(COUNTED) == [{"n": 151, "u": 151}]


def test_under_reject_no_verdict_comes_that_the_audit_cannot_have(
    alone: House, own_clickhouse: EmbeddedClickHouse
) -> None:
    """A35: under `reject` verdicts are held while ClickHouse is away, and come, each with its row, once it is back."""
    alone.start("worker-1", "audit-writer", module=SMALL, audit__failure="reject", audit__patience_ms="500")
    hello(alone).result(timeout=40)
    alone.ask_for(1, "SELECT 1 FROM audit")
    own_clickhouse.kill()
    held, before = hold(alone)
    own_clickhouse.restart()
    assert held.result(timeout=40).decision is Decision.FORWARD
    number = before + 2  # with the first one, and the one that was held
    eventually(lambda: alone.ask(COUNTED) == [{"n": number, "u": number}], pause=0.1)


def hold(house: House) -> "tuple[Future[Verdict], int]":
    """Asks until an answer is held; gives what waits for it, and how many were answered before."""
    deadline = time.monotonic() + 40
    for answered in itertools.count():
        waiting = hello(house)
        try:
            waiting.result(timeout=1.5)
        except NotYet:
            return waiting, answered
        assert time.monotonic() < deadline, "verdicts go on although nobody can write the audit"
    raise AssertionError


def test_an_insert_whose_answer_got_lost_leaves_one_row_per_event(bare: House) -> None:
    """A37: inserts that were carried out but whose answers never came are retried, and every event has one row."""
    port = bare.settings.clickhouse.port
    with CuttingProxy(port, b"insert_deduplication_token") as proxy:
        proxy.cuts_left = 3
        bare.start("worker-1", "audit-writer", module=SMALL, clickhouse__port=str(proxy.port))
        waiting = [hello(bare) for _ in range(200)]
        ids = {each.result(timeout=40).event_id for each in waiting}
        eventually(lambda: bare.ask(COUNTED) == [{"n": len(ids), "u": len(ids)}], pause=0.1)
        assert proxy.cuts == 3
        bare.processes["audit-writer"].stop()
    assert bare.ask(COUNTED) == [{"n": 200, "u": 200}]


@dataclass(frozen=True)
class Zoe:
    """Everything by which one person could be known; no other test's person shares any of it."""

    mail: str
    phone: str
    number: str
    name: str

    @property
    def texts(self) -> tuple[str, ...]:
        """What must not be found."""
        return (self.mail, self.phone, self.number, self.name)

    @property
    def identifiers(self) -> tuple[Identifier, ...]:
        """As a session declares them."""
        return tuple(map(Identifier, ("email", "phone", "customer_id", "name"), self.texts))

    @property
    def all(self) -> str:
        """All of it in one string."""
        return " / ".join(self.texts)


@pytest.fixture
def zoe() -> Zoe:
    """Somebody new."""
    draw = random.Random()
    digits = f"{draw.randrange(10**4):04}"
    word = "".join(draw.choices("bdfgklmnprst", k=6))
    return Zoe(f"zoe.{word}@mail-{word}.org", f"+44207183{digits}", f"zoe_{word}_{digits}", f"Zoe {word.title()}berg")


def payloads(zoe: Zoe) -> list[Payload]:
    """Zoe in every place of every kind of payload."""
    document = json.dumps({zoe.mail: {"k": [zoe.all, {zoe.number: 1}]}, "phone": zoe.phone})
    everyone = zoe.identifiers[1:]
    return [
        UserMessage(zoe.all),
        AssistantMessage(zoe.all),
        AgentMessage(document),
        ToolCall(f"mail {zoe.mail}", f"call {zoe.phone}", document),
        ToolCall("send_marketing_email", zoe.mail, json.dumps({"to": zoe.mail, "body": zoe.all})),
        ToolResult(zoe.number, zoe.mail, document),
        MemoryWrite(f"about {zoe.mail}", zoe.all),
        MemoryRead(zoe.number, document),
        ConsentGiven((f"marketing.{zoe.mail}", zoe.mail, "marketing"), (zoe.mail,), None, everyone, f"see {zoe.mail}"),
        ConsentWithdrawn((zoe.mail,), everyone),
        IdentityLinked(everyone),
        DataSubjectRequest(RequestKind.ACCESS, f"request of {zoe.mail}", everyone),
        DataSubjectRequest(RequestKind.ERASURE, zoe.number, everyone),
        UserMessage(zoe.all),
    ]


def weird(event: AgentEvent, zoe: Zoe, kind: RecipientKind) -> AgentEvent:
    """The same event with Zoe in every string around the payload."""
    return replace(
        event,
        event_id=f"{event.event_id} {zoe.mail}",
        source=f"mailto:{zoe.mail}",
        agent_id=f"agent of {zoe.number}",
        session_id=f"chat with {zoe.mail}",
        agent_version=zoe.phone,
        task_id=f"call {zoe.phone}",
        causation_id=zoe.mail,
        traceparent=zoe.mail,
        recipient=Recipient(kind, zoe.name if kind is RecipientKind.USER else zoe.mail, zoe.mail),
        purposes=(zoe.mail, f"help.{zoe.number}"),
        attributes=((zoe.mail, zoe.phone),),
    )


def test_nobody_can_be_read_anywhere_but_in_the_events(
    house: House, zoe: Zoe, caplog: pytest.LogCaptureFixture
) -> None:
    """A36: no raw identifier of a session is in any other topic, in state, logs, audit rows, verdicts or reports."""
    kinds = itertools.cycle(RecipientKind)
    normal = [house.event(payload, *zoe.identifiers) for payload in payloads(zoe)]
    nobodys = [house.event(payload) for payload in payloads(zoe)[:8]]
    events = [*normal, *nobodys, *(weird(event, zoe, next(kinds)) for event in (*normal, *nobodys))]
    events += [replace(house.event(UserMessage("hello"), *zoe.identifiers), policy_id=zoe.mail)]
    verdicts = [each.result(timeout=60) for each in [house.transport.submit(event) for event in events]]
    hasty = house.guard(deadline_ms=0)
    given_up = hasty.check(weird(house.event(UserMessage("hello"), *zoe.identifiers), zoe, next(kinds)))
    with house.producing() as producer:
        producer.produce(house.topics.events, f"no event: {zoe.all}".encode(), partition=0)
    house.row(house.asked(house.event(UserMessage("hello"))).event_id)
    ids = sorted({verdict.event_id for verdict in verdicts})
    house.ask_for(len(ids), "SELECT 1 FROM audit WHERE kind = 'verdict' AND event_id IN {ids:Array(String)}", ids=ids)
    house.ask_for(1, "SELECT 1 FROM audit WHERE kind = 'late_verdict' AND agent_id = 'withheld'")
    places = {
        "verdicts": repr(verdicts).encode(),
        "the guard's own verdict": repr(given_up).encode(),
        "the guard's log": caplog.text.encode(),
        "audit": repr(house.ask("SELECT * FROM audit")).encode(),
        "dead_letters": repr(house.ask("SELECT * FROM dead_letters")).encode(),
    }
    for record in house.records(*(topic for topic in house.every_topic() if topic != house.topics.events)):
        whole = b"\n".join([bytes(record.key() or b""), record.value() or b"", repr(record.headers()).encode()])
        name = record.topic() or ""
        places[name] = places.get(name, b"") + whole
    places |= {str(path): path.read_bytes() for path in house.folder.rglob("*") if path.is_file()}
    assert len([name for name in places if name.endswith(".log")]) >= 3
    assert {name for name, stored in places.items() if any(form in stored.lower() for form in forms(zoe))} == set()
    written = b"".join(record.value() or b"" for record in house.records(house.topics.events)).lower()
    assert any(form in written for form in forms(zoe)), "the search finds what is there"


def forms(zoe: Zoe) -> set[bytes]:
    """How an identifier may be written, in lower case."""
    plain = {*zoe.texts, zoe.phone.lstrip("+"), *(text.replace(" ", "") for text in zoe.texts)}
    quoted = {urllib.parse.quote(text) for text in plain}
    encoded = {base64.b64encode(text.encode()).decode().rstrip("=")[:-1] for text in zoe.texts}
    return {text.lower().encode() for text in plain | quoted | encoded}

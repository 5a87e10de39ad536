"""What a guard promises, on every transport: in one process, and over Kafka with real workers."""

import asyncio
import threading
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from lawful.client import AsyncGuard, Blocked, Guard, Tool, ToolFailed
from lawful.schemas.audit import AuditKind, AuditRecord
from lawful.schemas.event import Identifier, Recipient, RecipientKind, UserMessage
from lawful.schemas.verdict import Decision, Outcome
from tests.contracts.worlds import World, in_process, on_kafka
from tests.engines import EMBEDDED, KAFKA, Engines
from tests.streams.kit import TENANT, make_event

PHONE = "+441234567"
HIDDEN = "[user.contact.phone_number]"


@pytest.fixture(
    scope="module",
    params=[
        "in process",
        pytest.param(EMBEDDED, marks=pytest.mark.service),
        pytest.param(KAFKA, marks=[pytest.mark.service, pytest.mark.kafka]),
    ],
)
def world(request: pytest.FixtureRequest, engines: Engines) -> Iterator[World]:
    """A transport and all that is behind it; tests share it and use people of their own."""
    if request.param == "in process":
        with in_process() as made:
            yield made
        return
    with on_kafka(engines.broker(request.param).bootstrap, f"t{uuid.uuid4().hex[:12]}") as made:
        yield made


@pytest.fixture
def someone() -> Identifier:
    """A person whom no other test knows."""
    return Identifier("email", f"p{uuid.uuid4().hex[:10]}@example.com")


@pytest.fixture
def guard(world: World) -> Guard:
    """A guard that waits long enough for a busy machine."""
    return Guard(world.transport, agent="shop-bot", tenant=TENANT, policy="shop", deadline_ms=30_000)


@pytest.fixture
def async_guard(world: World) -> AsyncGuard:
    """The same for coroutines."""
    return AsyncGuard(world.transport, agent="shop-bot", tenant=TENANT, policy="shop", deadline_ms=30_000)


def test_what_may_pass_passes_unchanged_on_every_channel(guard: Guard, someone: Identifier) -> None:
    """A19: nothing is changed that need not be, and the tool gets the caller's own objects."""
    text = f'{{ "to": "{someone.value}",  "x": 1.0 }}'
    given = {"deep": (1, 2)}
    with guard.session(subject=someone, purposes=["order"]) as session:
        assert session.user(text) == text
        assert session.assistant(text) == text
        assert session.send("other-bot", text) == text
        assert session.recall("k", text) == text
        stored = session.remember("k", text)
        assert (stored.key, stored.content) == ("k", text)
        assert session.call("find_order", lambda what: what, what=given) is given


def test_one_message_reaches_each_recipient_in_its_own_form(guard: Guard, world: World, someone: Identifier) -> None:
    """The doctor gets the very bytes, the supervisor stars, whoever of them is a person; each by its own verdict."""
    text = f"Please call {PHONE} back."
    people: list[str | Recipient] = [
        "doctor",
        "supervisor",
        Recipient(RecipientKind.USER, "boss@example.com"),
        "doctor",
    ]
    with guard.session(subject=someone, purposes=["care"]) as session:
        sent = session.send_each(text, to=people)
        assert session.send("supervisor", text) == "Please call ********** back."
    masked = "Please call ********** back."
    assert [each.text for each in sent] == [text, masked, masked]
    assert [each.recipient.id for each in sent] == ["doctor", "supervisor", "boss@example.com"]
    assert [each.rule for each in sent[1].verdict.violations] == ["channel:supervisors"]
    rows = [row for each in sent for row in world.about(each.verdict.event_id, AuditKind.VERDICT)]
    views = [row.view for row in rows if isinstance(row, AuditRecord)]
    assert len({view.event_id for view in views}) == len(sent)
    assert len({view.causation_id for view in views}) == 1


def test_one_recipients_block_is_no_other_ones(async_guard: AsyncGuard, someone: Identifier) -> None:
    """Who may get it gets it; who may not is told of in its delivery, and nothing is raised."""
    model = Recipient(RecipientKind.LLM, "a-model")

    async def send() -> None:
        with async_guard.session(subject=someone, purposes=["care"]) as session:
            doctor, other = await session.send_each(f"call {PHONE}", to=["doctor", model])
            assert (doctor.text, doctor.blocked) == (f"call {PHONE}", None)
            assert (other.recipient, other.text) == (model, None)
            assert other.blocked is not None
            assert other.blocked.reason == "not_for_recipient"
            with pytest.raises(ValueError, match="use 'call' or 'remember'"):
                await session.send_each("hello", to=[Recipient(RecipientKind.TOOL, "find_order")])

    asyncio.run(send())


def test_what_is_excess_is_redacted_on_every_channel(guard: Guard, someone: Identifier) -> None:
    """A16, A19: what is delivered is the redacted payload, whoever receives it."""
    got: list[Any] = []

    def find_order(who: str, extra: dict[str, Any]) -> list[str]:
        got.extend([who, extra])
        return ["order 1", f"call {PHONE}"]

    with guard.session(subject=someone, purposes=["order"]) as session:
        assert session.user(f"call {PHONE} or {PHONE}!") == f"call {HIDDEN} or {HIDDEN}!"
        assert session.assistant(PHONE) == HIDDEN
        assert session.send("other-bot", f'{{"n": ["{PHONE}"]}}') == f'{{"n":["{HIDDEN}"]}}'
        assert session.remember("k", PHONE).content == HIDDEN
        assert session.recall("k", PHONE) == HIDDEN
        seen = session.call("find_order", find_order, who=PHONE, extra={"a": [PHONE, 7]})
    assert got == [HIDDEN, {"a": [HIDDEN, 7]}]
    assert seen == ["order 1", f"call {HIDDEN}"]


def test_a_blocked_call_does_not_happen(guard: Guard, someone: Identifier) -> None:
    """The function is not called, and the agent reads why; nobody's data is in the text."""
    calls: list[str] = []
    with guard.session(subject=someone) as session:

        @session.tool()
        def send_mail(body: str) -> None:
            calls.append(body)

        with pytest.raises(Blocked) as caught:
            send_mail(f"dear {someone.value}")
    assert calls == []
    assert caught.value.reason == "consent_missing"
    assert "marketing" in str(caught.value)
    assert someone.value not in str(caught.value)


def test_consent_opens_and_withdrawal_closes(guard: Guard, someone: Identifier) -> None:
    """A09: right behind a withdrawal's verdict, calls are blocked."""
    with guard.session(subject=someone) as session:

        @session.tool("send_mail")
        def send(body: str) -> str:
            return body

        assert session.consent("marketing").outcome is Outcome.RECORDED
        assert send(body=someone.value) == someone.value
        assert session.withdraw("marketing").outcome is Outcome.RECORDED
        with pytest.raises(Blocked, match="consent_withdrawn"):
            send(body=someone.value)


def test_after_an_erasure_all_sessions_are_closed(guard: Guard, someone: Identifier) -> None:
    """A01 to A03: erased once, idempotent afterwards, unknown people are called unknown."""
    with guard.session(subject=someone) as session:
        assert session.erase().outcome is Outcome.UNKNOWN_SUBJECT
        session.user("hello")
        assert session.erase("r1").outcome is Outcome.ERASED
        assert session.erase("r1").outcome is Outcome.ALREADY_ERASED
    with guard.session(subject=someone) as other, pytest.raises(Blocked, match="subject_erased"):
        other.assistant("hello")


def test_a_linked_identifier_is_the_same_person(guard: Guard, someone: Identifier) -> None:
    """A13: when the link's verdict is there, the link holds."""
    number = ("customer_id", f"C{someone.value}")
    with guard.session(subject=someone) as session:
        session.consent("marketing")
        assert session.link(number).outcome is Outcome.LINKED
        session.withdraw("marketing")
    with guard.session(subject=number) as other, pytest.raises(Blocked, match="consent_withdrawn"):
        other.call("send_mail", print, body="dear x@example.com")


def test_an_event_about_two_people_waits_for_both(world: World, guard: Guard, someone: Identifier) -> None:
    """A14: the strictest verdict wins, and the audit names both."""
    other = Identifier("email", f"q{someone.value}")
    with guard.session(subject=someone) as session:
        session.consent("marketing")
    with guard.session(subject=someone, subjects=[other]) as both, pytest.raises(Blocked) as caught:
        both.call("send_mail", print, body=f"{someone.value}, {other.value}")
    (row,) = world.about(caught.value.verdict.event_id, AuditKind.VERDICT)
    assert isinstance(row, AuditRecord)
    assert len(row.subjects) == 2
    assert len(row.verdict.decided_on) == 2


def test_a_call_that_redaction_would_break_is_blocked_and_reported(
    world: World, guard: Guard, someone: Identifier
) -> None:
    """A17: rather no call than a broken one, and the audit knows of it."""
    schema = {"type": "object", "properties": {"phone": {"type": "string", "maxLength": 12}}}
    tool = Tool("find_order", schema=schema)
    with guard.session(subject=someone, purposes=["order"]) as session, pytest.raises(Blocked) as caught:
        session.call(tool, print, phone=PHONE)
    assert caught.value.reason == "redaction_would_break_arguments"
    rows = world.about(caught.value.verdict.event_id, AuditKind.GUARD_BLOCK, AuditKind.VERDICT)
    assert len(rows) == 2


def test_a_tools_error_says_only_what_may_be_said(guard: Guard, someone: Identifier) -> None:
    """An exception's text is a result like any other; harmless ones pass as they are."""

    def fail(text: str) -> None:
        raise LookupError(text.replace("@@", PHONE))

    with guard.session(subject=someone, purposes=["order"]) as session:
        with pytest.raises(LookupError, match="no such order"):
            session.call("find_order", fail, text="no such order")
        with pytest.raises(ToolFailed, match=r"call \[user.contact.phone_number\]") as caught:
            session.call("find_order", fail, text="call @@")
    assert PHONE not in repr(caught.value.__cause__)


def test_no_verdict_by_the_deadline_is_a_block_and_a_late_one_is_credited_to_nobody(
    world: World, guard: Guard, someone: Identifier
) -> None:
    """A23: blocked and audited; the late verdict is reported late; the next request gets its own."""
    hasty = Guard(world.transport, agent="shop-bot", tenant=TENANT, deadline_ms=300)
    guard.check(UserMessage("warm"), subject=someone)
    world.extractor.gate.clear()
    try:
        given_up = hasty.check(UserMessage("wait"), subject=someone)
    finally:
        world.extractor.gate.set()
    assert given_up.decision is Decision.BLOCK
    assert [violation.reason for violation in given_up.violations] == ["no_verdict"]
    expected = [AuditKind.LATE_VERDICT, AuditKind.NO_VERDICT, AuditKind.VERDICT]
    assert sorted(row.kind for row in world.about(given_up.event_id, *expected)) == sorted(expected)
    event = make_event(UserMessage("hello"), someone, event_id=str(uuid.uuid4()))
    assert guard.check(event).event_id == event.event_id


def test_everyone_gets_their_own_verdict(guard: Guard) -> None:
    """Many threads at once: each event's verdict is its own."""
    events = [make_event(UserMessage(f"hello {n}"), event_id=str(uuid.uuid4())) for n in range(40)]
    with ThreadPoolExecutor(8) as pool:
        verdicts = list(pool.map(guard.check, events))
    assert [verdict.event_id for verdict in verdicts] == [event.event_id for event in events]
    assert {verdict.decision for verdict in verdicts} == {Decision.FORWARD}


def test_an_event_published_twice_has_one_verdict(world: World, guard: Guard, someone: Identifier) -> None:
    """A retry with the same id gets the identical verdict, whatever happened in between."""
    with guard.session(subject=someone) as session:
        event = make_event(UserMessage(f"hi {someone.value}"), someone, event_id=str(uuid.uuid4()))
        first = guard.check(event)
        session.erase()
        assert guard.check(event) == first


def test_an_event_about_two_people_that_is_published_twice_has_one_verdict(guard: Guard, someone: Identifier) -> None:
    """A retry is answered where it is awaited, also when several shares made the verdict."""
    people = (someone, Identifier("email", f"q{someone.value}"))
    event = make_event(UserMessage(f"hi {PHONE}"), *people, event_id=str(uuid.uuid4()))
    first = guard.check(event)
    assert first.decision is Decision.REDACT
    assert guard.check(event) == first


def test_what_a_tool_does_names_the_call_as_its_cause(world: World, guard: Guard, someone: Identifier) -> None:
    """Events made within a tool carry the call's id; so does the result."""
    seen: list[str] = []

    with guard.session(subject=someone, purposes=["order"]) as session:

        @guard.tool()
        def find_order() -> str:
            verdict = guard.check(UserMessage("x"), subject=someone)
            seen.append(verdict.event_id)
            nested = session.withdraw("marketing")
            seen.append(nested.event_id)
            return "done"

        assert find_order() == "done"
    (row,) = world.about(seen[1], AuditKind.VERDICT)
    assert isinstance(row, AuditRecord)
    assert row.view.causation_id is not None
    (cause,) = world.about(row.view.causation_id, AuditKind.VERDICT)
    assert isinstance(cause, AuditRecord)
    assert cause.view.tool == "find_order"


def test_arguments_and_results_that_are_no_json_are_blocked(guard: Guard, someone: Identifier) -> None:
    """What cannot be looked at does not pass."""
    with guard.session(subject=someone, purposes=["order"]) as session:
        with pytest.raises(Blocked, match="arguments_not_json"):
            session.call("find_order", print, what=object())
        with pytest.raises(Blocked, match="result_not_json"):
            session.call("find_order", object)


async def test_the_async_guard_does_the_same(async_guard: AsyncGuard, someone: Identifier) -> None:
    """Coroutines: messages, consents, tools of both kinds, blocks."""
    with async_guard.session(subject=someone, purposes=["order"]) as session:

        @async_guard.tool()
        async def find_order(phone: str) -> str:
            return f"{phone} {PHONE}"

        @async_guard.tool("find_order")
        def find_order_in_a_thread(phone: str) -> dict[str, object]:
            return {"phone": phone, "here": threading.current_thread() is threading.main_thread()}

        assert await session.user(PHONE) == HIDDEN
        assert await find_order(PHONE) == f"{HIDDEN} {HIDDEN}"
        assert await find_order_in_a_thread(PHONE) == {"phone": HIDDEN, "here": False}  # type: ignore[misc]
        assert (await session.consent("marketing")).outcome is Outcome.RECORDED
        await session.withdraw()
        with pytest.raises(Blocked, match="consent_withdrawn"):
            await session.call("send_mail", print, body=someone.value)


async def test_many_coroutines_wait_at_once(async_guard: AsyncGuard) -> None:
    """Waiting does not hold up the loop, and each gets its own verdict."""
    events = [make_event(UserMessage("hello"), event_id=str(uuid.uuid4())) for _ in range(40)]
    verdicts = await asyncio.gather(*[async_guard.check(event) for event in events])
    assert [verdict.event_id for verdict in verdicts] == [event.event_id for event in events]


def test_every_event_has_one_audit_row(world: World, guard: Guard, someone: Identifier) -> None:
    """What was asked is in the audit once, and nobody's data is."""
    with guard.session(subject=someone, session_id=f"chat {someone.value}") as session:
        verdict = session.withdraw()
    (row,) = world.about(verdict.event_id, AuditKind.VERDICT)
    assert someone.value not in repr(row)

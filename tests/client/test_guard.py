"""The guard where there is nothing behind it: whatever fails, is slow or is gone, nothing happens."""

import logging
import uuid
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

import pytest

from lawful.client import AsyncGuard, Blocked, Guard
from lawful.client.blocked import local_block
from lawful.schemas.audit import AuditKind, GuardReport
from lawful.schemas.errors import RetryLater
from lawful.schemas.event import AgentEvent, ToolCall, UserMessage
from lawful.schemas.verdict import Action, Decision, Obligation, Verdict, Violation
from tests.streams.kit import ADA


class Stub:
    """A transport that does what it is told."""

    def __init__(
        self, *, decision: Decision | None = None, error: Exception | None = None, raises: bool = False
    ) -> None:
        self.decision = decision
        self.error = error
        self.raises = raises
        self.why = "why"
        self.obligations: tuple[Obligation, ...] = ()
        self.events: list[AgentEvent] = []
        self.futures: list[Future[Verdict]] = []
        self.reports: list[GuardReport] = []
        self.closed = False

    def submit(self, event: AgentEvent) -> "Future[Verdict]":
        """Answers, fails, or keeps silent."""
        if self.raises:
            raise RetryLater("down")
        future: Future[Verdict] = Future()
        self.events.append(event)
        self.futures.append(future)
        if self.error is not None:
            future.set_exception(self.error)
        elif self.decision is not None:
            future.set_result(self._verdict(event, self.decision))
        return future

    def _verdict(self, event: AgentEvent, decision: Decision) -> Verdict:
        block = local_block(event.event_id, event.tenant_id, "why", "because", 0)
        violation = Violation("P1", self.why, decision, "because", article="GDPR Art. 6")
        return replace(block, decision=decision, violations=(violation,), obligations=self.obligations)

    def report(self, report: GuardReport) -> None:
        """Keeps it."""
        self.reports.append(report)

    def close(self) -> None:
        """Is closed."""
        self.closed = True


def guard_on(transport: Stub, deadline_ms: int = 20) -> Guard:
    """A hasty guard."""
    return Guard(transport, agent="a", deadline_ms=deadline_ms)


def no_verdict(stub: Stub, verdict: Verdict) -> str:
    """Checks that a verdict is a reported `no_verdict`, and gives the reason in the report."""
    assert verdict.decision is Decision.BLOCK
    assert [violation.reason for violation in verdict.violations] == ["no_verdict"]
    (report,) = stub.reports
    assert (report.kind, report.event_id) == (AuditKind.NO_VERDICT, verdict.event_id)
    return report.reason


def test_silence_is_a_block_and_the_wait_is_given_up() -> None:
    """A23: no worker: blocked and reported; the future is cancelled, so a late verdict is known as late."""
    stub = Stub()
    assert no_verdict(stub, guard_on(stub).check(UserMessage("x"))) == "deadline"
    assert stub.futures[0].cancelled()
    assert stub.reports[0].waited_ms >= 20


def test_an_error_is_a_block() -> None:
    """A23: an error in place of a verdict is none."""
    stub = Stub(error=ValueError("ada@example.com"))
    assert no_verdict(stub, guard_on(stub).check(UserMessage("x"))) == "ValueError"
    assert "ada@" not in repr(stub.reports)


def test_no_transport_is_a_block() -> None:
    """A23: what cannot be asked is not allowed."""
    stub = Stub(raises=True)
    assert no_verdict(stub, guard_on(stub).check(UserMessage("x"))) == "RetryLater"


async def test_the_async_guard_fails_closed_too() -> None:
    """A23: silence, errors and no transport, for coroutines."""
    for stub, reason in (
        (Stub(), "deadline"),
        (Stub(error=ValueError("x")), "ValueError"),
        (Stub(raises=True), "RetryLater"),
    ):
        guard = AsyncGuard(stub, agent="a", deadline_ms=20)
        assert no_verdict(stub, await guard.check(UserMessage("x"))) == reason


def test_the_events_own_deadline_counts() -> None:
    """A deadline in the event goes before the guard's."""
    stub = Stub()
    guard = guard_on(stub, deadline_ms=60_000)
    event = guard.session().scope.event(UserMessage("x"))
    assert no_verdict(stub, guard.check(replace(event, deadline_ms=0))) == "deadline"


def test_channels_raise_when_there_is_no_verdict() -> None:
    """A session's channels deliver nothing without a verdict."""
    session = guard_on(Stub()).session()
    with pytest.raises(Blocked, match="no_verdict"):
        session.user("x")


def test_warnings_pass_and_are_logged_without_content(caplog: pytest.LogCaptureFixture) -> None:
    """A warning lets the payload pass; the log names reasons, never text."""
    with caplog.at_level(logging.WARNING):
        assert guard_on(Stub(decision=Decision.WARN)).session().user("my secret") == "my secret"
    assert "why" in caplog.text
    assert "secret" not in caplog.text


def test_no_log_level_changes_what_is_delivered(caplog: pytest.LogCaptureFixture) -> None:
    """A22: with all logging off, blocks block all the same."""
    logging.disable(logging.CRITICAL)
    try:
        with pytest.raises(Blocked):
            guard_on(Stub(decision=Decision.BLOCK)).session().user("x")
    finally:
        logging.disable(logging.NOTSET)
    assert caplog.text == ""


def test_a_verdict_that_does_not_fit_the_payload_blocks_and_is_reported() -> None:
    """Obligations that point elsewhere mean that something else was judged."""
    stub = Stub(decision=Decision.REDACT)
    stub.obligations = (Obligation("/text", 5, 99, Action.REPLACE, "user"),)
    with pytest.raises(Blocked, match="obligation_misses_payload"):
        guard_on(stub).session().user("short")
    assert [report.kind for report in stub.reports] == [AuditKind.GUARD_BLOCK]


def test_what_a_block_says_is_fit_for_an_agent() -> None:
    """Rule, reason, article and event id; codes for programs."""
    with pytest.raises(Blocked) as caught:
        guard_on(Stub(decision=Decision.BLOCK)).session().user("my secret")
    assert caught.value.reasons == ("why",)
    assert "P1 why (GDPR Art. 6): because" in str(caught.value)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("asked", "said"), [("shopr", "(policy 'shopr', event "), (ADA.value, "(policy 'withheld', event ")]
)
def test_a_block_for_a_policy_that_is_not_loaded_names_it(asked: str, said: str) -> None:
    """A misspelt name is seen at once; one that holds what names a person is withheld; other blocks name none."""
    stub = Stub(decision=Decision.BLOCK)
    stub.why = "unknown_policy"
    with pytest.raises(Blocked) as caught:
        guard_on(stub, 1_000).session(subject=ADA, policy=asked).user("hi")
    assert said in str(caught.value)
    with pytest.raises(Blocked) as caught:
        guard_on(Stub(decision=Decision.BLOCK), 1_000).session(policy="shopr").user("hi")
    assert "shopr" not in str(caught.value)


def test_sessions_fill_in_the_envelope() -> None:
    """Whom, what for, under which policy, since which session: every event says so."""
    stub = Stub(decision=Decision.FORWARD)
    guard = Guard(stub, agent="a", tenant="t", policy="p", source="urn:x", agent_version="2")
    guard.session(subject=ADA, purposes=["order"], session_id="s", task_id="k").user("x")
    (event,) = stub.events
    assert (event.tenant_id, event.agent_id, event.agent_version, event.source) == ("t", "a", "2", "urn:x")
    assert (event.subjects, event.purposes, event.policy_id) == ((ADA,), ("order",), "p")
    assert (event.session_id, event.task_id, event.deadline_ms) == ("s", "k", 5_000)
    assert uuid.UUID(event.event_id).version == 7


@pytest.mark.parametrize("subject", ["customer_id=ada_brown_1234", "ab", ("customer_id",), ("customer_id", 7), 7])
def test_a_subject_that_is_no_pair_is_told_how_to_be_one(subject: Any) -> None:
    """The error says the form, and nothing of what was given; a list of two words is a pair."""
    with pytest.raises(TypeError, match=r"a subject is \(scheme, value\)") as caught:
        Guard(Stub(), agent="a").session(subject=subject)
    assert "ada" not in str(caught.value)
    listed: Any = ["customer_id", "ada"]
    assert Guard(Stub(), agent="a").session(subject=listed).scope.subjects[0].value == "ada"


def test_a_sessions_policy_goes_before_the_guards() -> None:
    """One agent may serve under several policies."""
    stub = Stub(decision=Decision.FORWARD)
    Guard(stub, agent="a", policy="p").session(policy="q").user("x")
    assert stub.events[0].policy_id == "q"


def test_a_guards_tool_belongs_to_the_session_around_it() -> None:
    """Inside of a session its subject counts; outside nobody is known."""
    stub = Stub(decision=Decision.FORWARD)
    guard = guard_on(stub)

    @guard.tool("look_up", purposes=["order"])
    def look(what: str) -> str:
        """Looks."""
        return what

    with guard.session(subject=ADA), guard.session(subject=("phone", "+1")) as inner:
        look("x")
    look("y")
    calls = [event for event in stub.events if isinstance(event.payload, ToolCall)]
    assert [event.subjects for event in calls] == [inner.scope.subjects, ()]
    assert calls[0].purposes == ("order",)
    assert (look.__name__, look.__doc__) == ("look", "Looks.")


def test_a_result_names_its_call() -> None:
    """Call and result share tool, call id and purposes, and the result names the call as its cause."""
    stub = Stub(decision=Decision.FORWARD)
    guard_on(stub).session(purposes=["a"]).call("t", lambda: "r")
    call, result = stub.events
    assert result.causation_id == call.event_id
    assert getattr(result.payload, "call_id", 0) == getattr(call.payload, "call_id", 1)
    assert result.purposes == call.purposes == ("a",)


def test_closing_the_guard_closes_its_transport() -> None:
    """A guard in a `with` block leaves nothing running."""
    stub = Stub()
    with guard_on(stub):
        assert not stub.closed
    assert stub.closed


async def test_an_async_sessions_tools_are_awaited() -> None:
    """Also those made from plain functions: waiting for a verdict never holds up the loop."""
    session = AsyncGuard(Stub(decision=Decision.FORWARD), agent="a").session()
    doubled = session.tool("double")(_double)
    assert await doubled(2) == 4  # type: ignore[misc]


def _double(number: int) -> int:
    return 2 * number


def test_a_block_within_a_tool_reaches_the_agent_as_it_is() -> None:
    """A guarded call inside of a tool that is blocked is not taken for the tool's own failure."""
    stub = Stub(decision=Decision.FORWARD)
    inner = guard_on(Stub(decision=Decision.BLOCK)).session()
    with pytest.raises(Blocked, match="why"):
        guard_on(stub).session().call("t", inner.user, text="x")

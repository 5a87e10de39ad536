from collections.abc import Iterator

import pytest

from lawful.client import Guard
from lawful.schemas.audit import AuditKind, AuditRecord, GuardReport
from lawful.schemas.errors import RetryLater
from lawful.schemas.event import ConsentGiven, ToolCall, UserMessage
from lawful.schemas.verdict import Decision
from lawful.streams import inprocess
from lawful.streams.inprocess import InProcessTransport
from tests.streams.kit import ADA, MINUTE, PEOPLE, TENANT, OnePolicy, PlainExtractor, make_event, reasons


class Clock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.time = 1_000 * MINUTE

    def __call__(self) -> int:
        """The time."""
        return self.time


@pytest.fixture
def clock() -> Clock:
    """A clock at some time."""
    return Clock()


@pytest.fixture
def rows() -> list[AuditRecord | GuardReport]:
    """Where the audit goes."""
    return []


@pytest.fixture
def transport(clock: Clock, rows: list[AuditRecord | GuardReport]) -> Iterator[InProcessTransport]:
    """A transport that is closed in the end."""
    made = InProcessTransport(OnePolicy(), PlainExtractor(), PEOPLE, clock=clock, audit=rows.append)
    yield made
    made.close()


def mail(number: int) -> ToolCall:
    """A call that needs consent."""
    return ToolCall("send_mail", f"c{number}", '{"to":"ada@example.com"}')


def test_time_never_runs_backwards(transport: InProcessTransport, clock: Clock) -> None:
    """A10: a clock that steps back does not bring an expired consent back."""
    given = ConsentGiven(("marketing",), expires_at=clock.time + MINUTE)
    transport.submit(make_event(given, ADA, number=1)).result(10)
    clock.time += MINUTE
    assert reasons(transport.submit(make_event(mail(2), ADA, number=2)).result(10)) == {"consent_expired"}
    clock.time -= 2 * MINUTE
    assert reasons(transport.submit(make_event(mail(3), ADA, number=3)).result(10)) == {"consent_expired"}


def test_no_audit_no_verdict(clock: Clock) -> None:
    """What cannot be written down is not allowed."""

    def full(_: AuditRecord | GuardReport) -> None:
        raise OSError("disk full")

    transport = InProcessTransport(OnePolicy(), PlainExtractor(), PEOPLE, clock=clock, audit=full)
    with pytest.raises(OSError, match="full"):
        transport.submit(make_event(UserMessage("x"), ADA)).result(10)
    transport.close()


def test_a_closed_transport_takes_nothing(transport: InProcessTransport) -> None:
    """What was submitted before is answered; what comes after is refused."""
    before = transport.submit(make_event(UserMessage("x"), ADA))
    transport.close()
    transport.close()
    assert before.result(0).decision is Decision.FORWARD
    with pytest.raises(RetryLater):
        transport.submit(make_event(UserMessage("x"), ADA))


def test_all_rows_go_to_one_sink(transport: InProcessTransport, rows: list[AuditRecord | GuardReport]) -> None:
    """The audit of a process holds verdicts and what the guard did on its own."""
    guard = Guard(transport, agent="a", tenant=TENANT)
    with pytest.raises(Exception, match="arguments_not_json"):
        guard.session(subject=ADA).call("find_order", print, what=object())
    guard.check(UserMessage("x"), subject=ADA)
    assert [row.kind for row in rows] == [AuditKind.GUARD_BLOCK, AuditKind.VERDICT]


def test_memory_of_duplicates_is_bounded(transport: InProcessTransport, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cost does not grow with the length of the log."""
    monkeypatch.setattr(inprocess, "_MOST_REMEMBERED", 3)
    for number in range(9):
        transport.submit(make_event(UserMessage("x"), ADA, number=number)).result(10)
    transport.close()
    assert len(transport._tables.firsts) == 3

from collections.abc import Callable
from pathlib import Path
from typing import Any

from lawful.client.outbox import Outbox
from lawful.client.reports import WITHHELD, report_on
from lawful.client.spool import Spool
from lawful.schemas.audit import AuditKind, GuardReport
from lawful.schemas.event import ToolCall, UserMessage
from tests.streams.kit import ADA, make_event

Told = Callable[[Any, Any], None]


def a_report(number: int = 0) -> GuardReport:
    """A report about an event of this number."""
    return report_on(make_event(UserMessage("x"), ADA, number=number), AuditKind.NO_VERDICT, "deadline", 5, 7)


class Broker:
    """Takes reports, or refuses them."""

    def __init__(self, *, up: bool) -> None:
        self.up = up
        self.got: list[GuardReport] = []

    def produce(self, report: GuardReport, told: Told) -> None:
        """Confirms at once, or says no."""
        if self.up:
            self.got.append(report)
        told(None if self.up else "down", None)


def test_a_report_is_sent_once() -> None:
    """What has arrived is not sent again."""
    outbox, broker = Outbox(Spool(None)), Broker(up=True)
    outbox.add(a_report())
    outbox.send(broker.produce)
    outbox.send(broker.produce)
    assert broker.got == [a_report()]


def test_what_failed_is_sent_again() -> None:
    """A23: a report waits until the broker is back."""
    outbox, broker = Outbox(Spool(None)), Broker(up=False)
    outbox.add(a_report())
    outbox.send(broker.produce)
    broker.up = True
    outbox.send(broker.produce)
    assert broker.got == [a_report()]


def test_a_sender_that_raises_loses_nothing() -> None:
    """A full queue is as good as a broker that says no."""

    def full(_report: GuardReport, _told: Told) -> None:
        raise BufferError

    outbox, broker = Outbox(Spool(None)), Broker(up=True)
    outbox.add(a_report())
    outbox.send(full)
    outbox.send(broker.produce)
    assert broker.got == [a_report()]


def test_unsent_reports_outlive_the_process(tmp_path: Path) -> None:
    """A23: kept in a file at the end, sent by the next process, and then the file is gone."""
    path = tmp_path / "deep" / "spool"
    first, broker = Outbox(Spool(path)), Broker(up=False)
    for number in range(3):
        first.add(a_report(number))
    first.send(broker.produce)
    first.keep()
    broker.up = True
    second = Outbox(Spool(path))
    second.load()
    second.send(broker.produce)
    second.keep()
    assert broker.got == [a_report(number) for number in range(3)]
    assert not path.exists()


def test_a_torn_spool_gives_what_can_be_read(tmp_path: Path) -> None:
    """A file that was cut off costs its last report, not the start."""
    path = tmp_path / "spool"
    Spool(path).save([a_report(0), a_report(1)])
    path.write_bytes(path.read_bytes()[:-5])
    assert Spool(path).load() == [a_report(0)]


def test_a_spool_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    """The guard goes on; the log says what was lost."""
    blocked = tmp_path / "file"
    blocked.write_text("x")
    Spool(blocked / "spool").save([a_report()])
    assert blocked.read_text() == "x"


def test_memory_for_reports_is_bounded(monkeypatch: Any) -> None:
    """Hours without a broker do not fill the memory; what was dropped is counted."""
    monkeypatch.setattr("lawful.client.outbox.MOST", 2)
    outbox, broker = Outbox(Spool(None)), Broker(up=True)
    for number in range(3):
        outbox.add(a_report(number))
    outbox.send(broker.produce)
    assert outbox.lost == 1
    assert broker.got == [a_report(1), a_report(2)]


def test_a_report_holds_nobodys_data() -> None:
    """A36: envelope strings that may hold a person are withheld; the call's tool is named."""
    event = make_event(
        ToolCall("send_mail", "c", "{}"), ADA, session_id="chat-ada@example.com", agent_id="+44 20 7946 0958"
    )
    report = report_on(event, AuditKind.GUARD_BLOCK, "why", 5)
    assert (report.session_id, report.agent_id, report.tool) == (WITHHELD, WITHHELD, "send_mail")

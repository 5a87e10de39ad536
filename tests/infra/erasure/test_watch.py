"""Overdue notices are counted for whoever is to be called: numbers, and nobody in them."""

import threading
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest
from prometheus_client import CollectorRegistry

from lawful.infra.clickhouse.query import Answer, Officer
from lawful.infra.erasure.watch import OverdueWatch
from lawful.infra.telemetry.erasure_metrics import ErasureMetrics
from lawful.schemas.errors import RetryLater
from tests.infra.erasure.test_report import ERASED, row

DAY = 86_400.0
BEGIN = ERASED.timestamp()


class FakeOfficer:
    """Knows two tenants, and may be out of reach."""

    def __init__(self, **rows: list[dict[str, Any]]) -> None:
        self.rows = rows
        self.away = False

    def ask(self, sql: str, parameters: dict[str, Any] | None = None) -> Answer:
        """Tenants, or the recipients of one."""
        if self.away:
            raise RetryLater("ClickHouse is away")
        if parameters is None:
            return Answer(("tenant_id",), [(tenant,) for tenant in self.rows])
        rows = self.rows[parameters["tenant"]]
        return Answer(tuple(row("")), [tuple(each.values()) for each in rows])


class Clock:
    """Says what it is told to."""

    def __init__(self) -> None:
        self.now = BEGIN

    def __call__(self) -> float:
        """Seconds since 1970."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    """The moment of the erasure."""
    return Clock()


def told(watch: OverdueWatch, clock: Clock) -> dict[str, float | None]:
    """What Prometheus gets, by the last word but one of the name."""
    registry = CollectorRegistry()
    ErasureMetrics(registry, watch.counters, clock)
    names = ("overdue_recipients", "waiting_recipients", "looked_seconds")
    return {name.partition("_")[0]: registry.get_sample_value(f"lawful_erasure_{name}") for name in names}


def watch_of(officer: FakeOfficer, clock: Clock) -> OverdueWatch:
    """A watch whose recipients have thirty days."""
    return OverdueWatch(cast("Officer", officer), timedelta(days=30), clock=clock)


def test_recipients_of_all_tenants_are_counted_once_their_time_is_over(clock: Clock) -> None:
    """Who was told counts no more; before the first look there is no number that could look like none."""
    informed = row("mailer", tool="send", told=datetime(2026, 1, 2, tzinfo=UTC))
    watch = watch_of(FakeOfficer(acme=[row("crm"), informed], other=[row("crm"), row("bank")]), clock)
    clock.now += 60
    assert told(watch, clock) == {"overdue": None, "waiting": None, "looked": 60}
    watch.look()
    assert told(watch, clock) == {"overdue": 0, "waiting": 3, "looked": 0}
    clock.now += 31 * DAY
    watch.look()
    assert told(watch, clock) == {"overdue": 3, "waiting": 0, "looked": 0}


def test_numbers_stay_and_grow_old_while_the_audit_is_away(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    """The loop goes on, says that it is not well, and tells of the failure without the words of it."""
    officer = FakeOfficer(acme=[row("crm")])
    watch, stop = watch_of(officer, clock), threading.Event()
    turns: list[bool] = []

    def on_turn(fine: bool) -> None:  # noqa: FBT001 - as a pulse is told
        turns.append(fine)
        officer.away = True
        clock.now += 40 * DAY
        if len(turns) == 2:
            stop.set()

    ready: list[int] = []
    watch.run(0, stop, on_turn, lambda: ready.append(len(turns)))
    assert (turns, ready) == ([True, False], [1])
    assert told(watch, clock) == {"overdue": 0, "waiting": 1, "looked": 80 * DAY}
    assert "RetryLater" in caplog.text
    assert "crm" not in caplog.text

"""How runs are planned, and what counts as fine."""

from dataclasses import replace

from lawful.infra.chaos.faults import FAULTS
from lawful.infra.chaos.suite import EMBEDDED, KAFKA, Outcome, Plan

FINE = Outcome("worker-killed", "a broker", events=10, lost=0, doubled=0, wrong=0, recovery_s=1.0, seconds=2.0)


def test_a_broker_that_forgets_is_not_killed() -> None:
    """Every fault runs on Apache Kafka, and all but those on the embedded broker."""
    runs = Plan([EMBEDDED, KAFKA]).runs
    assert {fault.name for broker, fault in runs if broker == KAFKA} == {fault.name for fault in FAULTS}
    assert "broker-killed" not in {fault.name for broker, fault in runs if broker == EMBEDDED}


def test_events_are_shared_among_the_runs() -> None:
    """Together they are at least as many as wanted."""
    plan = Plan([EMBEDDED, KAFKA], events=1_001)
    assert plan.each * len(plan.runs) >= 1_001


def test_anything_lost_doubled_wrong_or_failed_is_not_fine() -> None:
    """Nor is a chain that does not verify."""
    assert FINE.fine
    assert FINE.document()["fine"] is True
    bad = ({"lost": 1}, {"doubled": 1}, {"wrong": 1}, {"trouble": "it hangs"}, {"chain": "wrong: a row was put in"})
    assert not any(replace(FINE, **each).fine for each in bad)

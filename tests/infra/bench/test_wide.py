"""The audit's, the traces' and the peers' figures, and all of them together, in small."""

import json
from pathlib import Path
from typing import Any

import pytest

from lawful.cli.exits import Exit
from lawful.cli.main import run
from lawful.infra.bench import audit_rows, peers, trace
from lawful.infra.bench.everything import bench_all
from lawful.infra.engines.clickhouse import EmbeddedClickHouse
from lawful.infra.engines.traits import Broker
from lawful.schemas.audit import AuditRecord
from lawful.schemas.codec import decode
from lawful.schemas.errors import MustStop


@pytest.mark.service
def test_rows_are_written_and_asked_about(broker: Broker, clickhouse: EmbeddedClickHouse, tmp_path: Path) -> None:
    """Every record becomes a row, copies fill up to what is wanted, and every question is answered."""
    size = audit_rows.Size(rows=100, rounds=1, millions=0.0003, asks=1, partitions=2, profile=True)
    found = audit_rows.measured(size, broker, clickhouse, tmp_path, lambda *_: None)
    assert found["queries"]["rows"] == 300
    assert found["rows_per_second"]["median"] > 0
    assert "one person's history" in found["queries"]["ms"]
    assert any("ncalls" in line for line in found["profile"])


def test_audit_records_differ_and_can_be_read() -> None:
    """Each is a record of the schema with an id of its own."""
    made = [decode(value, AuditRecord) for _, value in audit_rows.records(300, seed=1)]
    assert len({one.view.event_id for one in made}) == 300
    assert all(one.verdict.event_id == one.view.event_id for one in made)


def test_costs_are_told_by_length_and_by_people(capsys: pytest.CaptureFixture[str]) -> None:
    """Every size has its cost, and the naive judge's stands beside ours."""
    arguments = ["--trace", "200", "--subjects", "1000", "--events", "10", "--rounds", "1", "--json"]
    assert run(["bench", "trace", *arguments]) == Exit.FINE
    found = json.loads(capsys.readouterr().out)
    assert set(found["trace_length_us"]) == {"100", "200"} == set(found["trace_length_naive_us"])
    assert found["trace_length_naive_us"]["200"]["median"] > found["trace_length_naive_us"]["100"]["median"]
    assert len(found["targets"]) == 2


def test_the_sizes_hold_against_each_other() -> None:
    """Costs are of the sizes that were asked for, however few."""
    lengths, naive = trace.by_length(trace.Size((10, 20), (1_000,), probes=5, rounds=1))
    assert set(lengths) == set(naive) == {10, 20}


def test_we_see_all_four_and_a_package_that_is_not_there_is_told() -> None:
    """Ours stops the faulty sessions and only those; a missing environment is a reason, not an error."""
    nowhere = Path("nowhere")
    found = peers.bench_peers(
        peers.Size(events=10, rounds=1, packages=("llm-guard",), environments=nowhere), lambda *_: None
    )
    assert found["peers"][peers.OURS]["detects"] == dict.fromkeys(("P1", "P2", "P3", "P4"), "yes")
    assert "failed" in found["peers"]["llm-guard"]["reason"]


def test_no_package_is_begun_when_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that all benches together end in time; the page says how to measure it."""
    monkeypatch.setattr(peers, "ours", lambda _: {"ms_per_event": {"median": 1.0}})
    size = peers.Size(events=10, rounds=1, packages=("llm-guard",), whole=-1)
    assert "--only llm-guard" in peers.bench_peers(size, lambda *_: None)["peers"]["llm-guard"]["reason"]


def test_stopping_everything_or_nothing_is_no_detection() -> None:
    """Only the faulty session may be stopped."""
    stopped = {"P1 bad": True, "P1 good": True, "P2 bad": False, "P2 good": False}
    stopped |= {"P3 bad": True, "P3 good": False, "P4 bad": False, "P4 good": True}
    assert peers.detected(stopped) == {"P1": "both", "P2": "no", "P3": "yes", "P4": "no"}


def test_one_that_fails_does_not_keep_the_others() -> None:
    """It is told why; what would begin too late is left out, and said to be."""
    times = iter([0.0, 0.0, 1.0, 2.0, 3.0, 99.0, 99.0])

    def broken(_: object) -> dict[str, object]:
        raise MustStop("no broker")

    good = {"targets": [{"name": "speed", "measured": 1, "met": True}]}
    todo: dict[str, Any] = {"broken": broken, "good": lambda _: good, "late": lambda _: good}
    found = bench_all(todo, lambda *_: None, seconds=50, clock=lambda: next(times))
    assert found["broken"] == {"failed": "MustStop: no broker"}
    assert found["good"] == good
    assert "lawful bench late" in found["late"]["skipped"]
    assert found["targets"] == [{"bench": "good", "name": "speed", "measured": 1, "met": True}]

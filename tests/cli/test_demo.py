"""`lawful demo`, as a user runs it."""

import json
import signal
from pathlib import Path

import pytest

from tests.cli import processes
from tests.engines import eventually

pytestmark = [pytest.mark.service, pytest.mark.slow, pytest.mark.timeout(240)]


def test_the_demo_answers_and_audits_every_event(tmp_path: Path) -> None:
    """As many verdicts and audit rows as events, the whole range of decisions, nothing left running."""
    found = json.loads(processes.lawful(tmp_path, "demo", "--json", seconds=200))
    assert found["events"] == found["verdicts"] == found["audit_rows"] >= 600
    assert found["unanswered"] == 0
    assert found["chain"]["ok"]
    assert found["chain"]["rows"] >= found["audit_rows"]
    assert found["chain"]["anchors"]
    assert found["chain"]["words"].startswith(f"chain verified: {found['chain']['rows']:,} rows in ")
    assert set(found["decisions"]) == {"forward", "warn", "redact", "block"}
    assert all(found["decisions"].values())
    assert all(found["predicates"][rule] for rule in ("P1", "P2", "P3", "P4"))
    assert 0 < found["latency_ms"]["p50"] <= found["latency_ms"]["p99"]
    assert found["as_scripted"] == found["events"]
    processes.nothing_left(tmp_path)


@pytest.mark.parametrize("said", ["creating topics", "tell"], ids=["while starting", "while playing"])
def test_ctrl_c_stops_it_cleanly_at_any_time(tmp_path: Path, said: str) -> None:
    """Whatever it is doing: status 130, one line, no process left, no traceback."""
    with processes.begun(tmp_path, "demo", "--json") as process:
        eventually(lambda: said in processes.said(tmp_path), seconds=120, slower=1.0)
        assert processes.stop(process, signal.SIGINT) == 130
    assert processes.said(tmp_path).endswith("lawful: interrupted\n")
    assert "Traceback" not in processes.said(tmp_path)
    processes.nothing_left(tmp_path)

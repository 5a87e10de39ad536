"""`lawful up` and the commands that find it, as a user runs them."""

import json
import os
import re
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.cli import processes
from tests.engines import eventually

pytestmark = [pytest.mark.service, pytest.mark.slow, pytest.mark.timeout(240)]

EXAMPLES = Path(__file__).parents[2] / "examples"
DATA = "elsewhere"
ADA = {"scheme": "customer_id", "value": "ada_brown_1234"}


@dataclass(frozen=True)
class Running:
    """A `lawful up` in a folder."""

    folder: Path
    process: "subprocess.Popen[str]"


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One installation for the tests of this file."""
    folder = tmp_path_factory.mktemp("up")
    state = folder / ".lawful" / "up.json"
    with processes.begun(folder, "up", "--gateway", "--data-dir", DATA, "--json") as process:
        eventually(lambda: state.exists() or process.poll() is not None, seconds=120, pause=0.1)
        assert process.poll() is None, processes.said(folder)
        yield Running(folder, process)
        assert processes.stop(process, signal.SIGTERM) == 0, processes.said(folder)
    assert not state.exists()
    processes.nothing_left(folder)


def example(folder: Path, name: str) -> "subprocess.CompletedProcess[str]":
    """What an example prints where `lawful up` runs."""
    return subprocess.run(
        [sys.executable, EXAMPLES / name],
        cwd=folder,
        env=processes.environment(),
        capture_output=True,
        text=True,
        check=False,
    )


def lines(folder: Path, name: str, *events: object) -> str:
    """A file in our own format."""
    path = folder / name
    path.write_text("\n".join(json.dumps(event) for event in events), encoding="utf-8")
    return str(path)


def mail(tenant: str, number: int = 0) -> dict[str, object]:
    """A marketing mail to Ada."""
    arguments = {"to": "ada@example.com", "body": f"offer {number}"}
    payload = {"kind": "ToolCall", "tool": "send_marketing_email", "call_id": f"c{number}", "arguments": arguments}
    return {
        "session_id": f"s{number}",
        "tenant_id": tenant,
        "policy_id": "shopper",
        "subjects": [ADA],
        "payload": payload,
    }


def request(tenant: str, payload: dict[str, object]) -> dict[str, object]:
    """A consent or a request of Ada's."""
    return {"session_id": "desk", "tenant_id": tenant, "policy_id": "shopper", "subjects": [ADA], "payload": payload}


def test_the_state_file_is_the_owners_alone(up: Running) -> None:
    """It holds passwords, so nobody else may read it."""
    state = up.folder / ".lawful" / "up.json"
    assert stat.S_IMODE(state.stat().st_mode) == 0o600


def test_the_doctor_finds_nothing_wrong(up: Running) -> None:
    """Everything that `up` starts is as it must be."""
    findings = processes.lawful_json(up.folder, "doctor")["findings"]
    assert {each["what"] for each in findings if each["state"] == "wrong"} == set()


def test_a_second_one_is_refused(up: Running) -> None:
    """One installation per folder; the error names the process."""
    processes.lawful(up.folder, "up", status=1)


def test_what_is_ingested_is_answered_and_found_in_the_audit(up: Running) -> None:
    """Consent, mail, erasure, mail: four events, the last one blocked, all of them in Ada's history."""
    consent = request("story", {"kind": "ConsentGiven", "purposes": ["marketing.communications"]})
    erasure = request("story", {"kind": "DataSubjectRequest", "request": "erasure", "request_id": "r1"})
    path = lines(up.folder, "story.jsonl", consent, mail("story", 1), erasure, mail("story", 2))
    found = processes.lawful_json(up.folder, "ingest", path)
    assert (found["events"], found["unanswered"]) == (4, 0)
    assert found["decisions"]["block"] == 1
    assert found["predicates"]["P4"] == 1
    history = eventually(lambda: _history(up.folder, 4), seconds=30)
    assert [event["decision"] for event in history] == ["forward", "forward", "forward", "block"]
    assert [event["outcome"] for event in history] == ["recorded", "", "erased", ""]
    answer = processes.lawful_json(
        up.folder,
        "audit",
        "sql",
        "select decision, count() as n from verdicts where tenant_id = 'story' group by decision;",
    )
    assert {row["decision"]: row["n"] for row in answer["rows"]} == {"forward": 3, "block": 1}


def _history(folder: Path, wanted: int) -> list[dict[str, str]]:
    subject = f"{ADA['scheme']}={ADA['value']}"
    events: list[dict[str, str]] = processes.lawful_json(folder, "audit", "subject", subject, "--tenant", "story")[
        "events"
    ]
    return events if len(events) >= wanted else []


def test_the_example_agent_runs_against_it(up: Running) -> None:
    """examples/guarded_agent.py finds the installation, sends one mail and is kept from the second."""
    done = example(up.folder, "guarded_agent.py")
    sent, blocked = done.stdout.splitlines()
    assert sent.endswith("sent to carl@example.com"), done.stderr
    assert "P1 consent_withdrawn" in blocked


def test_the_gateways_example_needs_nothing_of_ours(up: Running) -> None:
    """examples/gateway_client.py writes to the outbox; the card is masked in what it reads from the inbox."""
    done = example(up.folder, "gateway_client.py")
    assert done.stdout.startswith("redact Charged twice: order 17, card *"), done.stderr
    assert "4111" not in done.stdout
    code = (EXAMPLES / "gateway_client.py").read_text(encoding="utf-8")
    assert not re.findall(r"^ *(?:import|from) lawful", code, flags=re.MULTILINE)


def test_a_question_without_an_answer_says_what_may_be_wrong(up: Running) -> None:
    """A misspelt scheme is a note; wrong SQL is status 1; SQL may begin with a comment."""
    done = subprocess.run(
        [*processes.COMMAND, "audit", "subject", "custmer_id=nobody_1"],
        cwd=up.folder,
        env=processes.environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert "did you mean 'customer_id'?" in done.stderr
    assert "--tenant" in done.stderr
    processes.lawful(up.folder, "audit", "sql", "select nothing from verdicts", status=1)
    assert "0 rows" in processes.lawful(up.folder, "audit", "sql", "-- a comment\nselect kind from chain where 0")


def test_the_officer_cannot_change_anything(up: Running) -> None:
    """`audit sql` only reads."""
    processes.lawful(up.folder, "audit", "sql", "alter table audit delete where 1", status=1)


def test_the_chain_verifies_with_what_up_made(up: Running) -> None:
    """Keys and anchors are found; without the secret an auditor checks links and anchors."""
    processes.lawful(up.folder, "ingest", lines(up.folder, "chained.jsonl", *(mail("chained", n) for n in range(3))))
    found = eventually(lambda: _verified(up.folder, 3), seconds=30)
    assert (found["ok"], found["recomputed"], found["anchored"], found["faults"]) == (True, True, True, [])
    auditor = processes.lawful_json(up.folder, "audit", "verify", "--links-only", "--no-topic", "--since", "last")
    assert (auditor["ok"], auditor["recomputed"], auditor["anchored"]) == (True, False, True)
    assert auditor["rows"] < found["rows"]
    assert "BEGIN PUBLIC KEY" in processes.lawful(up.folder, "audit", "public-key")
    processes.lawful(up.folder, "audit", "sql", "select * from audit", status=1)


def _verified(folder: Path, rows: int) -> dict[str, Any]:
    found: dict[str, Any] = processes.lawful_json(folder, "audit", "verify")
    anchored = all(chain["anchors"] for chain in found["chains"])
    return found if found["rows"] >= rows and anchored else {}


def test_a_worker_killed_in_mid_stream_loses_nothing(up: Running) -> None:
    """Kill -9 of a worker while events flow: every event is answered once and audited once."""
    path = lines(up.folder, "stream.jsonl", *(mail("kill", number) for number in range(400)))
    worker = max(pid for pid in processes.ours(up.folder / DATA / "worker-1") if _is_worker(pid))
    with processes.begun(up.folder, "ingest", "--json", path) as ingest:
        os.kill(worker, signal.SIGKILL)
        out, _ = ingest.communicate(timeout=120)
    found = json.loads(out)
    assert (found["events"], found["unanswered"], found["decisions"]["block"]) == (400, 0, 400)
    counted = "select count() as rows, uniqExact(event_id) as events from verdicts where tenant_id = 'kill'"
    rows = eventually(
        lambda: [
            row for row in processes.lawful_json(up.folder, "audit", "sql", counted)["rows"] if row["rows"] >= 400
        ],
        seconds=30,
    )
    assert rows == [{"rows": 400, "events": 400}]


def _is_worker(pid: int) -> bool:
    return b"keeper" not in Path(f"/proc/{pid}/cmdline").read_bytes()

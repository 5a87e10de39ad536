"""`lawful crosscheck`: agreement is status 0, a disagreement is status 1 and explained by its facts."""

import json
import os
import stat
import sys
from pathlib import Path

import pytest

from lawful.cli.exits import Exit
from lawful.cli.main import run
from lawful.policies import standing

EVENTS: list[dict[str, object]] = [
    {"payload": {"kind": "ConsentGiven", "purposes": ["marketing.communications"], "evidence": "box"}},
    {"payload": {"kind": "UserMessage", "text": "hello"}, "purposes": ["marketing.communications"]},
    {"payload": {"DataSubjectRequest": {"kind": "erasure", "request_id": "r"}}},
    {"payload": {"kind": "UserMessage", "text": "hello again"}, "purposes": ["marketing.communications"]},
]
"""One person's life with a shop."""


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    """A recorded trace."""
    path = tmp_path / "trace.jsonl"
    shared: dict[str, object] = {"subjects": [{"scheme": "email", "value": "ada@example.com"}], "policy_id": "shopper"}
    lines = [json.dumps({"occurred_at": 1_700_000_000_000_000 + n, **shared, **each}) for n, each in enumerate(EVENTS)]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def told(capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    """The one JSON object on standard output."""
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found


def test_generated_events_agree(capsys: pytest.CaptureFixture[str]) -> None:
    """Every decision on generated events of all packs is the same for all judges."""
    assert run(["crosscheck", "--packs", "--events", "40", "--processes", "1", "--json"]) == Exit.FINE
    found = told(capsys)
    assert (found["events"], found["disagreements"]) == (40, 0)


def test_a_trace_agrees(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A recorded trace goes through the same stages as in a worker; a table tells of it."""
    assert run(["crosscheck", str(trace), "--no-extraction", "--json"]) == Exit.FINE
    found = told(capsys)
    assert (found["events"], found["compared"], found["disagreements"]) == (4, 4, 0)
    assert run(["crosscheck", str(trace), "--no-extraction"]) == Exit.FINE
    assert "4 events, 4 decisions of each judge" in capsys.readouterr().out


def test_a_trace_is_exported_for_monpoly(trace: Path, tmp_path: Path) -> None:
    """Signature, four formulas, a log for each person, and what our monitor found; nothing in clear."""
    folder = tmp_path / "out"
    assert run(["crosscheck", str(trace), "--no-extraction", "--export", str(folder)]) == Exit.FINE
    names = {path.name for path in folder.iterdir()}
    assert names >= {"facts.sig", "consent.mfotl", "erasure.mfotl", "subject-0001.log", "subject-0001.verdicts.json"}
    assert "ada@" not in "".join(path.read_text() for path in folder.iterdir())
    run_again = ["mfotl", "run", "--sig", str(folder / "facts.sig"), "--formula", str(folder / "erasure.mfotl")]
    assert run([*run_again, "--log", str(folder / "subject-0001.log")]) == Exit.FINE


def test_an_exported_trace_gives_the_exported_verdicts(
    trace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The files by themselves lead to the same time-points."""
    folder = tmp_path / "out"
    run(["crosscheck", str(trace), "--no-extraction", "--export", str(folder)])
    expected = json.loads((folder / "subject-0001.verdicts.json").read_text())
    assert expected["erasure"]
    for name, points in expected.items():
        capsys.readouterr()
        options = ["--sig", str(folder / "facts.sig"), "--formula", str(folder / f"{name}.mfotl")]
        assert run(["mfotl", "run", *options, "--log", str(folder / "subject-0001.log"), "--json"]) == Exit.FINE
        found = {str(each["time_point"]): each["rows"] for each in json.loads(capsys.readouterr().out)["verdicts"]}
        assert found == points


def test_a_disagreement_is_status_1_and_explained(
    trace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The event, what each judge says, and the facts it rests on."""
    monkeypatch.setattr(standing, "erasure", lambda _: None)
    assert run(["crosscheck", str(trace), "--no-extraction"]) == Exit.FAULT
    words = capsys.readouterr().err
    assert "the first disagreement" in words
    assert "mfotl adds: P4" in words
    assert "erases()" in words
    assert run(["crosscheck", str(trace), "--no-extraction", "--json"]) == Exit.FAULT
    assert told(capsys)["disagreements"]


@pytest.mark.parametrize("arguments", [[], ["trace.jsonl", "--packs"]])
def test_something_has_to_be_checked(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A trace or the packs, not both and not neither."""
    assert run(["crosscheck", *arguments]) == Exit.FAULT
    assert "give a TRACE, or --packs" in capsys.readouterr().err


def test_an_empty_trace_is_no_agreement(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing was compared, so nothing is said to agree."""
    path = tmp_path / "empty.jsonl"
    path.write_text("")
    assert run(["crosscheck", str(path), "--no-extraction"]) == Exit.FAULT
    assert "holds no events" in capsys.readouterr().err


def test_a_line_that_is_no_event_is_a_fault(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What could not be read was not compared, and is told with its line."""
    trace.write_text(trace.read_text() + '\n{"payload": 3}\n')
    assert run(["crosscheck", str(trace), "--no-extraction"]) == Exit.FAULT
    assert "trace.jsonl:5" in "".join(capsys.readouterr().err.split())


FAKE = """#!{python}
import sys
if "-check" in sys.argv:
    name = sys.argv[sys.argv.index("-formula") + 1].rsplit("/", 1)[-1]
    free = {{"consent.mfotl": "category,purpose", "purpose.mfotl": "name,reason", "minimisation.mfotl": "category"}}
    print("The sequence of free variables is: (" + free.get(name, "") + ")")
elif "erasure.mfotl" in " ".join(sys.argv):
    print({erasure!r})
"""


@pytest.mark.parametrize(("says", "status"), [("@1700000000000003 (time point 6): true", 0), ("", 1)])
def test_a_fourth_judge_is_asked_where_there_is_one(
    says: str, status: int, trace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A program that prints what MonPoly would: agreement and difference are both seen."""
    fake = trace.with_name("monpoly")
    fake.write_text(FAKE.format(python=sys.executable, erasure=says))
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("MONPOLY_BIN", str(fake))
    assert run(["crosscheck", str(trace), "--no-extraction", "--json"]) == status, capsys.readouterr()
    judges = told(capsys)["judges"]
    assert isinstance(judges, dict)
    assert bool(judges["monpoly"]["disagrees"]) == bool(status)


@pytest.mark.skipif(not os.environ.get("MONPOLY_BIN"), reason="MONPOLY_BIN names no MonPoly")
def test_monpoly_itself_agrees(capsys: pytest.CaptureFixture[str]) -> None:
    """The real one, on generated events."""
    assert run(["crosscheck", "--packs", "--events", "40", "--processes", "1", "--json"]) == Exit.FINE
    assert told(capsys)["disagreements"] == 0

"""`lawful evaluate`: the same seed gives the same table, and the report is one file."""

import json
import re
from pathlib import Path

import pytest

from lawful import extractors
from lawful.cli.exits import Exit
from lawful.cli.main import run
from lawful.infra.crosscheck.trace import NoExtraction

SMALL = ["--attacks", "32", "--benign", "32", "--processes", "1", "--arm", "none", "--arm", "perfect"]


def test_the_same_seed_gives_the_same_document(capsys: pytest.CaptureFixture[str]) -> None:
    """Rates with intervals for every arm, pack and family; no attack passes a perfect extraction."""
    assert run(["evaluate", *SMALL, "--json"]) == Exit.FINE
    first = capsys.readouterr().out
    found = json.loads(first)
    assert found["arms"]["none"]["asr"]["rate"] == 1
    assert found["arms"]["perfect"]["by_pack"]["medagent"]["by_family"]["A7"]["asr"]["count"] == 0
    assert [bound["met"] for bound in found["bounds"]] == [True, True]
    assert run(["evaluate", *SMALL, "--json"]) == Exit.FINE
    assert capsys.readouterr().out == first


def test_a_report_is_one_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The table in the terminal, and an HTML file with its plots that refers to nothing outside."""
    file = tmp_path / "report.html"
    names = ["noise-20", "without-P1"]
    chosen = [word for name in names for word in ("--arm", name)]
    assert run(["evaluate", *SMALL, *chosen, "--html", str(file)]) == Exit.FINE
    assert "A8" in capsys.readouterr().out
    page = file.read_text(encoding="utf-8")
    assert page.count("<svg") == 2
    assert not re.findall(r"""(?:src|href|url)\s*[=(]""", page)


def test_an_unknown_arm_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """With the arms that there are."""
    assert run(["evaluate", "--arm", "magic"]) == Exit.FAULT
    assert "without-P4" in capsys.readouterr().err


def test_an_external_set_is_a_file_beside_its_name(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Events, alarms per thousand and their kinds; what cannot be read is told and is a fault."""
    monkeypatch.setattr(extractors, "build_extractor", lambda _: NoExtraction())
    file = tmp_path / "log.json"
    file.write_text('{"messages": [{"sender": "a", "recipient": "b", "content": "See you at nine."}]}')
    assert run(["evaluate", "--set", "messages", str(file), "--json"]) == Exit.FINE
    assert json.loads(capsys.readouterr().out)["by_payload"]["AgentMessage"]["events"] == 1
    file.write_text('{"messages": [{"sender": "a", "recipient": "b", "content": "hi"}, {"content": "nobody"}]}')
    assert run(["evaluate", "--set", "messages", str(file)]) == Exit.FAULT
    told = capsys.readouterr()
    assert "per 1,000" in told.out
    assert "message 2" in told.err


def test_results_are_written_from_documents(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """One page with the papers' figures beside ours; without our attacks' document there is none."""
    ours, page = tmp_path / "ours.json", tmp_path / "results.md"
    assert run(["evaluate", *SMALL, "--json"]) == Exit.FINE
    ours.write_text(capsys.readouterr().out, encoding="utf-8")
    traffic = tmp_path / "traffic.json"
    kinds = [{"count": 1, "tool": "a", "payload": "ToolCall", "rule": "P2", "reason": "r", "says": "x|y"}]
    counted = {"ToolCall": {"events": 10, "alarms": 1, "alarms_per_1000": 100.0, "warnings": 0}}
    traffic.write_text(json.dumps({"set": "tau2", "title": "tau2: retail", "by_payload": counted, "kinds": kinds}))
    assert run(["evaluate", "results", str(ours), str(traffic), "--out", str(page)]) == Exit.FINE
    text = page.read_text(encoding="utf-8")
    assert "| ours, perfect extraction | 0.0" in text
    assert "100.0" in text
    assert "x/y" in text
    assert run(["evaluate", "results", str(traffic), "--out", str(page)]) == Exit.FAULT
    (tmp_path / "bad.json").write_text("[")
    assert run(["evaluate", "results", str(tmp_path / "bad.json")]) == Exit.FAULT
    assert "bad.json" in capsys.readouterr().err

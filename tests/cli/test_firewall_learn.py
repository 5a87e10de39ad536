"""`lawful firewall learn`: from demonstrations to rules with evidence, and to what changes."""

import json
from pathlib import Path

import pytest

from lawful.cli.exits import Exit
from lawful.cli.main import run


def test_rules_are_learned_and_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Both files can be used and carry evidence; the same demonstrations again change nothing."""
    demos, rules = tmp_path / "demos.jsonl", tmp_path / "rules"
    made = ["firewall", "demonstrations", "travel", "--benign", "20", "--out", str(demos)]
    assert run(made) == Exit.FINE
    assert run(["firewall", "learn", str(demos), "--out", str(rules)]) == Exit.FINE
    assert "attacks stopped" in capsys.readouterr().out
    assert "benign conversations" in (rules / "abstraction.yaml").read_text()
    again = ["firewall", "learn", str(demos), "--out", str(rules), "--against", str(rules), "--json"]
    assert run(again) == Exit.FINE
    found = json.loads(capsys.readouterr().out)
    assert found["changes"] == []
    assert found["validation"]["coverage"] >= 0.95
    assert run(["firewall", "check", str(rules)]) == Exit.FINE


def test_a_missing_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As what it is."""
    assert run(["firewall", "learn", str(tmp_path / "none.jsonl"), "--out", str(tmp_path)]) == Exit.FAULT
    assert "cannot be read" in capsys.readouterr().err


def test_an_unknown_domain_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With those that there are."""
    assert run(["firewall", "demonstrations", "cars", "--out", str(tmp_path / "x")]) == Exit.FAULT
    assert "travel, insurance, real_estate" in capsys.readouterr().err

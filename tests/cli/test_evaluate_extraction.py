"""`lawful evaluate extraction`."""

import json
from pathlib import Path

import pytest

from lawful.cli.exits import Exit
from lawful.cli.main import run


def test_both_are_told_by_type_and_language(capsys: pytest.CaptureFixture[str]) -> None:
    """Recall and precision of ours and default Presidio's on the same samples, and that ours is better."""
    assert run(["evaluate", "extraction", "--size", "60", "--json"]) == Exit.FINE
    told = json.loads(capsys.readouterr().out)
    assert (told["part"], told["samples"], told["better"]["all"]) == ("held-out", 60, True)
    for name in ("lawful", "presidio"):
        reader = told["readers"][name]
        assert {"language", "type", "type and language", "form", "evasion"} == set(reader["by"])
        assert 0 < reader["all"]["recall"] < 1


def test_a_public_set_is_told_with_its_alarms(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """False alarms per 1,000, each kind listed, and what was missed."""
    (tmp_path / "shop").mkdir()
    actions = [{"name": "find", "action_id": "1", "arguments": {"zip": "19122", "item_ids": ["8349118980"]}}]
    tasks = json.dumps([{"evaluation_criteria": {"actions": actions}}])
    (tmp_path / "shop" / "tasks.json").write_text(tasks, encoding="utf-8")
    assert run(["evaluate", "extraction", "--set", "tau2", str(tmp_path), "--alone"]) == Exit.FINE
    assert "1 of 1 personal values found; 0 false alarms, 0.0 per 1,000" in capsys.readouterr().out


def test_a_public_set_needs_its_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Which set, and where it is, belong together."""
    assert run(["evaluate", "extraction", "--set", "tau2"]) == Exit.FAULT
    assert run(["evaluate", "extraction", str(tmp_path)]) == Exit.FAULT
    assert "needs its folder" in capsys.readouterr().err

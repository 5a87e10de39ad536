"""What `lawful up` says, and refuses, without starting anything."""

import json
import shutil
from pathlib import Path

import pytest

from lawful.cli.exits import Exit
from lawful.cli.main import run
from lawful.cli.up import tell
from lawful.infra.installation import Installation
from lawful.policies.load import pack_folder

HERE = Installation(
    pid=1,
    values={"kafka.bootstrap": "127.0.0.1:9092", "clickhouse.host": "127.0.0.1", "clickhouse.port": "8123"},
    passwords={},
    key_file="",
)


def test_of_several_policies_one_has_to_be_chosen_before_anything_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The error names the option and what it may say, and no engine was started."""
    monkeypatch.chdir(tmp_path)
    for name in ("shopper", "airline"):
        shutil.copytree(pack_folder(name), tmp_path / "own" / name)
    assert run(["up", "--policies", "own"]) == Exit.FAULT
    assert "choose one: --policy airline|shopper" in capsys.readouterr().err
    assert not (tmp_path / ".lawful").exists()


def test_a_gateway_is_told_of_with_its_outbox(capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever asked for one learns that it runs and where to write; nobody else hears of it."""
    tell(HERE, "lawful.outbox", as_json=False)
    assert "the gateway runs: write events to the topic lawful.outbox" in capsys.readouterr().err
    tell(HERE, "", as_json=False)
    assert "gateway" not in capsys.readouterr().err
    tell(HERE, "lawful.outbox", as_json=True)
    assert json.loads(capsys.readouterr().out)["outbox"] == "lawful.outbox"

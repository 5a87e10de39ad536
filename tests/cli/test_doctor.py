"""`lawful doctor`: says what is wrong and what to do, whatever is wrong."""

import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from lawful.cli.exits import Exit
from lawful.cli.main import run
from lawful.infra import health
from lawful.infra.findings import State


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Addresses at which nobody answers, and no key."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LAWFUL_KAFKA_BOOTSTRAP", "127.0.0.1:1")
    monkeypatch.setenv("LAWFUL_CLICKHOUSE_PORT", "1")
    monkeypatch.setattr("lawful.infra.kafka_admin.TIMEOUT_SECONDS", 1.0)


@pytest.mark.usefixtures("nowhere")
def test_it_finishes_its_round_and_names_every_remedy(capsys: pytest.CaptureFixture[str]) -> None:
    """With nothing in place, each fault is one finding with a hint; the status is 1."""
    assert run(["doctor", "--json"]) == Exit.FAULT
    found = {each["what"]: each for each in json.loads(capsys.readouterr().out)["findings"]}
    assert found["Python"]["state"] == "fine"
    assert found["pseudonym key"]["state"] == "wrong"
    assert "LAWFUL_PSEUDONYM_KEY" in found["pseudonym key"]["hint"]
    assert "LAWFUL_DEFAULT_POLICY" in found["policies"]["hint"]
    assert found["Kafka"]["state"] == found["ClickHouse"]["state"] == "wrong"
    assert "start `lawful up`" in found["Kafka"]["hint"]
    assert not [each["what"] for each in found.values() if each["state"] == "wrong" and not each["hint"]]


def test_where_nothing_runs_starting_it_is_the_first_remedy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever has said where the installation is hears nothing of it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(health, "examine", lambda *_: iter([]))
    assert run(["doctor", "--json"]) == Exit.FAULT
    (first,) = json.loads(capsys.readouterr().out)["findings"]
    assert (first["what"], "start `lawful up`" in first["hint"]) == ("installation", True)
    monkeypatch.setenv("LAWFUL_KAFKA_BOOTSTRAP", "127.0.0.1:1")
    assert run(["doctor", "--json"]) == Exit.FINE
    assert json.loads(capsys.readouterr().out)["findings"] == []


@pytest.mark.usefixtures("nowhere")
def test_a_broken_policy_is_told_with_its_place(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The doctor repeats what the policy's reader says."""
    (tmp_path / "policies").mkdir()
    (tmp_path / "policies" / "mine.yaml").write_text("id: mine\nversion: 1\n")
    monkeypatch.setenv("LAWFUL_POLICIES_DIR", str(tmp_path / "policies"))
    assert run(["doctor", "--json"]) == Exit.FAULT
    found = {each["what"]: each for each in json.loads(capsys.readouterr().out)["findings"]}
    assert "mine.yaml:" in found["policies"]["words"]


def test_a_loaded_package_without_a_spec_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some packages leave a loaded module without a spec; that is no fault of the installation."""
    monkeypatch.setitem(sys.modules, "specless", ModuleType("specless"))
    assert health._packages("pipeline", ("specless",), State.WRONG).state is State.FINE

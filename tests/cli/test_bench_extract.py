"""`lawful bench extract`."""

import json
import venv
from collections.abc import Sequence
from pathlib import Path

import pytest

from lawful.cli.exits import Exit
from lawful.cli.main import run
from lawful.extractors.presidio.default import DefaultHit
from lawful.infra.bench import extract
from lawful.infra.corpus.template import Label
from lawful.infra.scoring.templates import NotInstalled, personal_only, read, sentences

SMALL = ["--texts", "4", "--stream", "12", "--rounds", "1", "--samples", "30", "--events", "20"]


class Blind:
    """Stands for default Presidio, which takes seconds to load; `lawful evaluate extraction` tests the real one."""

    def hits(self, text: str, words: Sequence[str] = ()) -> list[DefaultHit]:
        """The first word of every text."""
        del words
        return [DefaultHit("PERSON", 0, len(text.split(" ", maxsplit=1)[0]), 1.0)]


def test_speed_accuracy_and_memory_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three kinds of texts, both readers, and why the templates were left out."""
    monkeypatch.setattr(extract, "DefaultPresidio", Blind)
    missing = ["--templates", "5", "--templates-python", str(tmp_path / "python")]
    assert run(["bench", "extract", "--json", *SMALL, *missing]) == Exit.FINE
    found = json.loads(capsys.readouterr().out)
    assert {name: one["events"] for name, one in found["speed"].items()} == {"messages": 4, "calls": 4, "stream": 12}
    assert all(one["ours_ms_per_event"] > 0 for one in found["speed"].values())
    assert {"lawful", "presidio", "better"} == set(found["accuracy"]["held_out"])
    assert "presidio-evaluator: FileNotFoundError" in found["accuracy"]["templates"]["skipped"]
    assert found["lasting"]["events"] == 20
    assert [one["events"] for one in found["lasting"]["tenths"].values()] == [2, 2, 2]
    assert [target["name"] for target in found["targets"]][:2] == [
        "stream: times default Presidio",
        "messages: times default Presidio",
    ]


def test_others_sentences_keep_their_labels() -> None:
    """What the other environment prints becomes samples; what is about nobody by itself can be left out."""
    printed = ["noise", 'JSON ["Ada lives in Rome", [[0, 3, "PERSON"], [13, 17, "GPE"], [0, 1, "NOBODY_KNOWS"]]]']
    (sample,) = read(printed)
    assert sample.labels == (Label("/text", 0, 3, "name"), Label("/text", 13, 17, "place"))
    assert personal_only(sample).labels == (Label("/text", 0, 3, "name"),)


def test_what_cannot_be_installed_is_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment that cannot be filled says why."""
    monkeypatch.setattr(venv, "create", lambda *_, **__: None)
    with pytest.raises(NotInstalled, match="presidio-evaluator: FileNotFoundError"):
        sentences(1, 1)

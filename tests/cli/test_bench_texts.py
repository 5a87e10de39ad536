"""`lawful bench hostile` and `lawful bench patterns`."""

import json
from typing import Any

import pytest

from lawful.cli.exits import Exit
from lawful.cli.main import run
from lawful.extractors.port import Extraction, ExtractionSpec
from lawful.extractors.presidio import differential
from lawful.infra.bench.hostile import bench_hostile
from lawful.infra.bench.hostile_texts import SOMEBODY, hostile
from lawful.infra.scoring import readers
from lawful.schemas.event import AgentEvent
from lawful.schemas.view import ExtractionStatus


class Counting:
    """An extractor that only says how long texts were."""

    def __init__(self) -> None:
        self.lengths: list[int] = []
        self.asked: set[tuple[int, bool]] = set()

    def extract(self, event: AgentEvent, spec: ExtractionSpec) -> Extraction:
        """Complete, and nothing found."""
        payload: Any = event.payload
        text: str = getattr(payload, "text", "") or getattr(payload, "content", "")
        self.lengths.append(len(text.encode()))
        self.asked.add((len(event.subjects), bool(spec.identifiers and spec.key_hints)))
        return Extraction((), (), ExtractionStatus.COMPLETE)


def test_hostile_texts_are_bounded_and_repeatable() -> None:
    """Each has about the size that was asked for, and the same seed makes the same ones."""
    one, other = (list(hostile(500, 12, seed=3)) for _ in range(2))
    assert one == other
    families = {text.family for text in one}
    assert families >= {
        "dots",
        "digits",
        "brackets",
        "marks",
        "words",
        "nesting",
        "rows",
        "mixtures",
        "subjects",
        "policy",
        "notes",
    }
    assert all(400 <= len(text.text.encode()) <= 500 for text in one)


def test_the_slowest_are_told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A figure per text, the largest first, and what was wanted."""
    counting = Counting()
    monkeypatch.setattr(readers, "our_extractor", lambda: counting)
    assert run(["bench", "hostile", "--json", "--size", "300", "--mixtures", "4"]) == Exit.FINE
    found = json.loads(capsys.readouterr().out)
    assert found["texts"] > 80
    assert found["ms"]["max"] == found["slowest"][0]["ms"] == found["target"]["measured"]
    assert found["over"] == 0
    assert max(counting.lengths) <= 300
    assert counting.asked == {(0, False), (0, True), (len(SOMEBODY), False), (len(SOMEBODY), True)}
    assert run(["bench", "hostile", "--size", "300", "--mixtures", "0"]) == Exit.FINE
    assert "wanted at most 50.0" in capsys.readouterr().out


def test_every_hostile_text_is_answered() -> None:
    """Small ones through the extractor as it ships: nothing fails, and nothing is late."""
    found = bench_hostile(300, 4, 5, readers.our_extractor(), lambda _what: None)
    answers = {one["answer"] for one in found["slowest"]}
    assert not [answer for answer in answers if "failed" in answer or "timeout" in answer]


def test_a_difference_is_a_fault(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """No difference: status 0; one: 70, and whose."""
    assert run(["bench", "patterns", "--json", "--texts", "5"]) == Exit.FINE
    found = json.loads(capsys.readouterr().out)
    assert (found["texts"], found["differences"], found["in"]) == (5, 0, [])
    assert found["hits"] > 0
    one = differential.Difference("Some", "text", frozenset(), frozenset())
    told = differential.Comparison(1, 1, 1, 0, 0, (one,), (0.0, 0.0))
    monkeypatch.setattr(differential, "compare", lambda *_args, **_named: told)
    assert run(["bench", "patterns", "--texts", "1"]) == Exit.BUG
    assert "Some" in capsys.readouterr().out

"""`lawful evaluate --suite`: a suite is asked for by its name, and tells whether it keeps what it promises."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import pytest

from lawful.cli import evaluate_suites
from lawful.cli.exits import Exit
from lawful.cli.main import run
from lawful.infra.evaluation.suites import Grid, Suite


@dataclass(frozen=True)
class Told:
    """What a suite for this test comes to."""

    seed: int
    size: int | None

    @property
    def met(self) -> bool:
        """Held, unless the seed is 13."""
        return self.seed != 13

    def as_json(self) -> dict[str, Any]:
        """What it was asked for."""
        return {"seed": self.seed, "size": self.size}

    def grids(self) -> list[Grid]:
        """One table."""
        return [Grid("held", ("arm", "share"), (("ours", "0.0"),))]


@pytest.fixture(autouse=True)
def _one_suite(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("a_suite_of_this_test")

    def run_it(*, seed: int, size: int | None, advance: Callable[[int], None]) -> Told:
        advance(1)
        return Told(seed, size)

    vars(module)["run"] = run_it
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(evaluate_suites, "SUITES", {"small": Suite("for this test", module.__name__)})


def test_a_suite_is_run_with_its_seed_and_size(capsys: pytest.CaptureFixture[str]) -> None:
    """As one JSON object, or as tables."""
    assert run(["evaluate", "--suite", "small", "--seed", "3", "--size", "9", "--json"]) == Exit.FINE
    assert json.loads(capsys.readouterr().out) == {"suite": "small", "seed": 3, "size": 9}
    assert run(["evaluate", "--suite", "small"]) == Exit.FINE
    assert "share" in capsys.readouterr().out


def test_a_broken_promise_is_a_fault(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit status 1, with the tables all the same."""
    assert run(["evaluate", "--suite", "small", "--seed", "13"]) == Exit.FAULT
    assert "ours" in capsys.readouterr().out


def test_an_unknown_suite_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """With the suites that there are."""
    assert run(["evaluate", "--suite", "large"]) == Exit.FAULT
    assert "the suites are small" in capsys.readouterr().err

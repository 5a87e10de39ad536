"""How the parts of one machine are started again."""

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from lawful.infra import stack
from lawful.infra.engines.process import Command, EngineFailed
from lawful.infra.settings import Settings
from lawful.infra.stack import WRITER_NAME, Plan, Stack, ports

# Ends with the first status that is left in a file; ready where none is left.
CHILD = """
import pathlib, sys, time
left, ready = map(pathlib.Path, sys.argv[1:])
first, *rest = left.read_text().split() or [None]
left.write_text(" ".join(rest))
if first is not None:
    sys.exit(int(first))
ready.touch()
time.sleep(60)
"""


class Small(Stack):
    """A stack of one child that ends with these statuses, one after the other, before it starts."""

    def __init__(self, folder: Path, statuses: Sequence[int]) -> None:
        self.said: list[str] = []
        super().__init__(Plan(folder), self.said.append)
        self.left, self.ready, self.log = folder / "left", folder / "ready", folder / "log"
        self.left.write_text(" ".join(map(str, statuses)))

    def _command(self, name: str) -> Command:
        argv = [sys.executable, "-I", "-S", "-c", CHILD, str(self.left), str(self.ready)]
        return Command(name, argv, self.log, healthy=self.ready.exists)

    def begin(self) -> None:
        """Starts the child, and stops it."""
        try:
            self._spawn(WRITER_NAME)
        finally:
            self._stop_children()


def test_each_part_has_ports_of_its_own() -> None:
    """The first has the ports that are set, the others the next ones; without a setting there is none."""
    settings = Settings(metrics_port=9464, health_port=8080)
    assert ports(settings, 0) == {"LAWFUL_METRICS_PORT": "9464", "LAWFUL_HEALTH_PORT": "8080"}
    assert ports(settings, 2) == {"LAWFUL_METRICS_PORT": "9466", "LAWFUL_HEALTH_PORT": "8082"}
    assert ports(Settings(), 1) == {}


def test_a_part_that_crashes_while_it_starts_is_started_again(tmp_path: Path) -> None:
    """Two crashes are told and got over."""
    small = Small(tmp_path, [stack.CRASHED] * (stack.STARTS - 1))
    small.begin()
    assert small.ready.exists()
    assert len(small.said) == stack.STARTS - 1


@pytest.mark.parametrize(
    ("statuses", "left"), [([stack.CRASHED] * (stack.STARTS + 1), str(stack.CRASHED)), ([4, 1], "1")]
)
def test_a_part_that_keeps_crashing_or_gives_a_reason_is_not(tmp_path: Path, statuses: list[int], left: str) -> None:
    """It is tried only so often, and not again when it ended for a reason."""
    small = Small(tmp_path, statuses)
    with pytest.raises(EngineFailed):
        small.begin()
    assert small.left.read_text() == left

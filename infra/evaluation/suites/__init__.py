"""Evaluation suites by name: `lawful evaluate --suite NAME`.

A suite is a module with a `run`. It is imported only when it is asked for, so that one suite's
libraries are no cost to another.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, Protocol


@dataclass(frozen=True, slots=True)
class Grid:
    """One table of a suite's answer, as a terminal shows it."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


class SuiteTable(Protocol):
    """What comes of a suite."""

    @property
    def met(self) -> bool:
        """Whether everything that the suite promises holds; the command's exit status 1 if not."""
        ...

    def as_json(self) -> dict[str, Any]:
        """The whole answer. The same seed gives the same one, apart from timings."""
        ...

    def grids(self) -> Sequence[Grid]:
        """The same for a terminal."""
        ...


class Runner(Protocol):
    """A suite's `run`."""

    def __call__(self, *, seed: int, size: int | None, advance: Callable[[int], None]) -> SuiteTable:
        """Runs the suite.

        Args:
            seed: the same seed makes the same suite.
            size: how many conversations (or whatever the suite is made of); `None`: the suite's own number.
            advance: told how many of them are done.
        """
        ...


@dataclass(frozen=True, slots=True)
class Suite:
    """Where a suite is.

    Attributes:
        module: has a `run`, which is a `Runner`.
    """

    title: str
    module: str


SUITES: Final[Mapping[str, Suite]] = {
    "maris": Suite("hospital, supply chain and travel agents", "lawful.infra.evaluation.suites.maris.run"),
    "converse": Suite("a user's assistant and a service's agent", "lawful.infra.evaluation.suites.converse.run"),
    "auditors": Suite("faults before auditors, on six graphs", "lawful.infra.evaluation.suites.auditing.run"),
}


def runner(suite: Suite) -> Runner:
    """The suite's `run`; imports its module."""
    found: Runner = import_module(suite.module).run
    return found

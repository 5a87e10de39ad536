"""Conjunctions: a chain of stages, each of which knows a little more of the row.

Each stage hands its rows on to the next one, down to a sink that takes whole rows. A sink that has
had enough says so, and everything stops: asking whether there is any row costs the first one only.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lawful.policies.mfotl.nodes import Check, Match, Node, Row, Rows, Step, picker
from lawful.policies.mfotl.syntax import Value

Sink = Callable[[Row], Any]
"""Takes a row; true: enough."""

Chain = Callable[[Step, Row, Sink], Any]
"""From a row so far to all its completions; true: the sink had enough."""

Compute = Callable[[Row], Value]
"""A term over a row of known values."""


@dataclass(frozen=True, slots=True)
class Probe:
    """A stage: look up a node by the values known so far, learn the rest."""

    node: Node
    mine: tuple[int, ...]  # positions in the row so far ...
    theirs: tuple[int, ...]  # ... that must equal these columns of the node
    learn: tuple[int, ...]  # columns of the node that are new

    def link(self, after: Chain) -> Chain:
        """This stage, before the rest of the chain."""
        learn = picker(self.learn)
        if not self.theirs:
            return _generate(self.node.rows, learn, after)
        return _look_up(self.node.matcher(self.theirs), picker(self.mine), learn, after)


@dataclass(frozen=True, slots=True)
class Assign:
    """A stage: `x = term` gives a new value."""

    compute: Compute

    def link(self, after: Chain) -> Chain:
        """This stage, before the rest of the chain."""
        compute = self.compute
        return lambda step, row, sink: after(step, (*row, compute(row)), sink)


@dataclass(frozen=True, slots=True)
class Filter:
    """A stage: a condition over values that are all known."""

    check: Check

    def link(self, after: Chain) -> Chain:
        """This stage, before the rest of the chain."""
        check = self.check
        return lambda step, row, sink: check(step, row) and after(step, row, sink)


@dataclass(frozen=True, slots=True)
class Known:
    """A stage: a node that holds, or does not, of values that are all known."""

    node: Node
    mine: tuple[int, ...]  # positions in the row so far of the node's columns
    denied: bool

    def link(self, after: Chain) -> Chain:
        """This stage, before the rest of the chain."""
        holds, pick = self.node.holder(), picker(self.mine)
        if self.denied:
            return lambda step, row, sink: not holds(step, pick(row)) and after(step, row, sink)
        return lambda step, row, sink: holds(step, pick(row)) and after(step, row, sink)


Stage = Probe | Assign | Filter | Known


def _generate(rows: Callable[[Step], Rows], learn: Callable[[Row], Row], after: Chain) -> Chain:
    def run(step: Step, row: Row, sink: Sink) -> Any:
        for found in rows(step):  # noqa: SIM110 - a generator costs more than all the rest here
            if after(step, row + learn(found), sink):
                return True
        return False

    return run


def _look_up(match: Match, pick: Callable[[Row], Row], learn: Callable[[Row], Row], after: Chain) -> Chain:
    def run(step: Step, row: Row, sink: Sink) -> Any:
        for found in match(step, pick(row)):  # noqa: SIM110 - as above
            if after(step, row + learn(found), sink):
                return True
        return False

    return run


def _end(_: Step, row: Row, sink: Sink) -> Any:
    return sink(row)


def _enough(_: Row) -> bool:
    return True


def chain(stages: list[Stage]) -> Chain:
    """The stages as one."""
    linked: Chain = _end
    for stage in reversed(stages):
        linked = stage.link(linked)
    return linked


def some(linked: Chain) -> Check:
    """Whether a row has any completion."""
    return lambda step, row: linked(step, row, _enough)


class Join:
    """A conjunction.

    Args:
        order: the stages, given the columns that are known from outside, and the columns they end with.
    """

    def __init__(self, order: Callable[[tuple[str, ...]], tuple[list[Stage], tuple[str, ...]]]) -> None:
        stages, self.vars = order(())
        self._chain = chain(stages)
        self._order = order

    def rows(self, step: Step) -> Rows:
        """The rows that pass all stages."""
        found: list[Row] = []
        self._chain(step, (), found.append)
        return found

    def holder(self) -> Check:
        """Whether every conjunct holds of a row."""
        stages, _ = self._order(self.vars)
        return some(chain(stages))

    def matcher(self, columns: tuple[int, ...]) -> Match:
        """The rows with these values, found from those values on."""
        if not columns:
            return lambda step, _: self.rows(step)
        stages, ends = self._order(tuple(self.vars[column] for column in columns))
        linked, turn = chain(stages), picker(tuple(ends.index(name) for name in self.vars))

        def match(step: Step, key: Row) -> Rows:
            found: list[Row] = []
            linked(step, key, found.append)
            return list(map(turn, found))

        return match

"""Temporal nodes: the only ones with memory. Each is stepped exactly once per time-point.

What an event costs does not grow with the trace: rows live in a dictionary from row to latest
stamp, leave through an expiry queue when the interval has passed them, and, where the interval
does not begin at 0, arrive through a waiting queue. State is plain lists and numbers.
"""

from collections import deque
from collections.abc import Iterable
from typing import Any, Protocol

from lawful.policies.mfotl.nodes import Check, Matching, Node, Row, Step, project
from lawful.policies.mfotl.syntax import Interval

State = list[Any]
"""Plain, serialisable state of one temporal node."""


class Temporal(Protocol):
    """A node with memory."""

    def advance(self, step: Step) -> None:
        """Take in one time-point. Called once, inner nodes before outer ones."""

    def save(self) -> State:
        """The memory as plain lists, numbers and texts."""

    def load(self, state: State) -> None:
        """Put back what `save` gave."""


class Previous(Matching):
    """`PREV[I] phi`: what held at the time-point before, if it is as long ago as I says."""

    def __init__(self, interval: Interval, body: Node) -> None:
        self.vars = body.vars
        self._interval = interval
        self._body = body
        self._before: set[Row] = set()  # rows at the time-point before
        self._latest: set[Row] = set()  # rows at this one, for the next
        self._stamp: int | None = None

    def advance(self, step: Step) -> None:
        """Move on by one time-point."""
        near = self._stamp is not None and self._within(step.stamp - self._stamp)
        self._before = self._latest if near else set()
        self._latest = set(self._body.rows(step))
        self._stamp = step.stamp

    def _within(self, distance: int) -> bool:
        return self._interval.reached(distance) and not self._interval.passed(distance)

    def rows(self, step: Step) -> Iterable[Row]:
        """The rows of the time-point before."""
        return self._before

    def holds(self, step: Step, row: Row) -> bool:
        """Whether the row held then."""
        return row in self._before

    def save(self) -> State:
        """Stamp and rows of the latest time-point."""
        return [self._stamp, [list(row) for row in sorted(self._latest, key=repr)]]

    def load(self, state: State) -> None:
        """Put them back."""
        self._stamp = state[0]
        self._latest = {tuple(row) for row in state[1]}


class Window:
    """Rows with the stamps at which they began to hold, as far as an interval can still see them."""

    def __init__(self, interval: Interval) -> None:
        self._interval = interval
        self._waits = interval.lo > 0 or interval.lo_open
        self._waiting: deque[tuple[int, Row]] = deque()
        self._leaving: deque[tuple[int, Row]] = deque()
        self.live: dict[Row, int] = {}
        self._indexes: dict[tuple[int, ...], dict[Row, set[Row]]] = {}

    def shift(self, now: int) -> None:
        """Let in what the interval has reached, let go what it has passed."""
        interval, waiting = self._interval, self._waiting
        while waiting and interval.reached(now - waiting[0][0]):
            self._admit(*waiting.popleft())
        leaving = self._leaving
        while leaving and interval.passed(now - leaving[0][0]):
            stamp, row = leaving.popleft()
            if self.live.get(row) == stamp:
                self._drop(row)

    def insert(self, stamp: int, rows: Iterable[Row]) -> None:
        """Rows that hold from this stamp on."""
        for row in rows:
            if self._waits:
                self._waiting.append((stamp, row))
            else:
                self._admit(stamp, row)

    def keep(self, wanted: "Check", step: Step) -> None:
        """Forget every row that does not pass the check."""
        for row in [row for row in self.live if not wanted(step, row)]:
            self._drop(row)
        if self._waiting:
            self._waiting = deque(item for item in self._waiting if wanted(step, item[1]))

    def remove(self, columns: tuple[int, ...], keys: Iterable[Row]) -> None:
        """Forget every row whose given columns have one of these values."""
        gone = set(keys)
        if not gone:
            return
        for key in gone:
            for row in list(self.matching(columns, key)):
                self._drop(row)
        if self._waiting:
            self._waiting = deque(item for item in self._waiting if project(item[1], columns) not in gone)

    def matching(self, columns: tuple[int, ...], key: Row) -> Iterable[Row]:
        """The live rows with these values, by a hash index that is made when first asked for."""
        if not columns:
            return self.live
        index = self._indexes.get(columns)
        if index is None:
            index = self._indexes[columns] = {}
            for row in self.live:
                index.setdefault(project(row, columns), set()).add(row)
        return index.get(key, ())

    def _admit(self, stamp: int, row: Row) -> None:
        known = row in self.live
        if known and self.live[row] == stamp:
            return
        self.live[row] = stamp
        if self._interval.hi is not None:
            self._leaving.append((stamp, row))
        if not known:
            for columns, index in self._indexes.items():
                index.setdefault(project(row, columns), set()).add(row)

    def _drop(self, row: Row) -> None:
        del self.live[row]
        for columns, index in self._indexes.items():
            key = project(row, columns)
            rows = index[key]
            rows.discard(row)
            if not rows:
                del index[key]

    def save(self) -> State:
        """Live and waiting rows with their stamps."""
        live = sorted(self.live.items(), key=lambda item: (item[1], repr(item[0])))
        return [[[stamp, list(row)] for row, stamp in live], [[stamp, list(row)] for stamp, row in self._waiting]]

    def load(self, state: State) -> None:
        """Put them back."""
        self.live.clear()
        self._indexes.clear()
        self._leaving.clear()
        for stamp, row in state[0]:
            self._admit(stamp, tuple(row))
        self._waiting = deque((stamp, tuple(row)) for stamp, row in state[1])


class _Windowed:
    """What ONCE and SINCE share: their rows are those of a window."""

    def __init__(self, interval: Interval, body: Node) -> None:
        self.vars = body.vars
        self._body = body
        self._window = Window(interval)

    def rows(self, step: Step) -> Iterable[Row]:
        """The rows within the interval."""
        return self._window.live

    def holds(self, step: Step, row: Row) -> bool:
        """Whether the row is within the interval."""
        return row in self._window.live

    def match(self, step: Step, columns: tuple[int, ...], key: Row) -> Iterable[Row]:
        """By hash index."""
        return self._window.matching(columns, key)

    def save(self) -> State:
        """The window's state."""
        return self._window.save()

    def load(self, state: State) -> None:
        """Put it back."""
        self._window.load(state)


class Once(_Windowed):
    """`ONCE[I] phi`."""

    def advance(self, step: Step) -> None:
        """Take in what holds now."""
        self._window.insert(step.stamp, self._body.rows(step))
        self._window.shift(step.stamp)


class SinceKept(_Windowed):
    """`phi SINCE[I] psi`: rows stay as long as phi holds of them."""

    def __init__(self, interval: Interval, body: Node, stays: Check) -> None:
        super().__init__(interval, body)
        self._stays = stays

    def advance(self, step: Step) -> None:
        """First forget, then take in: psi now needs no phi."""
        self._window.keep(self._stays, step)
        self._window.insert(step.stamp, self._body.rows(step))
        self._window.shift(step.stamp)


class SinceKilled(_Windowed):
    """`(NOT phi) SINCE[I] psi`: the few rows of phi remove what they match."""

    def __init__(self, interval: Interval, body: Node, killer: Node) -> None:
        super().__init__(interval, body)
        self._killer = killer
        self._columns = tuple(body.vars.index(name) for name in killer.vars)

    def advance(self, step: Step) -> None:
        """First forget, then take in."""
        self._window.remove(self._columns, self._killer.rows(step))
        self._window.insert(step.stamp, self._body.rows(step))
        self._window.shift(step.stamp)

"""Temporal nodes: the only ones with memory. Each is stepped at most once per time-point.

What an event costs does not grow with the trace: rows live in a dictionary from row to latest
stamp, leave through an expiry queue when the interval has passed them, and, where the interval
does not begin at 0, arrive through a waiting queue. A node whose memory the event's facts cannot
change is left alone. The memory itself is plain lists and numbers and belongs to the monitor; the
node knows only its slot there, so that one plan serves any number of monitors.
"""

from collections import deque
from collections.abc import Iterable
from typing import Any, Protocol, cast

from lawful.policies.mfotl.nodes import Check, Facts, Match, Node, Row, Rows, Step, picker
from lawful.policies.mfotl.syntax import Interval

State = list[Any]
"""Plain, serialisable state of one temporal node."""

Needs = frozenset[str] | None
"""Predicates without any fact of which a node has no row; `None`: it may have one all the same."""

_NOTHING: tuple[Row, ...] = ()


class Memory(Protocol):
    """What a temporal node remembers of one trace."""

    def save(self) -> State:
        """As plain lists, numbers and texts."""
        ...

    def load(self, state: State) -> None:
        """Put back what `save` gave."""
        ...


class Temporal(Protocol):
    """A node with memory."""

    def fresh(self) -> Memory:
        """The memory of an empty trace."""
        ...

    def wakes(self, facts: Facts) -> bool:
        """Whether a time-point with these facts may change the memory."""
        ...

    def advance(self, step: Step) -> None:
        """Take in one time-point, inner nodes before outer ones."""
        ...


class Before:
    """What held at the latest time-point, and at the one before if that was as long ago as wanted."""

    def __init__(self) -> None:
        self.stamp: int | None = None
        self.before: frozenset[Row] = frozenset()
        self.latest: frozenset[Row] = frozenset()

    def save(self) -> State:
        """Stamp and rows of the latest time-point."""
        return [self.stamp, [list(row) for row in sorted(self.latest, key=repr)]]

    def load(self, state: State) -> None:
        """Put them back."""
        self.stamp = state[0]
        self.latest = frozenset(tuple(row) for row in state[1])


class Previous:
    """`PREV[I] phi`: what held at the time-point before, if it is as long ago as I says."""

    def __init__(self, slot: int, interval: Interval, body: Node) -> None:
        self.vars = body.vars
        self._slot = slot
        self._interval = interval
        self._body = body

    def fresh(self) -> Before:
        """Nothing held before."""
        return Before()

    def wakes(self, facts: Facts) -> bool:
        """Always: even nothing is what held before."""
        return True

    def advance(self, step: Step) -> None:
        """Move on by one time-point."""
        memory: Before = step.state[self._slot]
        near = memory.stamp is not None and self._within(step.stamp - memory.stamp)
        memory.before = memory.latest if near else frozenset()
        memory.latest = frozenset(self._body.rows(step))
        memory.stamp = step.stamp

    def _within(self, distance: int) -> bool:
        return self._interval.reached(distance) and not self._interval.passed(distance)

    def rows(self, step: Step) -> Rows:
        """The rows of the time-point before."""
        return cast("Before", step.state[self._slot]).before

    def holder(self) -> Check:
        """Whether the row held then."""
        slot = self._slot
        return lambda step, row: row in step.state[slot].before

    def matcher(self, columns: tuple[int, ...]) -> Match:
        """The rows that held then and have these values."""
        pick, slot = picker(columns), self._slot
        return lambda step, key: [row for row in step.state[slot].before if pick(row) == key]


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

    def keep(self, wanted: Check, step: Step) -> None:
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
            self._waiting = deque(item for item in self._waiting if _project(item[1], columns) not in gone)

    def matching(self, columns: tuple[int, ...], key: Row) -> Rows:
        """The live rows with these values, by a hash index that is made when first asked for."""
        if not columns or not self.live:
            return self.live
        index = self._indexes.get(columns)
        if index is None:
            index = self._indexes[columns] = {}
            for row in self.live:
                index.setdefault(_project(row, columns), set()).add(row)
        return index.get(key, _NOTHING)

    def _admit(self, stamp: int, row: Row) -> None:
        known = row in self.live
        if known and self.live[row] == stamp:
            return
        self.live[row] = stamp
        if self._interval.hi is not None:
            self._leaving.append((stamp, row))
        if not known:
            for columns, index in self._indexes.items():
                index.setdefault(_project(row, columns), set()).add(row)

    def _drop(self, row: Row) -> None:
        del self.live[row]
        for columns, index in self._indexes.items():
            key = _project(row, columns)
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

    def __init__(self, slot: int, interval: Interval, body: Node, needs: Needs) -> None:
        self.vars = body.vars
        self._slot = slot
        self._interval = interval
        self._body = body
        self._still = interval.unrestricted  # rows stay for ever, so time alone changes nothing
        self._needs = needs

    def fresh(self) -> Window:
        """An empty window."""
        return Window(self._interval)

    def wakes(self, facts: Facts) -> bool:
        """Whether rows may come or go."""
        return not self._still or _any_of(self._needs, facts)

    def rows(self, step: Step) -> Rows:
        """The rows within the interval."""
        return cast("Window", step.state[self._slot]).live

    def holder(self) -> Check:
        """Whether the row is within the interval."""
        slot = self._slot
        return lambda step, row: row in step.state[slot].live

    def matcher(self, columns: tuple[int, ...]) -> Match:
        """By hash index."""
        slot = self._slot
        return lambda step, key: step.state[slot].matching(columns, key)


class Once(_Windowed):
    """`ONCE[I] phi`."""

    def advance(self, step: Step) -> None:
        """Take in what holds now."""
        window: Window = step.state[self._slot]
        window.insert(step.stamp, self._body.rows(step))
        window.shift(step.stamp)


class SinceKept(_Windowed):
    """`phi SINCE[I] psi`: rows stay as long as phi holds of them."""

    def __init__(self, slot: int, interval: Interval, body: Node, stays: Check) -> None:
        super().__init__(slot, interval, body, None)
        self._stays = stays

    def advance(self, step: Step) -> None:
        """First forget, then take in: psi now needs no phi."""
        window: Window = step.state[self._slot]
        window.keep(self._stays, step)
        window.insert(step.stamp, self._body.rows(step))
        window.shift(step.stamp)


class SinceKilled(_Windowed):
    """`(NOT phi) SINCE[I] psi`: the few rows of phi remove what they match."""

    def __init__(self, slot: int, interval: Interval, body: Node, killer: Node, needs: Needs) -> None:
        super().__init__(slot, interval, body, needs)
        self._killer = killer
        self._columns = tuple(body.vars.index(name) for name in killer.vars)

    def advance(self, step: Step) -> None:
        """First forget, then take in."""
        window: Window = step.state[self._slot]
        window.remove(self._columns, self._killer.rows(step))
        window.insert(step.stamp, self._body.rows(step))
        window.shift(step.stamp)


def _any_of(needs: Needs, facts: Facts) -> bool:
    return needs is None or any(facts.get(name) for name in needs)


def _project(row: Row, columns: tuple[int, ...]) -> Row:
    return tuple([row[column] for column in columns])

"""Relational nodes: what holds at a time-point, asked for as late and as narrowly as possible.

A node knows its variables and answers three questions about a time-point: all its rows, the rows
that match a few given values, and whether one row holds. The last two are asked for when the
formula is planned and come as functions, so that nothing is looked for twice. Nodes keep no state:
what temporal ones remember (`lawful.policies.mfotl.temporal`) is the monitor's.
"""

import operator
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from lawful.policies.mfotl.syntax import Value

Row = tuple[Value, ...]
Rows = Collection[Row]
Facts = Mapping[str, Rows]
_NOTHING: tuple[Row, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Recurring:
    """Facts that many time-points share, and what has been worked out from them alone."""

    facts: Facts
    memory: dict[Hashable, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Step:
    """One time-point.

    Attributes:
        stamp: its time.
        facts: what happens, predicate name to rows.
        changing: the facts that differ even where the others recur.
        state: what the temporal nodes remember, by their slots.
        memory: what follows from `facts` alone.
        cache: what follows at this time-point.
    """

    stamp: int
    facts: Facts
    changing: Facts
    state: Sequence[Any]
    memory: dict[Hashable, Any]
    cache: dict[Hashable, Any] = field(default_factory=dict)


Check = Callable[[Step, Row], Any]
"""A condition over a row of known values: something true or false."""

Match = Callable[[Step, Row], Rows]
"""The rows that have these values in certain columns."""


class Node(Protocol):
    """A formula that can be evaluated; `vars` names the columns of its rows."""

    @property
    def vars(self) -> tuple[str, ...]:
        """The columns, in order."""
        ...

    def rows(self, step: Step) -> Rows:
        """Every row that holds now."""
        ...

    def holder(self) -> Check:
        """Whether a row holds."""
        ...

    def matcher(self, columns: tuple[int, ...]) -> Match:
        """The rows whose given columns have given values."""
        ...


def picker(columns: Sequence[int]) -> Callable[[Row], Row]:
    """Some columns of a row."""
    if not columns:
        return lambda _: ()
    if len(columns) == 1:
        (column,) = columns
        return lambda row: (row[column],)
    return operator.itemgetter(*columns)


def in_order(columns: Sequence[int]) -> Callable[[Row], Row]:
    """Values given for these columns, all of a row's, as that row."""
    return picker([columns.index(column) for column in range(len(columns))])


class Matching:
    """Matching by looking through all rows: for nodes that have only a few."""

    vars: tuple[str, ...] = ()

    def rows(self, step: Step) -> Rows:
        """Every row that holds now."""
        raise NotImplementedError

    def holder(self) -> Check:
        """Whether a row is one of them."""
        return lambda step, row: row in self.rows(step)

    def matcher(self, columns: tuple[int, ...]) -> Match:
        """The rows whose given columns have given values."""
        pick = picker(columns)
        return lambda step, key: [row for row in self.rows(step) if pick(row) == key]


class Observed(Matching):
    """The event's facts for one predicate."""

    def __init__(self, name: str, columns: tuple[str, ...], *, changing: bool = False) -> None:
        self.vars = columns
        self._name = name
        self._changing = changing

    def rows(self, step: Step) -> Rows:
        """The facts."""
        facts = step.changing if self._changing else step.facts
        return facts.get(self._name, _NOTHING)


class Singleton(Matching):
    """`x = constant`, or a closed comparison: one row, or none."""

    def __init__(self, columns: tuple[str, ...], row: Row | None) -> None:
        self.vars = columns
        self._rows = _NOTHING if row is None else (row,)

    def rows(self, step: Step) -> Rows:
        """The row."""
        return self._rows


class Closed(Matching):
    """A condition without free variables: the empty row where it holds."""

    def __init__(self, check: Check) -> None:
        self._check = check

    def rows(self, step: Step) -> Rows:
        """The empty row, if it holds."""
        return ((),) if self._check(step, ()) else _NOTHING

    def holder(self) -> Check:
        """Whether it holds."""
        return self._check


class Remembered:
    """A node that asks for nothing but recurring facts: worked out once for all their time-points."""

    def __init__(self, node: Node) -> None:
        self.vars = node.vars
        self._node = node

    def rows(self, step: Step) -> Rows:
        """The node's rows, as a set."""
        found: frozenset[Row] | None = step.memory.get(self)
        if found is None:
            found = step.memory[self] = frozenset(self._node.rows(step))
        return found

    def holder(self) -> Check:
        """By hash."""

        def holds(step: Step, row: Row) -> bool:
            found = step.memory.get(self)
            return row in (self.rows(step) if found is None else found)

        return holds

    def matcher(self, columns: tuple[int, ...]) -> Match:
        """By an index that is made when first asked for."""
        pick, place = picker(columns), object()

        def match(step: Step, key: Row) -> Rows:
            index: dict[Row, list[Row]] | None = step.memory.get(place)
            if index is None:
                index = step.memory[place] = {}
                for row in self.rows(step):
                    index.setdefault(pick(row), []).append(row)
            return index.get(key, _NOTHING)

        return match


class Union(Matching):
    """`phi OR psi` over the same variables."""

    def __init__(self, left: Node, right: Node) -> None:
        self.vars = left.vars
        self._left = left
        self._right = right
        self._back = tuple(right.vars.index(name) for name in left.vars)
        self._turn = picker(self._back)
        self._same = left.vars == right.vars

    def rows(self, step: Step) -> Rows:
        """Rows of either side."""
        return self._joined(self._left.rows(step), self._right.rows(step))

    def holder(self) -> Check:
        """Whether either side holds."""
        left, right, turn = self._left.holder(), self._right.holder(), in_order(self._back)
        if self._same:
            return lambda step, row: left(step, row) or right(step, row)
        return lambda step, row: left(step, row) or right(step, turn(row))

    def matcher(self, columns: tuple[int, ...]) -> Match:
        """Matches of either side."""
        left = self._left.matcher(columns)
        right = self._right.matcher(tuple(self._back[column] for column in columns))
        return lambda step, key: self._joined(left(step, key), right(step, key))

    def _joined(self, left: Rows, right: Rows) -> Rows:
        if not right:
            return left
        if not self._same:
            right = list(map(self._turn, right))
        return [*left, *right] if left else right


class Projection(Matching):
    """`EXISTS` over a node: some of its columns."""

    def __init__(self, body: Node, keep: tuple[str, ...]) -> None:
        self.vars = keep
        self._body = body
        self._columns = tuple(body.vars.index(name) for name in keep)
        self._pick = picker(self._columns)

    def rows(self, step: Step) -> Rows:
        """The kept columns."""
        return {self._pick(row) for row in self._body.rows(step)}

    def holder(self) -> Check:
        """Whether some row of the body has these values."""
        return self._body.matcher(self._columns) if self._columns else lambda step, _: self._body.rows(step)

    def matcher(self, columns: tuple[int, ...]) -> Match:
        """Matches in the body, projected."""
        match = self._body.matcher(tuple(self._columns[column] for column in columns))
        pick = self._pick
        return lambda step, key: {pick(row) for row in match(step, key)}


class Named:
    """A `LET` name: its definition's rows, each worked out once per time-point."""

    def __init__(self, body: Node, params: tuple[str, ...]) -> None:
        self.vars = params
        self._body = body
        self._order = tuple(body.vars.index(name) for name in params)
        self._pick = picker(self._order)
        self._same = body.vars == params
        self._matches: dict[tuple[int, ...], Match] = {}

    def rows(self, step: Step) -> Rows:
        """The definition's rows."""
        found: Rows | None = step.cache.get(self)
        if found is None:
            found = self._body.rows(step)
            found = step.cache[self] = set(found) if self._same else {self._pick(row) for row in found}
        return found

    def holder(self) -> Check:
        """Whether the definition holds."""
        holds = self._body.holder()
        if self._same:
            return holds
        turn = in_order(self._order)
        return lambda step, row: holds(step, turn(row))

    def matcher(self, columns: tuple[int, ...]) -> Match:
        """The definition's matches; asked for the same values again, by whomever, the same rows."""
        if columns not in self._matches:
            self._matches[columns] = self._remembering(columns)
        return self._matches[columns]

    def _remembering(self, columns: tuple[int, ...]) -> Match:
        match = self._body.matcher(tuple(self._order[column] for column in columns))
        pick, place, same = self._pick, object(), self._same

        def matching(step: Step, key: Row) -> Rows:
            known = (place, key)
            found: Rows | None = step.cache.get(known)
            if found is None:
                found = match(step, key)
                step.cache[known] = found = found if same else [pick(row) for row in found]
            return found

        return matching


class Renamed:
    """A node under other names of its columns."""

    def __init__(self, body: Node, columns: tuple[str, ...]) -> None:
        self.vars = columns
        self.rows = body.rows
        self.holder = body.holder
        self.matcher = body.matcher


class Patterned(Matching):
    """`name(x, 1, _, x)`: a predicate's rows under the pattern that it is used with."""

    def __init__(
        self, body: Node, pattern: Sequence[int | None], constants: Mapping[int, Value], columns: tuple[str, ...]
    ) -> None:
        self.vars = columns
        self._body = body
        self._firsts = tuple(pattern.index(column) for column in range(len(columns)))
        self._fixed, self._values = tuple(constants), tuple(constants.values())
        self._repeats = tuple(
            (self._firsts[column], position)
            for position, column in enumerate(pattern)
            if column is not None and self._firsts[column] != position
        )
        self._pick = picker(self._firsts)
        self._all = self.matcher(())

    def rows(self, step: Step) -> Rows:
        """The rows that fit the pattern."""
        return self._all(step, ())

    def holder(self) -> Check:
        """Whether some row fits these values."""
        return self.matcher(tuple(range(len(self.vars))))

    def matcher(self, columns: tuple[int, ...]) -> Match:
        """The rows that fit the pattern and these values."""
        theirs = (*self._fixed, *(self._firsts[column] for column in columns))
        values, repeats, pick = self._values, self._repeats, self._pick
        match: Match = self._body.matcher(theirs) if theirs else lambda step, _: self._body.rows(step)
        if repeats:
            return lambda step, key: {
                pick(row) for row in match(step, values + key) if all(row[one] == row[two] for one, two in repeats)
            }
        return lambda step, key: {pick(row) for row in match(step, values + key)}


class Aggregation(Matching):
    """`result <- op variable; groups body`, over sets of rows."""

    def __init__(self, result: str, groups: tuple[str, ...], body: Node, variable: str, op: str) -> None:
        self.vars = (result, *groups)
        self._body = body
        self._group = picker(tuple(body.vars.index(name) for name in groups))
        self._grouped = bool(groups)
        self._column = body.vars.index(variable)
        self._fold = _FOLDS[op]
        self._empty: Value | None = {"CNT": 0, "SUM": 0}.get(op)

    def rows(self, step: Step) -> Rows:
        """One row per group; a closed count or sum of nothing is 0."""
        grouped: dict[Row, list[Value]] = {}
        for row in set(self._body.rows(step)):
            grouped.setdefault(self._group(row), []).append(row[self._column])
        if not grouped and not self._grouped and self._empty is not None:
            return ((self._empty,),)
        return [(self._fold(values), *group) for group, values in grouped.items()]


_FOLDS: Mapping[str, Callable[[list[Value]], Value]] = {
    "CNT": len,
    "SUM": sum,  # type: ignore[dict-item] # numbers, by the type check
    "MIN": min,
    "MAX": max,
    "AVG": lambda values: sum(values) / len(values),  # type: ignore[arg-type]
}

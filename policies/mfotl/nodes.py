"""Relational nodes: what holds at this time-point, asked for as late and as narrowly as possible.

A node knows its variables and answers three questions about the present time-point: all its rows,
the rows that match a few given values, and whether one row holds. Only temporal nodes keep state
(`lawful.policies.mfotl.temporal`); everything here is computed from the event's few facts.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from lawful.policies.mfotl.syntax import Value

Row = tuple[Value, ...]
Facts = Mapping[str, Iterable[Row]]
_NOTHING: tuple[Row, ...] = ()


@dataclass(slots=True)
class Step:
    """One time-point: its stamp, its facts, and what has been worked out about it so far."""

    stamp: int
    facts: Facts
    cache: dict[int, set[Row]] = field(default_factory=dict)

    def rows(self, node: "Node") -> set[Row]:
        """All rows of a node, worked out once per time-point."""
        known = self.cache.get(id(node))
        if known is None:
            known = self.cache[id(node)] = set(node.rows(self))
        return known


class Node(Protocol):
    """A formula that can be evaluated; `vars` names the columns of its rows."""

    @property
    def vars(self) -> tuple[str, ...]:
        """The columns, in order."""

    def rows(self, step: Step) -> Iterable[Row]:
        """Every row that holds now."""

    def holds(self, step: Step, row: Row) -> bool:
        """Whether this row holds now."""

    def match(self, step: Step, columns: tuple[int, ...], key: Row) -> Iterable[Row]:
        """The rows whose given columns have the given values."""


Check = Callable[[Step, Row], bool]
"""A condition over a row of known values."""

Compute = Callable[[Row], Value]
"""A term over a row of known values."""


def project(row: Row, columns: Sequence[int]) -> Row:
    """Some columns of a row."""
    return tuple([row[column] for column in columns])


class Matching:
    """Matching by looking through all rows: for nodes that have only a few."""

    def rows(self, step: Step) -> Iterable[Row]:
        """Every row that holds now."""
        raise NotImplementedError

    def match(self, step: Step, columns: tuple[int, ...], key: Row) -> Iterable[Row]:
        """The rows whose given columns have the given values."""
        return [row for row in self.rows(step) if project(row, columns) == key]


class Observed(Matching):
    """The event's facts for one predicate, by a pattern of variables and constants."""

    def __init__(
        self, name: str, pattern: Sequence[int | None], constants: Mapping[int, Value], columns: tuple[str, ...]
    ) -> None:
        self.vars = columns
        self.name = name
        self._pattern = tuple(pattern)
        self._constants = tuple(constants.items())
        self._plain = not constants and self._pattern == tuple(range(len(columns)))

    def rows(self, step: Step) -> Iterable[Row]:
        """The facts that fit the pattern."""
        facts = step.facts.get(self.name, _NOTHING)
        if self._plain:
            return facts
        return {row for fact in facts if (row := self._fit(fact)) is not None}

    def holds(self, step: Step, row: Row) -> bool:
        """Whether the row is among them."""
        return any(fact == row for fact in self.rows(step))

    def _fit(self, fact: Row) -> Row | None:
        for position, value in self._constants:
            if fact[position] != value:
                return None
        row: list[Value | None] = [None] * len(self.vars)
        for position, column in enumerate(self._pattern):
            if column is None:
                continue
            if row[column] is not None and row[column] != fact[position]:
                return None
            row[column] = fact[position]
        return tuple(row)  # type: ignore[arg-type] # every column occurs in the pattern


class Singleton(Matching):
    """`x = constant`, or a closed comparison: one row, or none."""

    def __init__(self, columns: tuple[str, ...], row: Row | None) -> None:
        self.vars = columns
        self._rows = _NOTHING if row is None else (row,)

    def rows(self, step: Step) -> Iterable[Row]:
        """The row."""
        return self._rows

    def holds(self, step: Step, row: Row) -> bool:
        """Whether it is this one."""
        return row in self._rows


class Closed(Matching):
    """`NOT phi` without free variables: holds where phi has no row."""

    vars: tuple[str, ...] = ()

    def __init__(self, check: Check) -> None:
        self._check = check

    def rows(self, step: Step) -> Iterable[Row]:
        """The empty row, if it holds."""
        return ((),) if self._check(step, ()) else _NOTHING

    def holds(self, step: Step, row: Row) -> bool:
        """Whether it holds."""
        return self._check(step, ())


class Union(Matching):
    """`phi OR psi` over the same variables."""

    def __init__(self, left: Node, right: Node) -> None:
        self.vars = left.vars
        self._left = left
        self._right = right
        self._order = tuple(left.vars.index(name) for name in right.vars)  # of right's columns in left's
        self._back = tuple(right.vars.index(name) for name in left.vars)

    def rows(self, step: Step) -> Iterable[Row]:
        """Rows of either side."""
        yield from self._left.rows(step)
        for row in self._right.rows(step):
            yield project(row, self._back)

    def holds(self, step: Step, row: Row) -> bool:
        """Whether either side holds."""
        return self._left.holds(step, row) or self._right.holds(step, project(row, self._order))

    def match(self, step: Step, columns: tuple[int, ...], key: Row) -> Iterable[Row]:
        """Matches of either side."""
        yield from self._left.match(step, columns, key)
        theirs = tuple(self._back[column] for column in columns)
        for row in self._right.match(step, theirs, key):
            yield project(row, self._back)


class Projection(Matching):
    """`EXISTS` over a node: some of its columns."""

    def __init__(self, body: Node, keep: tuple[str, ...]) -> None:
        self.vars = keep
        self._body = body
        self._columns = tuple(body.vars.index(name) for name in keep)

    def rows(self, step: Step) -> Iterable[Row]:
        """The kept columns."""
        return {project(row, self._columns) for row in self._body.rows(step)}

    def holds(self, step: Step, row: Row) -> bool:
        """Whether some row of the body has these values."""
        return any(True for _ in self._body.match(step, self._columns, row))

    def match(self, step: Step, columns: tuple[int, ...], key: Row) -> Iterable[Row]:
        """Matches in the body, projected."""
        theirs = tuple(self._columns[column] for column in columns)
        return {project(row, self._columns) for row in self._body.match(step, theirs, key)}


class Renaming(Matching):
    """A `LET` name in use: the definition's rows under other variables, with constants picked out."""

    def __init__(self, body: Node, order: tuple[int, ...], facts: Observed) -> None:
        self.vars = facts.vars
        self._body = body
        self._order = order  # of the parameters in the body's columns
        self._facts = facts

    def rows(self, step: Step) -> Iterable[Row]:
        """The definition's rows that fit the pattern."""
        rows = [project(row, self._order) for row in step.rows(self._body)]
        return self._facts.rows(Step(step.stamp, {self._facts.name: rows}))

    def holds(self, step: Step, row: Row) -> bool:
        """Whether the row is among them."""
        return row in step.rows(self)


@dataclass(frozen=True, slots=True)
class Probe:
    """A stage of a join: look up a node by the values known so far, learn the rest."""

    node: Node
    mine: tuple[int, ...]  # positions in the row so far ...
    theirs: tuple[int, ...]  # ... that must equal these columns of the node
    learn: tuple[int, ...]  # columns of the node that are new

    def extend(self, step: Step, row: Row) -> Iterator[Row]:
        """The row so far, with each match's new values behind it."""
        key = project(row, self.mine)
        if not self.learn:
            ordered = tuple(value for _, value in sorted(zip(self.theirs, key, strict=True)))
            if self.node.holds(step, ordered):
                yield row
        elif not self.theirs:
            for found in self.node.rows(step):
                yield row + project(found, self.learn)
        else:
            for found in self.node.match(step, self.theirs, key):
                yield row + project(found, self.learn)


@dataclass(frozen=True, slots=True)
class Assign:
    """A stage of a join: `x = term` gives a new value."""

    compute: Compute

    def extend(self, step: Step, row: Row) -> Iterator[Row]:
        """The row with the term's value behind it."""
        yield (*row, self.compute(row))


@dataclass(frozen=True, slots=True)
class Filter:
    """A stage of a join: a condition over values that are all known."""

    check: Check

    def extend(self, step: Step, row: Row) -> Iterator[Row]:
        """The row, if it passes."""
        if self.check(step, row):
            yield row


Stage = Probe | Assign | Filter


class Join:
    """A conjunction: stages in an order in which each finds its variables known."""

    def __init__(self, columns: tuple[str, ...], stages: Sequence[Stage], check: Check) -> None:
        self.vars = columns
        self._stages = tuple(stages)
        self._check = check

    def rows(self, step: Step) -> Iterable[Row]:
        """The rows that pass all stages."""
        return self.extend(step, (), 0)

    def extend(self, step: Step, row: Row, stage: int) -> Iterator[Row]:
        """The completions of a row from a stage on."""
        if stage == len(self._stages):
            yield row
            return
        for longer in self._stages[stage].extend(step, row):
            yield from self.extend(step, longer, stage + 1)

    def holds(self, step: Step, row: Row) -> bool:
        """Whether every conjunct holds of the row."""
        return self._check(step, row)

    def match(self, step: Step, columns: tuple[int, ...], key: Row) -> Iterable[Row]:
        """Rows of the join with these values."""
        if len(columns) == len(self.vars):
            row = tuple(value for _, value in sorted(zip(columns, key, strict=True)))
            return (row,) if self.holds(step, row) else _NOTHING
        return [row for row in step.rows(self) if project(row, columns) == key]


class Aggregation(Matching):
    """`result <- op variable; groups body`, over sets of rows."""

    def __init__(self, result: str, groups: tuple[str, ...], body: Node, variable: str, op: str) -> None:
        self.vars = (result, *groups)
        self._body = body
        self._groups = tuple(body.vars.index(name) for name in groups)
        self._column = body.vars.index(variable)
        self._fold = _FOLDS[op]
        self._empty: Value | None = {"CNT": 0, "SUM": 0}.get(op)

    def rows(self, step: Step) -> Iterable[Row]:
        """One row per group; a closed count or sum of nothing is 0."""
        grouped: dict[Row, list[Value]] = {}
        for row in step.rows(self._body):
            grouped.setdefault(project(row, self._groups), []).append(row[self._column])
        if not grouped and not self._groups and self._empty is not None:
            return ((self._empty,),)
        return [(self._fold(values), *group) for group, values in grouped.items()]

    def holds(self, step: Step, row: Row) -> bool:
        """Whether this is a group's value."""
        return row in step.rows(self)


_FOLDS: Mapping[str, Callable[[list[Value]], Value]] = {
    "CNT": len,
    "SUM": sum,  # type: ignore[dict-item] # numbers, by the type check
    "MIN": min,
    "MAX": max,
    "AVG": lambda values: sum(values) / len(values),  # type: ignore[arg-type]
}

"""From a formula to nodes: the safe-range check and the order of evaluation are one thing.

A formula is safe when every variable gets its values from somewhere before it is compared, negated
or left behind; planning it finds that order, and where there is none the error names the
sub-formula and what would mend it. Everything MonPoly monitors directly is accepted, and besides
conjunctions in any order and conditions over variables that are already bound.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from lawful.policies.mfotl import nodes, reading
from lawful.policies.mfotl.errors import FormulaError
from lawful.policies.mfotl.joins import Assign, Filter, Join, Known, Probe, Stage, chain, some
from lawful.policies.mfotl.nodes import Check, Node, picker
from lawful.policies.mfotl.normal import conjuncts, negate, normalise
from lawful.policies.mfotl.syntax import (
    Aggregate,
    Binary,
    Compare,
    Const,
    Formula,
    Let,
    Not,
    Past,
    Pred,
    Quantified,
    Since,
    Value,
    Var,
    free_vars,
    show,
    term_vars,
)
from lawful.policies.mfotl.temporal import Needs, Once, Previous, SinceKept, SinceKilled, Temporal
from lawful.policies.mfotl.terms import COMPARE, assigned, comparer, computer, evaluate

__all__ = ["Planner", "evaluate", "plan"]


@dataclass(frozen=True, slots=True, eq=False)
class _Definition:
    """A LET name in scope."""

    node: Node
    timeless: bool
    needs: Needs


_Known = tuple[str, frozenset[tuple[str, _Definition]]]
"""A formula's whole text (in which 1 is not 1.0), and what the LET names in it stand for."""


class Planner:
    """Plans one formula. `stateful` lists its temporal nodes, inner ones before outer ones.

    Equal sub-formulas become one node, so that nothing is remembered twice.
    """

    def __init__(self, text: str = "", scale: int = 1, changing: frozenset[str] = frozenset()) -> None:
        self.stateful: list[Temporal] = []
        self._text = text
        self._scale = scale
        self._changing = changing
        self._lets: dict[str, _Definition] = {}
        self._planned: dict[_Known, Node] = {}
        self._failed: dict[_Known, FormulaError] = {}

    def plan(self, formula: Formula) -> Node:
        """A node that can give all rows of a normalised formula.

        Raises:
            FormulaError: if some variable has no finite source.
        """
        named = frozenset((name, self._lets[name]) for name in reading.names(formula) if name in self._lets)
        known = (repr(formula), named)
        if known in self._failed:
            raise self._failed[known]
        if known not in self._planned:
            try:
                node = self._new(formula)
            except FormulaError as error:
                self._failed[known] = error
                raise
            recurs = self._timeless(formula) and not isinstance(node, nodes.Remembered)
            self._planned[known] = nodes.Remembered(node) if recurs else node
        return self._planned[known]

    def _new(self, formula: Formula) -> Node:
        if isinstance(formula, Pred):
            return self._predicate(formula)
        if isinstance(formula, Compare):
            return self._comparison(formula)
        if isinstance(formula, Not):
            return self._negation(formula)
        if isinstance(formula, Binary):
            return self._disjunction(formula) if formula.op == "OR" else self._conjunction(formula)
        if isinstance(formula, Quantified):
            body = self.plan(formula.body)
            return nodes.Projection(body, tuple(name for name in body.vars if name not in formula.variables))
        if isinstance(formula, Past):
            return self._past(formula)
        if isinstance(formula, Since):
            return self._since(formula)
        if isinstance(formula, Aggregate):
            body = self.plan(formula.body)
            return nodes.Aggregation(formula.result, formula.groups, body, formula.variable, formula.op)
        return self._let(formula)

    def _timeless(self, formula: Formula) -> bool:
        known = {name: definition.timeless for name, definition in self._lets.items()}
        return reading.timeless(formula, known, self._changing)

    def _needs(self, formula: Formula) -> Needs:
        needs = reading.needs(formula, {name: definition.needs for name, definition in self._lets.items()})
        # What changes from event to event is not looked at when deciding who may sleep.
        return None if needs is None or needs & self._changing else needs

    # Generators ----------------------------------------------------------------------------

    def _predicate(self, pred: Pred) -> Node:
        columns: list[str] = []
        pattern: list[int | None] = []
        constants: dict[int, Value] = {}
        for position, term in enumerate(pred.args):
            if isinstance(term, Const) or not set(term_vars(term)):
                constants[position] = evaluate(term)({})
                pattern.append(None)
            elif isinstance(term, Var):
                if term.name.startswith("_"):
                    pattern.append(None)
                    continue
                if term.name not in columns:
                    columns.append(term.name)
                pattern.append(columns.index(term.name))
            else:
                hint = f"write {pred.name}(..., x, ...) AND x = ..."
                raise self._error(pred, "an argument is neither a variable nor a constant", hint)
        return self._used(pred, pattern, constants, tuple(columns))

    def _used(
        self, pred: Pred, pattern: Sequence[int | None], constants: Mapping[int, Value], columns: tuple[str, ...]
    ) -> Node:
        definition = self._lets.get(pred.name)
        plain = list(pattern) == list(range(len(pred.args)))
        names = columns if plain else tuple(f"{position}" for position in range(len(pred.args)))
        node: Node
        if definition is None:
            node = nodes.Observed(pred.name, names, changing=pred.name in self._changing)
        else:
            node = nodes.Renamed(definition.node, names)
        return node if plain else nodes.Patterned(node, pattern, constants, columns)

    def _comparison(self, formula: Compare) -> Node:
        variables = free_vars(formula)
        if not variables:
            holds = COMPARE[formula.op](evaluate(formula.left)({}), evaluate(formula.right)({}))
            return nodes.Singleton((), () if holds else None)
        for side, other in ((formula.left, formula.right), (formula.right, formula.left)):
            if formula.op == "=" and isinstance(side, Var) and not set(term_vars(other)):
                return nodes.Singleton((side.name,), (evaluate(other)({}),))
        unbound = ", ".join(variables)
        hint = f"give {unbound} a value first: some_predicate({unbound}) AND {show(formula)}"
        raise self._error(formula, f"a comparison cannot give {unbound} its values", hint)

    def _negation(self, formula: Not) -> Node:
        if not free_vars(formula):
            inner = self.check(formula.body, ())
            return nodes.Closed(lambda step, row: not inner(step, row))
        if isinstance(formula.body, Binary) and formula.body.op == "AND":
            pushed = Binary(
                "OR", negate(formula.body.left, formula.at), negate(formula.body.right, formula.at), formula.at
            )
            return self.plan(pushed)
        unbound = ", ".join(free_vars(formula))
        hint = f"guard it: some_predicate({unbound}) AND {show(formula)}, or close it with EXISTS"
        raise self._error(formula, f"NOT cannot give {unbound} its values: infinitely many satisfy it", hint)

    def _disjunction(self, formula: Binary) -> Node:
        left, right = self.plan(formula.left), self.plan(formula.right)
        if set(left.vars) != set(right.vars):
            lacking = set(left.vars) ^ set(right.vars)
            names = ", ".join(sorted(lacking))
            hint = f"both sides of OR need the same variables; bind {names} with EXISTS, or give it on both sides"
            raise self._error(formula, f"{names} has values on one side of OR only", hint)
        return nodes.Union(left, right)

    def _past(self, formula: Past) -> Node:
        body = self.plan(formula.body)
        interval = formula.interval.scaled(self._scale)
        slot = len(self.stateful)
        if formula.op == "PREV":
            return self._keep(Previous(slot, interval, body))
        return self._keep(Once(slot, interval, body, self._needs(formula.body)))

    def _since(self, formula: Since) -> Node:
        body = self.plan(formula.right)
        outside = [name for name in free_vars(formula.left) if name not in body.vars]
        if outside:
            names = ", ".join(outside)
            hint = f"the left side may only use variables of the right side; bind {names} with EXISTS"
            raise self._error(formula, f"{names} on the left of SINCE has no value on its right", hint)
        interval = formula.interval.scaled(self._scale)
        killer = self._try(formula.left.body) if isinstance(formula.left, Not) else None
        if killer is None or not isinstance(formula.left, Not):
            stays = self.check(formula.left, body.vars)
            return self._keep(SinceKept(len(self.stateful), interval, body, stays))
        begins, ends = self._needs(formula.right), self._needs(formula.left.body)
        needs = None if begins is None or ends is None else begins | ends
        return self._keep(SinceKilled(len(self.stateful), interval, body, killer, needs))

    def _keep(self, node: Previous | Once | SinceKept | SinceKilled) -> Node:
        self.stateful.append(node)
        return node

    def _let(self, formula: Let) -> Node:
        node = nodes.Named(self.plan(formula.definition), formula.params)
        definition = _Definition(node, self._timeless(formula.definition), self._needs(formula.definition))
        with self._scope({**self._lets, formula.name: definition}):
            return self.plan(formula.body)

    @contextmanager
    def _scope(self, lets: dict[str, _Definition]) -> Iterator[None]:
        before, self._lets = self._lets, lets
        try:
            yield
        finally:
            self._lets = before

    # Conjunctions --------------------------------------------------------------------------

    def _conjunction(self, formula: Formula) -> Join:
        """The conjuncts in an order in which each finds its variables, whatever is known from outside."""
        lets = self._lets

        def order(known: tuple[str, ...]) -> tuple[list[Stage], tuple[str, ...]]:
            with self._scope(lets):
                return self._order(formula, known)

        return Join(order)

    def _order(self, formula: Formula, known: tuple[str, ...]) -> tuple[list[Stage], tuple[str, ...]]:
        waiting = self._grouped(conjuncts(formula))
        columns = list(known)
        stages: list[Stage] = []
        while waiting:
            ready = [each for each in waiting if self._ready(each, columns)]
            if not ready:
                raise self._stuck(waiting, columns)
            conjunct = min(ready, key=lambda each: self._effort(each, columns))
            waiting.remove(conjunct)
            stages.append(self._stage(conjunct, columns))
        return stages, tuple(columns)

    def _grouped(self, together: list[Formula]) -> list[Formula]:
        """The conjuncts, those that recurring facts decide put together, to be worked out once."""
        timeless = [each for each in together if self._timeless(each)]
        if not 1 < len(timeless) < len(together):
            return together
        group = timeless[0]
        for each in timeless[1:]:
            group = Binary("AND", group, each, each.at)
        if self._try(group) is None:
            return together
        return [group, *(each for each in together if each not in timeless)]

    def _ready(self, conjunct: Formula, columns: Sequence[str]) -> bool:
        """Whether the conjunct need not wait for other variables."""
        if set(free_vars(conjunct)) <= set(columns) or assigned(conjunct, columns) is not None:
            return True
        return self._try(conjunct) is not None

    def _effort(self, conjunct: Formula, columns: Sequence[str]) -> int:
        """Conditions first, then what is worked out already, then what is found by known values."""
        free = set(free_vars(conjunct))
        timeless = self._timeless(conjunct)
        if free <= set(columns):
            return 0 if timeless else 1
        if assigned(conjunct, columns) is not None:
            return 2
        return (3 if timeless else 4) if free & set(columns) else (5 if timeless else 6)

    def _stage(self, conjunct: Formula, columns: list[str]) -> Stage:
        if set(free_vars(conjunct)) <= set(columns):
            return self._condition(conjunct, tuple(columns))
        given = assigned(conjunct, columns)
        if given is not None:
            name, term = given
            compute = computer(term, tuple(columns))
            columns.append(name)
            return Assign(compute)
        node = self.plan(conjunct)
        shared = [name for name in node.vars if name in columns]
        fresh = [name for name in node.vars if name not in columns]
        probe = Probe(
            node,
            tuple(columns.index(name) for name in shared),
            tuple(node.vars.index(name) for name in shared),
            tuple(node.vars.index(name) for name in fresh),
        )
        columns.extend(fresh)
        return probe

    def _condition(self, conjunct: Formula, columns: tuple[str, ...]) -> Stage:
        """A conjunct over values that are all known."""
        inner = conjunct.body if isinstance(conjunct, Not) else conjunct
        closed = isinstance(conjunct, Not) and not free_vars(conjunct)  # worked out once as a whole
        node = None if closed or isinstance(inner, Compare) else self._try(inner)
        if node is None:
            return Filter(self.check(conjunct, columns))
        return Known(node, tuple(columns.index(name) for name in node.vars), denied=isinstance(conjunct, Not))

    def _stuck(self, waiting: Sequence[Formula], columns: Sequence[str]) -> FormulaError:
        """The error of the first conjunct that no order can help."""
        for conjunct in waiting:
            try:
                self.plan(conjunct)
            except FormulaError as reason:
                missing = ", ".join(name for name in free_vars(conjunct) if name not in columns)
                if not isinstance(conjunct, (Compare, Not)):
                    return reason
                hint = f"{missing} must get its values from a predicate beside it: some_predicate({missing}) AND ..."
                return self._error(conjunct, f"{missing} has no value here", hint)
        raise AssertionError("every conjunct can be planned")

    # Conditions ----------------------------------------------------------------------------

    def check(self, formula: Formula, columns: tuple[str, ...]) -> Check:
        """A condition over rows with the given columns, all free variables among them."""
        if isinstance(formula, Compare):
            return comparer(formula, columns)
        if isinstance(formula, Not):
            if not free_vars(formula) and self._timeless(formula):
                return _holds(self.plan(formula), columns)
            inner = self.check(formula.body, columns)
            return lambda step, row: not inner(step, row)
        if isinstance(formula, Binary):
            left, right = self.check(formula.left, columns), self.check(formula.right, columns)
            if formula.op == "AND":
                return lambda step, row: left(step, row) and right(step, row)
            return lambda step, row: left(step, row) or right(step, row)
        node = self._try(formula)
        if node is not None:
            return _holds(node, columns)
        if isinstance(formula, Quantified):
            return self._exists(formula, columns)
        return _holds(self.plan(formula), columns)

    def _exists(self, formula: Quantified, columns: tuple[str, ...]) -> Check:
        """EXISTS whose body needs values from outside: a chain that starts with them."""
        known = tuple(name for name in free_vars(formula) if name in columns)
        stages, _ = self._order(formula.body, known)
        holds, pick = some(chain(stages)), picker(tuple(columns.index(name) for name in known))
        return lambda step, row: holds(step, pick(row))

    def _try(self, formula: Formula) -> Node | None:
        """The planned node, or nothing (and no stray state) if the formula has no finite source."""
        before, planned = len(self.stateful), dict(self._planned)
        try:
            return self.plan(formula)
        except FormulaError:
            del self.stateful[before:]
            self._planned = planned
            return None

    def _error(self, formula: Formula, message: str, hint: str) -> FormulaError:
        return FormulaError(f"in {show(formula)}: {message}", text=self._text, at=formula.at, hint=hint)


def _holds(node: Node, columns: tuple[str, ...]) -> Check:
    holds = node.holder()
    order = tuple(columns.index(name) for name in node.vars)
    if order == tuple(range(len(columns))):
        return holds
    pick = picker(order)
    return lambda step, row: holds(step, pick(row))


def plan(
    formula: Formula, text: str = "", scale: int = 1, changing: frozenset[str] = frozenset()
) -> tuple[Node, list[Temporal]]:
    """Plan a formula: the node of its rows, and its temporal nodes in the order of stepping.

    Args:
        formula: as parsed.
        text: its source, for places in errors.
        scale: stamps per unit of the formula's intervals (1,000,000 for microseconds).
        changing: predicates whose facts differ even where the others recur.
    """
    planner = Planner(text, scale, changing)
    node = planner.plan(normalise(formula))
    return node, planner.stateful

"""From a formula to nodes: the safe-range check and the order of evaluation are one thing.

A formula is safe when every variable gets its values from somewhere before it is compared, negated
or left behind; planning it finds that order, and where there is none the error names the
sub-formula and what would mend it. Everything MonPoly monitors directly is accepted, and besides
conjunctions in any order and conditions over variables that are already bound.
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lawful.policies.mfotl import nodes
from lawful.policies.mfotl.errors import FormulaError
from lawful.policies.mfotl.nodes import Assign, Check, Compute, Filter, Join, Node, Probe, Row, Stage, Step, project
from lawful.policies.mfotl.normal import conjuncts, negate, normalise
from lawful.policies.mfotl.syntax import (
    Aggregate,
    Arith,
    Binary,
    Compare,
    Const,
    Convert,
    Formula,
    Let,
    Not,
    Past,
    Pred,
    Quantified,
    Since,
    Term,
    Value,
    Var,
    free_vars,
    show,
    term_vars,
)
from lawful.policies.mfotl.temporal import Once, Previous, SinceKept, SinceKilled, Temporal

_COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {"=": operator.eq, "<": operator.lt, "<=": operator.le}


class Planner:
    """Plans one formula. `stateful` lists its temporal nodes, inner ones before outer ones."""

    def __init__(self, text: str = "", scale: int = 1) -> None:
        self.stateful: list[Temporal] = []
        self._text = text
        self._scale = scale
        self._lets: dict[str, tuple[Node, tuple[str, ...]]] = {}

    def plan(self, formula: Formula) -> Node:
        """A node that can give all rows of a normalised formula.

        Raises:
            FormulaError: if some variable has no finite source.
        """
        if isinstance(formula, Pred):
            return self._predicate(formula)
        if isinstance(formula, Compare):
            return self._comparison(formula)
        if isinstance(formula, Not):
            return self._negation(formula)
        if isinstance(formula, Binary):
            return self._disjunction(formula) if formula.op == "OR" else self._conjunction(formula, ())
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
        facts = nodes.Observed(pred.name, pattern, constants, tuple(columns))
        if pred.name not in self._lets:
            return facts
        body, params = self._lets[pred.name]
        return nodes.Renaming(body, tuple(body.vars.index(name) for name in params), facts)

    def _comparison(self, formula: Compare) -> Node:
        variables = free_vars(formula)
        if not variables:
            holds = _COMPARE[formula.op](evaluate(formula.left)({}), evaluate(formula.right)({}))
            return nodes.Singleton((), () if holds else None)
        for side, other in ((formula.left, formula.right), (formula.right, formula.left)):
            if formula.op == "=" and isinstance(side, Var) and not set(term_vars(other)):
                return nodes.Singleton((side.name,), (evaluate(other)({}),))
        unbound = ", ".join(variables)
        hint = f"give {unbound} a value first: some_predicate({unbound}) AND {show(formula)}"
        raise self._error(formula, f"a comparison cannot give {unbound} its values", hint)

    def _negation(self, formula: Not) -> Node:
        if not free_vars(formula):
            return nodes.Closed(self.check(formula, ()))
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
        node = Previous(interval, body) if formula.op == "PREV" else Once(interval, body)
        self.stateful.append(node)
        return node

    def _since(self, formula: Since) -> Node:
        body = self.plan(formula.right)
        outside = [name for name in free_vars(formula.left) if name not in body.vars]
        if outside:
            names = ", ".join(outside)
            hint = f"the left side may only use variables of the right side; bind {names} with EXISTS"
            raise self._error(formula, f"{names} on the left of SINCE has no value on its right", hint)
        interval = formula.interval.scaled(self._scale)
        node: SinceKept | SinceKilled
        killer = self._try(formula.left.body) if isinstance(formula.left, Not) else None
        if killer is not None:
            node = SinceKilled(interval, body, killer)
        else:
            node = SinceKept(interval, body, self.check(formula.left, body.vars))
        self.stateful.append(node)
        return node

    def _let(self, formula: Let) -> Node:
        definition = self.plan(formula.definition)
        shadowed = self._lets.get(formula.name)
        self._lets[formula.name] = (definition, formula.params)
        body = self.plan(formula.body)
        del self._lets[formula.name]
        if shadowed is not None:
            self._lets[formula.name] = shadowed
        return body

    # Conjunctions --------------------------------------------------------------------------

    def _conjunction(self, formula: Formula, known: tuple[str, ...]) -> Join:
        """Order the conjuncts so that each finds its variables; `known` ones are given from outside."""
        waiting = conjuncts(formula)
        columns = list(known)
        stages: list[Stage] = []
        planned: dict[int, Node] = {}
        while waiting:
            for conjunct in waiting:
                stage = self._stage(conjunct, columns, planned)
                if stage is not None:
                    stages.append(stage)
                    waiting.remove(conjunct)
                    break
            else:
                raise self._stuck(waiting, columns)
        checks = [self._planned_check(part, tuple(columns), planned) for part in conjuncts(formula)]
        return Join(tuple(columns), stages, lambda step, row: all(check(step, row) for check in checks))

    def _stage(self, conjunct: Formula, columns: list[str], planned: dict[int, Node]) -> Stage | None:
        """The conjunct as the next stage, or nothing if it has to wait for other variables."""
        free = set(free_vars(conjunct))
        bound = free <= set(columns)
        if bound and (isinstance(conjunct, (Compare, Not)) or _boolean(conjunct)):
            return Filter(self.check(conjunct, tuple(columns)))
        assigned = _assigned(conjunct, columns)
        if assigned is not None:
            name, term = assigned
            compute = _computer(term, tuple(columns))
            columns.append(name)
            return Assign(compute)
        node = self._try(conjunct)
        if node is None:
            return Filter(self.check(conjunct, tuple(columns))) if bound else None
        planned[id(conjunct)] = node
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

    def _planned_check(self, conjunct: Formula, columns: tuple[str, ...], planned: dict[int, Node]) -> Check:
        node = planned.get(id(conjunct))
        return self.check(conjunct, columns) if node is None else _holds(node, columns)

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
            return _comparer(formula, columns)
        if isinstance(formula, Not):
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
        """EXISTS whose body needs values from outside: a join that starts with them."""
        known = tuple(name for name in free_vars(formula) if name in columns)
        join = self._conjunction(formula.body, known)
        positions = tuple(columns.index(name) for name in known)
        return lambda step, row: any(True for _ in join.extend(step, project(row, positions), 0))

    def _try(self, formula: Formula) -> Node | None:
        """The planned node, or nothing (and no stray state) if the formula has no finite source."""
        before = len(self.stateful)
        try:
            return self.plan(formula)
        except FormulaError:
            del self.stateful[before:]
            return None

    def _error(self, formula: Formula, message: str, hint: str) -> FormulaError:
        return FormulaError(f"in {show(formula)}: {message}", text=self._text, at=formula.at, hint=hint)


def _boolean(formula: Formula) -> bool:
    return isinstance(formula, Binary) and formula.op == "OR"


def _holds(node: Node, columns: tuple[str, ...]) -> Check:
    order = tuple(columns.index(name) for name in node.vars)
    if order == tuple(range(len(columns))):
        return node.holds
    return lambda step, row: node.holds(step, project(row, order))


def _assigned(formula: Formula, columns: Sequence[str]) -> tuple[str, Term] | None:
    """`x = term` with x new and the term's variables known."""
    if not isinstance(formula, Compare) or formula.op != "=":
        return None
    for side, other in ((formula.left, formula.right), (formula.right, formula.left)):
        if isinstance(side, Var) and side.name not in columns and set(term_vars(other)) <= set(columns):
            return side.name, other
    return None


def _comparer(formula: Compare, columns: tuple[str, ...]) -> Check:
    left, right = _computer(formula.left, columns), _computer(formula.right, columns)
    compare = _COMPARE[formula.op]

    def check(_: Step, row: Row) -> bool:
        return compare(left(row), right(row))

    return check


def _computer(term: Term, columns: tuple[str, ...]) -> Compute:
    value = evaluate(term)
    if isinstance(term, Var):
        return operator.itemgetter(columns.index(term.name))
    names = tuple(dict.fromkeys(term_vars(term)))
    positions = tuple(columns.index(name) for name in names)
    return lambda row: value(dict(zip(names, project(row, positions), strict=True)))


def evaluate(term: Term) -> Callable[[Mapping[str, Any]], Any]:
    """A term as a function of its variables' values."""
    if isinstance(term, Const):
        constant = term.value
        return lambda _: constant
    if isinstance(term, Var):
        return operator.itemgetter(term.name)
    if isinstance(term, Convert):
        inner, convert = evaluate(term.term), float if term.op == "i2f" else int
        return lambda values: convert(inner(values))
    return _arithmetic(term)


def _arithmetic(term: Arith) -> Callable[[Mapping[str, Any]], Any]:
    left, right = evaluate(term.left), evaluate(term.right)
    apply = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": _divide, "MOD": _modulo}[term.op]
    return lambda values: apply(left(values), right(values))


def _divide(left: Any, right: Any) -> Any:
    """Integers divide towards zero, as MonPoly's do."""
    if isinstance(left, int) and isinstance(right, int):
        return (left - _modulo(left, right)) // right
    return left / right


def _modulo(left: int, right: int) -> int:
    """The remainder has the sign of the dividend, as MonPoly's does."""
    remainder = abs(left) % abs(right)
    return -remainder if left < 0 else remainder


def plan(formula: Formula, text: str = "", scale: int = 1) -> tuple[Node, list[Temporal]]:
    """Plan a formula: the node of its rows, and its temporal nodes in the order of stepping.

    Args:
        formula: as parsed.
        text: its source, for places in errors.
        scale: stamps per unit of the formula's intervals (1,000,000 for microseconds).
    """
    planner = Planner(text, scale)
    node = planner.plan(normalise(formula))
    return node, planner.stateful

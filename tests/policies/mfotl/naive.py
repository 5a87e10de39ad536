"""A second evaluator that re-reads the whole trace at every time-point: slow, and plainly the definition."""

import itertools
from collections.abc import Mapping, Sequence

from lawful.policies.mfotl.nodes import Row
from lawful.policies.mfotl.plan import evaluate
from lawful.policies.mfotl.syntax import (
    Aggregate,
    Binary,
    Compare,
    Formula,
    Interval,
    Let,
    Not,
    Past,
    Pred,
    Quantified,
    Since,
    Value,
    Var,
    free_vars,
    term_vars,
)

Trace = Sequence[tuple[int, Mapping[str, set[Row]]]]
Binding = Mapping[str, Value]


def satisfying(formula: Formula, trace: Trace, at: int, domain: Sequence[Value]) -> set[Row]:
    """All values from the domain that satisfy a formula at a time-point."""
    names = free_vars(formula)
    rows = itertools.product(domain, repeat=len(names))
    return {row for row in rows if holds(formula, trace, at, dict(zip(names, row, strict=True)), domain)}


def holds(formula: Formula, trace: Trace, at: int, binding: Binding, domain: Sequence[Value]) -> bool:
    """Whether a formula holds at a time-point under a binding, by the textbook definition."""
    if isinstance(formula, Pred):
        return any(_fits(formula, fact, binding) for fact in trace[at][1].get(formula.name, ()))
    if isinstance(formula, Compare):
        left, right = evaluate(formula.left)(binding), evaluate(formula.right)(binding)
        return bool({"=": left == right, "<": left < right, "<=": left <= right}[formula.op])
    if isinstance(formula, Not):
        return not holds(formula.body, trace, at, binding, domain)
    if isinstance(formula, Binary):
        left, right = (holds(side, trace, at, binding, domain) for side in (formula.left, formula.right))
        return {"AND": left and right, "OR": left or right, "IMPLIES": not left or right, "EQUIV": left == right}[
            formula.op
        ]
    if isinstance(formula, Quantified):
        values = itertools.product(domain, repeat=len(formula.variables))
        found = (
            holds(formula.body, trace, at, {**binding, **dict(zip(formula.variables, row, strict=True))}, domain)
            for row in values
        )
        return any(found) if formula.op == "EXISTS" else all(found)
    if isinstance(formula, Since):
        return _since(formula, trace, at, binding, domain)
    if isinstance(formula, Past):
        return _past(formula, trace, at, binding, domain)
    if isinstance(formula, Aggregate):
        raise NotImplementedError
    assert not isinstance(formula, Let)
    raise AssertionError(formula)


def _fits(pred: Pred, fact: Row, binding: Binding) -> bool:
    for term, value in zip(pred.args, fact, strict=True):
        if isinstance(term, Var) and term.name.startswith("_"):
            continue
        assert set(term_vars(term)) <= set(binding)
        if evaluate(term)(binding) != value:
            return False
    return True


def _within(interval: Interval, distance: int) -> bool:
    return interval.reached(distance) and not interval.passed(distance)


def _since(formula: Since, trace: Trace, at: int, binding: Binding, domain: Sequence[Value]) -> bool:
    for then in range(at, -1, -1):
        distance = trace[at][0] - trace[then][0]
        if _within(formula.interval, distance) and holds(formula.right, trace, then, binding, domain):
            return True
        if not holds(formula.left, trace, then, binding, domain):
            return False
    return False


def _past(formula: Past, trace: Trace, at: int, binding: Binding, domain: Sequence[Value]) -> bool:
    if formula.op == "PREV":
        if at == 0 or not _within(formula.interval, trace[at][0] - trace[at - 1][0]):
            return False
        return holds(formula.body, trace, at - 1, binding, domain)
    seen = (
        holds(formula.body, trace, then, binding, domain)
        for then in range(at + 1)
        if _within(formula.interval, trace[at][0] - trace[then][0])
    )
    return any(seen) if formula.op == "ONCE" else all(seen)

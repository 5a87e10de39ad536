"""Terms and comparisons as functions of known values."""

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lawful.policies.mfotl.joins import Compute
from lawful.policies.mfotl.nodes import Check, picker
from lawful.policies.mfotl.syntax import Arith, Compare, Const, Convert, Formula, Term, Var, term_vars

COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {"=": operator.eq, "<": operator.lt, "<=": operator.le}


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


def computer(term: Term, columns: tuple[str, ...]) -> Compute:
    """A term as a function of a row with these columns."""
    value = evaluate(term)
    if isinstance(term, Var):
        return operator.itemgetter(columns.index(term.name))
    names = tuple(dict.fromkeys(term_vars(term)))
    pick = picker(tuple(columns.index(name) for name in names))
    return lambda row: value(dict(zip(names, pick(row), strict=True)))


def comparer(formula: Compare, columns: tuple[str, ...]) -> Check:
    """A comparison as a condition over rows with these columns."""
    left, right = computer(formula.left, columns), computer(formula.right, columns)
    compare = COMPARE[formula.op]
    return lambda _, row: compare(left(row), right(row))


def assigned(formula: Formula, columns: Sequence[str]) -> tuple[str, Term] | None:
    """`x = term` with x new and the term's variables known."""
    if not isinstance(formula, Compare) or formula.op != "=":
        return None
    for side, other in ((formula.left, formula.right), (formula.right, formula.left)):
        if isinstance(side, Var) and side.name not in columns and set(term_vars(other)) <= set(columns):
            return side.name, other
    return None


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

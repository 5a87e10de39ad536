"""Whether a formula is plainly true or plainly false, whatever happens: as far as that is cheaply seen.

The full question cannot be decided. What slips in by mistake can: comparisons of constants, a thing
and its negation, numbers between bounds that leave none, empty intervals.
"""

from collections.abc import Iterable
from dataclasses import fields, is_dataclass, replace
from typing import Any

from lawful.policies.mfotl.normal import normalise
from lawful.policies.mfotl.syntax import (
    Aggregate,
    Binary,
    Compare,
    Const,
    Formula,
    Not,
    Past,
    Quantified,
    Since,
    Var,
    show,
    show_term,
)


def truth(formula: Formula) -> bool | None:
    """`True` or `False` if the normal form is so at every event; `None` if that is not seen."""
    if isinstance(formula, Compare):
        return _compared(formula)
    if isinstance(formula, Not):
        inner = truth(formula.body)
        return None if inner is None else not inner
    if isinstance(formula, Binary):
        return _joined(formula)
    if isinstance(formula, Quantified):
        return truth(formula.body)
    if isinstance(formula, Past):
        return False if formula.interval.empty or truth(formula.body) is False else None
    if isinstance(formula, Since):
        return False if formula.interval.empty or truth(formula.right) is False else None
    if isinstance(formula, Aggregate):
        return False if formula.groups and truth(formula.body) is False else None
    return None


def _compared(formula: Compare) -> bool | None:
    left, right = formula.left, formula.right
    if show_term(left) == show_term(right):
        return formula.op != "<"
    if not (isinstance(left, Const) and isinstance(right, Const)):
        return None
    one: Any = left.value
    two: Any = right.value
    if isinstance(one, str) is not isinstance(two, str):
        return None
    return bool({"=": one == two, "<": one < two, "<=": one <= two}[formula.op])


def _joined(formula: Binary) -> bool | None:
    """AND and OR; a thing beside its negation decides either."""
    parts = list(_flat(formula, formula.op))
    decisive = formula.op == "OR"  # what one true part makes of an OR, one false part makes of an AND
    values = [truth(part) for part in parts]
    if decisive in values or _opposed(parts) or (not decisive and _between(parts)):
        return decisive
    return not decisive if all(value is (not decisive) for value in values) else None


def _flat(formula: Formula, op: str) -> Iterable[Formula]:
    if isinstance(formula, Binary) and formula.op == op:
        yield from _flat(formula.left, op)
        yield from _flat(formula.right, op)
    else:
        yield formula


def _opposed(parts: list[Formula]) -> bool:
    said = {show(part) for part in parts if not isinstance(part, Not)}
    return any(isinstance(part, Not) and show(part.body) in said for part in parts)


def _between(parts: list[Formula]) -> bool:
    """Whether bounds on one variable leave it no number."""
    lows: dict[str, tuple[float, bool]] = {}
    highs: dict[str, tuple[float, bool]] = {}
    for part in parts:
        if isinstance(part, Compare):
            _bound(part, lows, highs)
    return any(
        low > high or (low == high and (low_open or high_open))
        for name, (low, low_open) in lows.items()
        if name in highs
        for high, high_open in (highs[name],)
    )


def _bound(part: Compare, lows: dict[str, tuple[float, bool]], highs: dict[str, tuple[float, bool]]) -> None:
    left, right, is_open = part.left, part.right, part.op == "<"
    if isinstance(left, Const) and isinstance(right, Var) and not isinstance(left.value, str):
        lows[right.name] = max(lows.get(right.name, (float("-inf"), False)), (float(left.value), is_open))
        if part.op == "=":
            highs[right.name] = _lower(highs.get(right.name), (float(left.value), False))
    if isinstance(left, Var) and isinstance(right, Const) and not isinstance(right.value, str):
        highs[left.name] = _lower(highs.get(left.name), (float(right.value), is_open))
        if part.op == "=":
            lows[left.name] = max(lows.get(left.name, (float("-inf"), False)), (float(right.value), False))


def _lower(one: tuple[float, bool] | None, two: tuple[float, bool]) -> tuple[float, bool]:
    """The tighter of two upper bounds."""
    return two if one is None else min(one, two, key=lambda each: (each[0], not each[1]))


def canonical(formula: Formula) -> str:
    """A text that is the same for formulas that differ in the names of their variables only."""
    names: dict[str, str] = {}
    return show(_renamed(normalise(formula), names))


def _renamed(node: Any, names: dict[str, str]) -> Any:
    """The node with its variables numbered in the order in which they come."""
    if isinstance(node, Var):
        return replace(node, name=names.setdefault(node.name, f"x{len(names)}"))
    if isinstance(node, tuple):
        return tuple(_renamed(each, names) for each in node)
    if isinstance(node, Quantified):
        variables = tuple(names.setdefault(name, f"x{len(names)}") for name in node.variables)
        return replace(node, variables=variables, body=_renamed(node.body, names))
    if is_dataclass(node) and not isinstance(node, (type, Const)) and not isinstance(node, Aggregate):
        changed = {each.name: _renamed(getattr(node, each.name), names) for each in fields(node) if each.init}
        return replace(node, **changed)
    return node

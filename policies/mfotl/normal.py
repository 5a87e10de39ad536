"""Fewer operators with the same meaning: what the planner has to know shrinks to the core.

IMPLIES, EQUIV, FORALL and HISTORICALLY are written out; double negations go; NOT moves through OR.
It never moves into the left side of SINCE, where it is what makes the monitor cheap.
"""

from dataclasses import replace

from lawful.policies.mfotl.syntax import (
    Aggregate,
    Binary,
    Compare,
    Formula,
    Let,
    Not,
    Past,
    Pred,
    Quantified,
    Since,
    free_vars,
)


def normalise(formula: Formula) -> Formula:
    """An equivalent formula without IMPLIES, EQUIV, FORALL, HISTORICALLY and double negation."""
    if isinstance(formula, (Pred, Compare)):
        return formula
    if isinstance(formula, Not):
        return negate(formula.body, formula.at)
    if isinstance(formula, Binary):
        return _binary(formula)
    if isinstance(formula, Quantified):
        return _quantified(formula)
    if isinstance(formula, Past):
        return _past(formula)
    if isinstance(formula, Since):
        return replace(formula, left=normalise(formula.left), right=normalise(formula.right))
    if isinstance(formula, Aggregate):
        return replace(formula, body=normalise(formula.body))
    return replace(formula, definition=normalise(formula.definition), body=normalise(formula.body))


def negate(formula: Formula, at: int) -> Formula:
    """The normal form of `NOT formula`."""
    if isinstance(formula, Not):
        return normalise(formula.body)
    if isinstance(formula, Binary) and formula.op == "OR":
        return Binary("AND", negate(formula.left, at), negate(formula.right, at), formula.at)
    if isinstance(formula, Binary) and formula.op == "IMPLIES":
        return Binary("AND", normalise(formula.left), negate(formula.right, at), formula.at)
    if isinstance(formula, Quantified) and formula.op == "FORALL":
        return _exists(formula.variables, negate(formula.body, at), formula.at)
    if isinstance(formula, Past) and formula.op == "HISTORICALLY":
        return Past("ONCE", formula.interval, negate(formula.body, at), formula.at)
    if isinstance(formula, Let):
        return replace(formula, definition=normalise(formula.definition), body=negate(formula.body, at))
    inner = normalise(formula)
    return inner.body if isinstance(inner, Not) else Not(inner, at)


def _binary(formula: Binary) -> Formula:
    left, right = formula.left, formula.right
    if formula.op == "IMPLIES":
        return Binary("OR", negate(left, formula.at), normalise(right), formula.at)
    if formula.op == "EQUIV":
        forth = Binary("OR", negate(left, formula.at), normalise(right), formula.at)
        back = Binary("OR", normalise(left), negate(right, formula.at), formula.at)
        return Binary("AND", forth, back, formula.at)
    return replace(formula, left=normalise(left), right=normalise(right))


def _quantified(formula: Quantified) -> Formula:
    if formula.op == "EXISTS":
        return _exists(formula.variables, normalise(formula.body), formula.at)
    inner = _exists(formula.variables, negate(formula.body, formula.at), formula.at)
    return inner.body if isinstance(inner, Not) else Not(inner, formula.at)


def _exists(variables: tuple[str, ...], body: Formula, at: int) -> Formula:
    used = tuple(name for name in variables if name in free_vars(body))
    return Quantified("EXISTS", used, body, at) if used else body


def _past(formula: Past) -> Formula:
    if formula.op == "HISTORICALLY":
        inner = Past("ONCE", formula.interval, negate(formula.body, formula.at), formula.at)
        return Not(inner, formula.at)
    return replace(formula, body=normalise(formula.body))


def conjuncts(formula: Formula) -> list[Formula]:
    """The parts of a nest of ANDs, left to right."""
    if isinstance(formula, Binary) and formula.op == "AND":
        return [*conjuncts(formula.left), *conjuncts(formula.right)]
    return [formula]

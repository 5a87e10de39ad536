"""What a formula depends on: whether it looks back in time, and which facts it cannot do without.

Both are what makes an event cheap: a part that asks for the event's own facts only is worked out
once for all events with those facts, and memory that no fact of an event can change is left alone.
"""

from collections.abc import Iterator, Mapping

from lawful.policies.mfotl.syntax import (
    Aggregate,
    Binary,
    Formula,
    Let,
    Not,
    Past,
    Pred,
    Quantified,
    Since,
)

Definitions = Mapping[str, Formula]


def names(formula: Formula) -> Iterator[str]:
    """The predicates that a formula uses, with repetitions; LET names included."""
    if isinstance(formula, Pred):
        yield formula.name
    elif isinstance(formula, Let):
        yield from names(formula.definition)
        yield from names(formula.body)
    else:
        for part in parts(formula):
            yield from names(part)


def parts(formula: Formula) -> tuple[Formula, ...]:
    """The formulas directly within one that is no LET."""
    if isinstance(formula, (Binary, Since)):
        return (formula.left, formula.right)
    if isinstance(formula, (Not, Past, Quantified, Aggregate)):
        return (formula.body,)
    return ()


def timeless(formula: Formula, timeless_names: Mapping[str, bool], changing: frozenset[str]) -> bool:
    """Whether recurring facts alone decide a formula.

    Args:
        formula: the formula.
        timeless_names: the same for each LET name in scope.
        changing: predicates whose facts differ even where the others recur.
    """
    if isinstance(formula, Pred):
        return timeless_names.get(formula.name, formula.name not in changing)
    if isinstance(formula, (Past, Since)):
        return False
    if isinstance(formula, Let):
        known = timeless(formula.definition, timeless_names, changing)
        return timeless(formula.body, {**timeless_names, formula.name: known}, changing)
    return all(timeless(part, timeless_names, changing) for part in parts(formula))


def needs(formula: Formula, needs_of_names: Mapping[str, frozenset[str] | None]) -> frozenset[str] | None:
    """Predicates without any fact of which a formula has no row; `None` where it may have one all the same.

    Args:
        formula: the formula.
        needs_of_names: the same for each LET name in scope.
    """
    if isinstance(formula, Pred):
        return needs_of_names.get(formula.name, frozenset((formula.name,)))
    if isinstance(formula, Quantified):
        return needs(formula.body, needs_of_names) if formula.op == "EXISTS" else None
    if isinstance(formula, Aggregate):
        return needs(formula.body, needs_of_names) if formula.groups else None
    if isinstance(formula, Let):
        known = needs(formula.definition, needs_of_names)
        return needs(formula.body, {**needs_of_names, formula.name: known})
    if not isinstance(formula, Binary) or formula.op not in ("AND", "OR"):
        return None
    left, right = (needs(side, needs_of_names) for side in (formula.left, formula.right))
    if formula.op == "OR":
        return None if left is None or right is None else left | right
    # A conjunction has no row where either side has none.
    return min((each for each in (left, right) if each is not None), key=len, default=None)

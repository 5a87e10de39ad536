"""What a rule's formula says about itself: who can break it, how far it looks back, what it is about."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from lawful.policies.mfotl.normal import conjuncts, negate
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
    Var,
    term_vars,
)
from lawful.policies.rules.model import Horizon

Causes = frozenset[str] | None
SECOND = 1_000_000


def violation(formula: Formula) -> Formula:
    """What breaks a rule: its negation, without the outer EXISTS, so that witnesses are reported."""
    return _bare(negate(formula, 0))


def _bare(formula: Formula) -> Formula:
    if isinstance(formula, Let):
        return replace(formula, body=_bare(formula.body))
    while isinstance(formula, Quantified) and formula.op == "EXISTS":
        formula = formula.body
    return formula


def below(formula: Formula) -> tuple[Formula, ...]:
    """The formulas directly within one."""
    if isinstance(formula, Binary | Since):
        return (formula.left, formula.right)
    if isinstance(formula, Not | Past | Quantified | Aggregate):
        return (formula.body,)
    return (formula.definition, formula.body) if isinstance(formula, Let) else ()


def predicates_in(formula: Formula) -> frozenset[str]:
    """The predicates that it speaks of, whatever LET calls them."""
    return frozenset(_names(formula, frozenset()))


def _names(formula: Formula, lets: frozenset[str]) -> Iterator[str]:
    if isinstance(formula, Pred):
        if formula.name not in lets:
            yield formula.name
    elif isinstance(formula, Let):
        yield from _names(formula.definition, lets)
        yield from _names(formula.body, lets | {formula.name})
    else:
        for part in below(formula):
            yield from _names(part, lets)


def compared(formula: Formula) -> dict[str, frozenset[int]]:
    """Which arguments of which predicates a normalised formula compares or joins, by place.

    All but those that only say "something" (a variable that is named once), and but those of what
    a rule simply demands: there, a value that equals nothing is as strict as can be. A name counts
    wherever it stands, bound or free: an argument too many is only stricter.

    Args:
        formula: what breaks the rule.
    """
    times = Counter(_variables(formula))
    found: dict[str, frozenset[int]] = {}
    for pred in _counting(formula):
        places = {
            place
            for place, term in enumerate(pred.args)
            if not isinstance(term, Var) or (times[term.name] > 1 and not term.name.startswith("_"))
        }
        found[pred.name] = found.get(pred.name, frozenset()) | places
    return {name: places for name, places in found.items() if places}


def _counting(formula: Formula) -> Iterator[Pred]:
    """The predicates that may break a rule by what they hold, and not only keep it."""
    if isinstance(formula, Pred):
        yield formula
    if isinstance(formula, Not) and _is_plain(formula.body):
        return
    for part in below(formula):
        yield from _counting(part)


def _is_plain(formula: Formula) -> bool:
    """Whether predicates are only joined: values that equal nothing cannot make it hold."""
    plain = isinstance(formula, Pred | Binary | Quantified | Past | Since)
    return plain and all(_is_plain(part) for part in below(formula))


def _variables(formula: Formula) -> Iterator[str]:
    match formula:
        case Pred():
            yield from (name for term in formula.args for name in term_vars(term))
        case Compare():
            yield from (*term_vars(formula.left), *term_vars(formula.right))
        case Aggregate():
            yield from (formula.variable, *formula.groups)
        case Let():
            yield from formula.params
        case _:
            pass
    for part in below(formula):
        yield from _variables(part)


def causes(formula: Formula, preferred: frozenset[str], lets: Mapping[str, Causes] | None = None) -> Causes:
    """Predicates without any fact of which, now, a normalised formula holds of nothing.

    Args:
        formula: what breaks a rule.
        preferred: where a conjunction leaves the choice, predicates to choose.
        lets: the same for LET names in scope.
    """
    known = lets or {}
    if isinstance(formula, Pred):
        return known.get(formula.name, frozenset({formula.name}))
    if isinstance(formula, Let):
        inner = {**known, formula.name: causes(formula.definition, preferred, known)}
        return causes(formula.body, preferred, inner)
    if isinstance(formula, Quantified):
        return causes(formula.body, preferred, known)
    if isinstance(formula, Aggregate):
        return causes(formula.body, preferred, known) if formula.groups else None
    if not isinstance(formula, Binary):
        return None
    if formula.op == "AND":
        found = [each for part in conjuncts(formula) if (each := causes(part, preferred, known)) is not None]
        return min(found, key=lambda each: (not each <= preferred, len(each), sorted(each)), default=None)
    sides = (causes(formula.left, preferred, known), causes(formula.right, preferred, known))
    return None if sides[0] is None or sides[1] is None else sides[0] | sides[1]


def minds_every_event(formula: Formula, lets: Mapping[str, Causes] | None = None) -> bool:
    """Whether a normalised formula depends on past events that do nothing in its words, as PREV does."""
    known = lets or {}
    nobody: frozenset[str] = frozenset()
    if isinstance(formula, Let):
        inner = {**known, formula.name: causes(formula.definition, nobody, known)}
        return minds_every_event(formula.definition, known) or minds_every_event(formula.body, inner)
    if isinstance(formula, Past) and (formula.op == "PREV" or causes(formula.body, nobody, known) is None):
        return True
    if isinstance(formula, Since):
        stays = not isinstance(formula.left, Not) or causes(formula.left.body, nobody, known) is None
        if stays or causes(formula.right, nobody, known) is None:
            return True
    return any(minds_every_event(part, known) for part in below(formula))


def remembered(formula: Formula) -> dict[str, Horizon]:
    """How far a formula looks back at which predicate; those asked only of now are left out."""
    found: dict[str, Horizon] = {}
    for name, horizon in _looks(formula, None, {}):
        found[name] = farther(found.get(name), horizon)
    return found


def farthest(formula: Formula) -> Horizon | None:
    """How far a formula looks back at all."""
    best: Horizon | None = None
    for _, horizon in _looks(formula, None, {}, everything=True):
        best = farther(best, horizon)
    return best


def farther(one: Horizon | None, two: Horizon) -> Horizon:
    """The one that reaches farther back."""
    if one is None:
        return two
    if one.reach is None or two.reach is None:
        return Horizon(None)
    return one if one.reach >= two.reach else two


def _looks(
    formula: Formula, so_far: Horizon | None, lets: Mapping[str, Formula], *, everything: bool = False
) -> Iterator[tuple[str, Horizon]]:
    if isinstance(formula, Pred):
        if formula.name in lets:
            outer = {name: body for name, body in lets.items() if name != formula.name}
            yield from _looks(lets[formula.name], so_far, outer, everything=everything)
        elif so_far is not None:
            yield formula.name, so_far
        return
    if isinstance(formula, Let):
        # INVARIANT: LET is not recursive, so a name's own definition never needs the name.
        yield from _looks(formula.body, so_far, {**lets, formula.name: formula.definition}, everything=everything)
        return
    if isinstance(formula, Past | Since):
        so_far = _plus(so_far, formula.interval)
        if everything:
            yield "", so_far
    for part in below(formula):
        yield from _looks(part, so_far, lets, everything=everything)


def _plus(so_far: Horizon | None, interval: Interval) -> Horizon:
    if interval.hi is None or (so_far is not None and so_far.reach is None):
        return Horizon(None)
    return Horizon((so_far.reach or 0 if so_far else 0) + interval.hi * SECOND)

"""Events and facts as rules see them: predicate name to rows, one time-point each."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Final

from lawful.policies.mfotl.nodes import Row
from lawful.policies.model import Policy
from lawful.policies.rules.model import Horizon, Kind, Parameter, Predicate, Rules, SliceRules
from lawful.policies.rules.remembering import MARGIN
from lawful.policies.rules.vocabulary import BUILT_IN, CATEGORY, CONSENT, ERASED, FACTS, PURPOSE, TOOL, WITHDRAWN
from lawful.schemas.event import RequestKind
from lawful.schemas.history import (
    Act,
    ActArgument,
    ActedEntry,
    ActedFact,
    ConsentFact,
    Entry,
    Fact,
    RequestFact,
    WithdrawalFact,
)
from lawful.schemas.taxonomy import covers, line
from lawful.schemas.verdict import Obligation
from lawful.schemas.view import View

Rows = set[Row]
Facts = dict[str, Rows]
Point = tuple[int, Facts]
"""A time-point: its stamp, and what holds there."""

_NOWHERE: Final = ActArgument()


def now(view: View, policy: Policy, rules: SliceRules) -> tuple[Act, ...]:
    """What an event does and is, as far as these rules speak of it."""
    looks_at = rules.looks_at
    acts = [act for act in view.acts if act.name in looks_at]
    for name, values in _BUILT_IN.items():
        if name in looks_at:
            acts += [Act(name, (ActArgument(text=value),)) for value in sorted(set(values(view)))]
    if view.fact is not None and FACTS & looks_at:
        acts += [act for act in _acts_of_fact(view.fact, policy) if act.name in looks_at]
    return tuple(acts)


def _categories(view: View) -> Iterator[str]:
    return (name for finding in view.findings for name in line(finding.category))


def _purposes(view: View) -> Iterator[str]:
    return (name for claim in view.purposes for name in line(claim.purpose))


def _tools(view: View) -> Iterator[str]:
    return iter(() if view.tool is None else (view.tool,))


_BUILT_IN: Final[Mapping[str, Callable[[View], Iterator[str]]]] = {
    CATEGORY: _categories,
    PURPOSE: _purposes,
    TOOL: _tools,
}


def _acts_of_fact(fact: Fact, policy: Policy) -> Iterator[Act]:
    match fact:
        case ConsentFact():
            return (_of_purpose(CONSENT, each) for each in _reached(fact.purposes, policy))
        case WithdrawalFact():
            return (_of_purpose(WITHDRAWN, each) for each in _reached(fact.purposes, policy))
        case RequestFact() if fact.kind is RequestKind.ERASURE:
            return iter((Act(ERASED),))
        case _:
            return iter(())


def _of_purpose(name: str, purpose: str) -> Act:
    return Act(name, (ActArgument(text=purpose),))


def _reached(purposes: tuple[str, ...] | None, policy: Policy) -> list[str]:
    """These purposes and the policy's own below them; `None` reaches all."""
    if purposes is None:
        return sorted(policy.purposes)
    below = (each for each in policy.purposes for given in purposes if covers(given, each))
    return sorted({*purposes, *below})


def rows_of(acts: Iterable[Act], predicates: Mapping[str, Predicate], event_id: str) -> Facts:
    """Acts as rows. Those of an older version of the policy that no longer fit are left out."""
    facts: Facts = {}
    for number, act in enumerate(acts):
        predicate = predicates.get(act.name) or BUILT_IN.get(act.name)
        if predicate is not None and len(predicate.parameters) == len(act.arguments):
            pairs = enumerate(zip(predicate.parameters, act.arguments, strict=True))
            row = tuple([_value(one, each, f"?{event_id}/{number}/{at}") for at, (one, each) in pairs])
            facts.setdefault(act.name, set()).add(row)
    return facts


def _value(parameter: Parameter, argument: ActArgument, marker: str) -> str | int | float:
    """The argument's value; what is masked or unreadable equals nothing: a text of its own, or not-a-number."""
    if parameter.kind is Kind.INT:
        return float("nan") if argument.number is None else argument.number
    return marker if argument.text is None else argument.text


def points(
    acts: Iterable[ActedEntry], entries: Iterable[Entry], policy: Policy, looks_at: frozenset[str], event_id: str
) -> list[Point]:
    """The past as time-points in order of time; an event's own earlier shares are no past of it."""
    predicates = policy.rules.predicates if policy.rules else {}
    found: list[tuple[int, int, Facts]] = [
        (each.recorded_at, each.offset, rows_of(each.fact.acts, predicates, each.fact.event_id))
        for each in acts
        if each.fact.policy_id == policy.id and each.fact.event_id != event_id
    ]
    if FACTS & looks_at:
        for entry in entries:
            told = rows_of(_acts_of_fact(entry.fact, policy), {}, "")
            if told and entry.fact.event_id != event_id:
                found.append((entry.recorded_at, entry.offset, told))
        found.sort(key=lambda each: each[:2])
    elif any(one[0] > two[0] for one, two in pairwise(found)):
        found.sort(key=lambda each: each[:2])
    return [(stamp, facts) for stamp, _, facts in found]


def to_remember(view: View, acts: Iterable[Act], rules: SliceRules, policy: Policy) -> ActedFact | None:
    """What later events may ask of this one; `None` if nothing."""
    kept = tuple(act for act in acts if act.name in rules.remembers and act.name not in FACTS)
    if not kept and rules.every is None:
        return None
    horizons = [rules.remembers[act.name] for act in kept] + ([rules.every] if rules.every else [])
    return ActedFact(view.event_id, policy.id, kept, _until(view, horizons))


def _until(view: View, horizons: list[Horizon]) -> int | None:
    reaches = [each.reach for each in horizons]
    if None in reaches:
        return None
    return view.recorded_at + max(reach or 0 for reach in reaches) + MARGIN


def happened(fact: ActedFact, obligations: Iterable[Obligation]) -> ActedFact:
    """What really happened: what the obligations take out of the payload is not there any more."""
    gone = [obligation.path for obligation in obligations]
    acts = tuple(replace(act, arguments=tuple(_after(each, gone) for each in act.arguments)) for act in fact.acts)
    return replace(fact, acts=acts)


def _after(argument: ActArgument, gone: list[str]) -> ActArgument:
    path = argument.path
    if path and any(_overlap(path, each) for each in gone):
        return _NOWHERE
    return replace(argument, path="") if path else argument


def _overlap(one: str, two: str) -> bool:
    return one == two or one.startswith(f"{two}/") or two.startswith(f"{one}/")


def concerns(rules: Rules, slice_rules: SliceRules, acts: Iterable[Act]) -> bool:
    """Whether a slice other than the subject's has to hear of an event that does this."""
    return slice_rules.always or any(act.name in slice_rules.looks_at for act in acts if act.name in rules.predicates)

"""From the `predicates` and `rules` of a policy file to rules that can be judged by, or to what is wrong with them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from lawful.policies.mfotl.errors import FormulaError
from lawful.policies.mfotl.monitor import Program
from lawful.policies.mfotl.parser import parse
from lawful.policies.mfotl.plan import plan
from lawful.policies.mfotl.syntax import Formula, free_vars, show
from lawful.policies.mfotl.typecheck import check_types
from lawful.policies.rules import reading
from lawful.policies.rules.declared import Flaw, flaws_in_predicates, predicates_of
from lawful.policies.rules.enforcing import Enforcement, Unenforceable, enforcement
from lawful.policies.rules.model import NONE, Horizon, Predicate, Rule, Rules, Slice, SliceRules
from lawful.policies.rules.vocabulary import BUILT_IN, FACTS, signature_of
from lawful.policies.rules.words import Words

if TYPE_CHECKING:
    from lawful.policies.document import PolicyDocument, RuleDocument

_RESERVED: Final = frozenset({"error"})


@dataclass(slots=True)
class Reading:
    """What reading a policy's rules came to: rules if there is no flaw."""

    rules: Rules | None = None
    flaws: list[Flaw] = field(default_factory=list)


def read_rules(document: "PolicyDocument") -> Reading:
    """Reads all rules of a policy file; `rules` stays `None` where it has none, or any is wrong."""
    result = Reading(flaws=list(flaws_in_predicates(document)))
    predicates = predicates_of(document)
    found: list[Rule] = []
    warnings: list[str] = []
    seen: set[str] = set()
    for index, each in enumerate(document.rules):
        path = ("rules", index)
        if each.name in seen or each.name in _RESERVED:
            result.flaws.append(Flaw((*path, "name"), f"the name '{each.name}' is taken", "give the rule another one"))
        seen.add(each.name)
        try:
            rule, said = _rule(each, document, predicates)
        except FormulaError as error:
            result.flaws.append(_of_formula((*path, "formula"), error))
        except Unenforceable as error:
            result.flaws.append(Flaw((*path, "on_violation"), error.message, error.hint))
        else:
            found.append(rule)
            warnings += [f"rule '{rule.name}': {line}" for line in said]
    if found and not result.flaws:
        result.rules = _together(found, predicates, warnings)
    return result


def _rule(
    document: "RuleDocument", policy: "PolicyDocument", predicates: dict[str, Predicate]
) -> tuple[Rule, list[str]]:
    """One rule.

    Raises:
        FormulaError: the formula is wrong.
        Unenforceable: a violation cannot lead to what the rule wants.
    """
    text = document.formula
    known = {**BUILT_IN, **predicates}
    formula = parse(text, always=True)
    check_types(formula, signature_of(predicates), text)
    Words(known, policy.purposes, policy.tools).check(formula, text)
    broken = reading.violation(formula)
    program = _program(broken, text, predicates)
    looks_at = reading.predicates_in(formula)
    slice_ = Slice(document.slice)
    _known_per_slice(slice_, looks_at, text)
    wanted = Enforcement(document.decision, document.fields)
    decision, masks, warnings = enforcement(wanted, reading.causes(broken, frozenset(known) - FACTS), known)
    if warnings:
        warnings.append(f"it is read as {show(formula)}")
    if slice_ is Slice.TENANT:
        warnings.append("all of a tenant's events that it concerns pass through one partition, one after the other")
    rule = Rule(
        name=document.name,
        formula=text,
        slice=slice_,
        decision=decision,
        message=document.message or f"the rule '{document.name}' does not hold",
        article=document.article,
        compared=reading.compared(broken),
        masks=masks,
        program=program,
        causes=reading.causes(broken, frozenset(known) - FACTS),
        looks_at=looks_at,
        remembers=reading.remembered(broken),
        every=reading.farthest(broken) if reading.minds_every_event(broken) else None,
    )
    return rule, warnings


def _program(broken: Formula, text: str, predicates: dict[str, Predicate]) -> Program:
    try:
        node, stateful = plan(broken, text, reading.SECOND)
        types = check_types(broken, signature_of(predicates), text)
    except FormulaError as error:
        watched = f"watched for what breaks it: {show(broken)}"
        hint = f"{error.hint}; {watched}" if error.hint else watched
        raise FormulaError(error.message, text=text, at=error.at, hint=hint) from None
    except RecursionError:
        raise FormulaError("nested too deeply", text=text, hint="name parts with LET") from None
    return Program(free_vars(broken), types, node, tuple(stateful))


def _known_per_slice(slice_: Slice, looks_at: frozenset[str], text: str) -> None:
    facts = sorted(looks_at & FACTS)
    if slice_ is not Slice.SUBJECT and facts:
        message = f"{facts[0]} is known of a subject, not of a {slice_.value}"
        raise FormulaError(message, text=text, at=max(text.find(facts[0]), 0), hint="write 'slice: subject'")


def _of_formula(path: tuple[str | int, ...], error: FormulaError) -> Flaw:
    return Flaw(path, f"formula, line {error.line}, column {error.column}: {error.message}", error.hint)


def _together(rules: list[Rule], predicates: dict[str, Predicate], warnings: list[str]) -> Rules:
    slices = {each: _slice([rule for rule in rules if rule.slice is each]) for each in Slice}
    at_facts = any(rule.causes is None or rule.causes & FACTS for rule in slices[Slice.SUBJECT].rules)
    named = {each: found for each, found in slices.items() if found is not NONE}
    return Rules(dict(_used(rules, predicates)), named, tuple(warnings), at_facts)


def _used(rules: list[Rule], predicates: dict[str, Predicate]) -> Iterator[tuple[str, Predicate]]:
    """The predicates that some rule speaks of: nothing else need be taken from events."""
    spoken = frozenset(name for rule in rules for name in rule.looks_at)
    return ((name, each) for name, each in predicates.items() if name in spoken)


def _slice(rules: list[Rule]) -> SliceRules:
    if not rules:
        return NONE
    remembers: dict[str, Horizon] = {}
    every: Horizon | None = None
    for rule in rules:
        for name, horizon in rule.remembers.items():
            remembers[name] = reading.farther(remembers.get(name), horizon)
        every = reading.farther(every, rule.every) if rule.every else every
    looks_at = frozenset(name for rule in rules for name in rule.looks_at)
    asks_all = (BUILT_IN.keys() - FACTS) & looks_at
    always = every is not None or bool(asks_all) or any(rule.causes is None for rule in rules)
    return SliceRules(tuple(rules), looks_at, remembers, every, always)

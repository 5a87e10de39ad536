"""Rules that can never be broken, that every event breaks, that another rule makes idle, or that remember for ever."""

from collections.abc import Iterator
from dataclasses import dataclass

from lawful.policies.lint.flaw import Desk, Flaw
from lawful.policies.lint.truth import canonical, truth
from lawful.policies.mfotl.normal import negate, normalise
from lawful.policies.mfotl.parser import parse
from lawful.policies.mfotl.syntax import Formula, show
from lawful.policies.rules.model import Rule
from lawful.schemas.yamltree import Path


@dataclass(frozen=True, slots=True)
class Read:
    """A rule, where it stands, and its formula.

    Attributes:
        same: equal for formulas that differ in the names of variables only.
    """

    index: int
    rule: Rule
    formula: Formula
    same: str

    @property
    def path(self) -> Path:
        """Where its formula stands."""
        return ("rules", self.index, "formula")


def check_rules(desk: Desk) -> Iterator[Flaw]:
    """The flaws of `predicates` and `rules`."""
    rules = list(_rules(desk))
    for each in rules:
        yield from _truth(desk, each)
        yield from _memory(desk, each)
    yield from _idle(desk, rules)
    yield from _told(desk, rules)
    spoken = {name for each in rules for name in each.rule.looks_at}
    for name in desk.written.document.predicates:
        if name not in spoken:
            yield _unused(desk, name)


def _rules(desk: Desk) -> Iterator[Read]:
    compiled = desk.policy.rules
    known = {} if compiled is None else {rule.name: rule for each in compiled.slices.values() for rule in each.rules}
    for index, document in enumerate(desk.written.document.rules):
        formula = parse(document.formula, always=True)
        yield Read(index, known[document.name], formula, canonical(formula))


def _truth(desk: Desk, each: Read) -> Iterator[Flaw]:
    if truth(negate(each.formula, 0)) is False:
        yield desk.flaw(
            "rule_never_broken",
            each.path,
            f"no event can break the rule '{each.rule.name}': {show(each.formula)}",
            "it holds whatever happens",
            "look at its brackets, its intervals and its comparisons",
        )
    elif truth(normalise(each.formula)) is False:
        yield desk.flaw(
            "rule_always_broken",
            each.path,
            f"every event breaks the rule '{each.rule.name}': {show(each.formula)}",
            "nothing it concerns will ever pass",
            "look at its brackets, its intervals and its comparisons",
        )


def _memory(desk: Desk, each: Read) -> Iterator[Flaw]:
    endless = sorted(name for name, horizon in each.rule.remembers.items() if horizon.reach is None)
    # What happened to a subject's consents and requests is kept anyway.
    own = [name for name in endless if name in desk.written.document.predicates]
    if own:
        yield desk.flaw(
            "rule_remembers_for_ever",
            each.path,
            f"'{each.rule.name}' keeps {', '.join(own)} for ever",
            f"what is remembered of a {each.rule.slice.value} only grows",
            "give the operator an upper bound, as in ONCE[0,30d]",
        )


def _idle(desk: Desk, rules: list[Read]) -> Iterator[Flaw]:
    for each in rules:
        for other in rules:
            if other is each or (other.same, other.rule.slice) != (each.same, each.rule.slice):
                continue
            stricter = other.rule.decision > each.rule.decision
            if stricter or (other.rule.decision is each.rule.decision and other.index < each.index):
                yield desk.flaw(
                    "rule_subsumed",
                    ("rules", each.index),
                    f"'{each.rule.name}' says what '{other.rule.name}' says",
                    f"that one leads to '{other.rule.decision.word}', so this one decides nothing",
                    "keep the one that is meant",
                )
                break


def _told(desk: Desk, rules: list[Read]) -> Iterator[Flaw]:
    """What the loader already said aloud of a rule that it could not take as it is written."""
    for warning in desk.policy.rules.warnings if desk.policy.rules else ():
        index = next((each.index for each in rules if warning.startswith(f"rule '{each.rule.name}': ")), 0)
        yield desk.flaw("rule_not_as_written", ("rules", index), warning, mend="write what is meant, or allow this")


def _unused(desk: Desk, name: str) -> Flaw:
    return desk.flaw(
        "predicate_unused",
        ("predicates", name),
        f"no rule speaks of '{name}'",
        "it is never looked for",
        "use it or delete it",
        key=True,
    )

"""A temporal rule in plain words: how its formula is read, what breaks it, and what it remembers."""

from collections.abc import Iterator

from lawful.policies.explain import Explanation, span
from lawful.policies.mfotl.parser import parse
from lawful.policies.mfotl.syntax import show
from lawful.policies.model import Policy
from lawful.policies.problems import did_you_mean
from lawful.policies.rules.model import Horizon, Rule
from lawful.policies.rules.reading import violation
from lawful.policies.rules.vocabulary import FACTS
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.verdict import Decision

_LEADS = {
    Decision.WARN: "the event passes with a warning",
    Decision.REDACT: "what the rule names is masked",
    Decision.BLOCK: "the event is blocked",
}


def rules_of(policy: Policy) -> dict[str, Rule]:
    """The policy's temporal rules by name."""
    return {} if policy.rules is None else {each.name: each for s in policy.rules.slices.values() for each in s.rules}


def explain_rule(policy: Policy, name: str) -> Explanation:
    """What a rule says, with every bracket, and what keeping to it costs.

    Raises:
        ConfigurationError: the policy has no such rule.
    """
    rules = rules_of(policy)
    if name not in rules:
        hint = did_you_mean(name, rules) or f"it has {', '.join(sorted(rules)) or 'no rules at all'}"
        raise ConfigurationError(f"the policy has no rule '{name}'", hint=hint)
    rule = rules[name]
    formula = parse(rule.formula, always=True)
    facts = {
        "rule": rule.name,
        "formula": rule.formula,
        "bracketed": show(formula),
        "broken_by": show(violation(formula)),
        "slice": rule.slice.value,
        "leads_to": rule.decision.word,
        "masks": {predicate: sorted(names) for predicate, names in rule.masks.items()},
        "message": rule.message,
        "article": rule.article,
        "speaks_of": sorted(rule.looks_at),
        "keeps": {what: _seconds(horizon) for what, horizon in _kept(rule)},
    }
    return Explanation("rule", name, facts, tuple(_words(policy, rule, facts["bracketed"], facts["broken_by"])))


def _words(policy: Policy, rule: Rule, bracketed: object, broken: object) -> Iterator[str]:
    law = f" ({rule.article})" if rule.article else ""
    yield f"{rule.message[:1].upper()}{rule.message[1:]}{law}."
    yield f"Read as: {bracketed}"
    yield f"Broken by: {broken}"
    masked = ", ".join(f"{name} of {predicate}" for predicate, names in rule.masks.items() for name in sorted(names))
    yield f"Then {_LEADS[rule.decision]}{f': {masked}' if masked else ''}."
    yield f"It is about what happened to one {rule.slice.value}."
    kept = list(_kept(rule))
    for what, horizon in kept:
        if horizon.reach is None:
            yield f"Keeps {what} per {rule.slice.value} for ever."
        else:
            yield f"Keeps at most {span(horizon.reach)} of {what} per {rule.slice.value}."
    if not kept:
        yield "Keeps nothing of its own."
    for warning in policy.rules.warnings if policy.rules else ():
        prefix, _, words = warning.partition(": ")
        if prefix == f"rule '{rule.name}'":
            yield f"Mind: {words}."


def _kept(rule: Rule) -> Iterator[tuple[str, Horizon]]:
    """What is remembered for the rule's sake; consents and requests are kept anyway."""
    if rule.every is not None:
        yield "every event", rule.every
    yield from ((name, horizon) for name, horizon in sorted(rule.remembers.items()) if name not in FACTS)


def _seconds(horizon: Horizon) -> int | None:
    return None if horizon.reach is None else horizon.reach // 1_000_000

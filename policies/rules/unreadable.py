"""What an argument that cannot be read does to a rule that compares or joins it: it breaks the rule.

Nobody knows whether such an event is what the rule forbids, or what it demands, now or later; so it
is treated as if the rule were broken, whichever way round the rule is written.
"""

from collections.abc import Iterable, Mapping

from lawful.policies.rules.model import Predicate, Rule
from lawful.schemas.history import Act
from lawful.schemas.verdict import Decision

REASON = "argument_unreadable"

Place = tuple[str, str]
"""A predicate and one of its arguments."""


def unreadable(rule: Rule, acts: Iterable[Act], predicates: Mapping[str, Predicate]) -> tuple[Place, ...]:
    """The arguments of an event that the rule compares or joins and that cannot be read."""
    return tuple(
        (act.name, name)
        for act in acts
        for place, name in _blanks(act, predicates)
        if place in rule.compared.get(act.name, ())
    )


def consequence(rule: Rule, acts: Iterable[Act], predicates: Mapping[str, Predicate]) -> Decision:
    """What that leads to: the rule's own; block if what it wants masked is not there to be masked."""
    if rule.decision is Decision.REDACT and any(_unmaskable(rule, act, predicates) for act in acts):
        return Decision.BLOCK
    return rule.decision


def _unmaskable(rule: Rule, act: Act, predicates: Mapping[str, Predicate]) -> bool:
    if not unreadable(rule, (act,), predicates):
        return False
    fields = rule.masks.get(act.name, frozenset())
    return not fields or any(name in fields for _, name in _blanks(act, predicates))


def _blanks(act: Act, predicates: Mapping[str, Predicate]) -> Iterable[tuple[int, str]]:
    """Place and name of each argument of one of the policy's own predicates that has no value."""
    predicate = predicates.get(act.name)
    if predicate is None:
        return
    for place, (parameter, argument) in enumerate(zip(predicate.parameters, act.arguments, strict=True)):
        if argument.text is None and argument.number is None:
            yield place, parameter.name

"""What can be done about a violation, checked before any happens.

Only what an agent does can be stopped or masked. A consent or an erasure happens whether or not a
rule likes it, and so does the passing of time: such violations are reported, never enforced.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from lawful.policies.rules.model import Predicate
from lawful.policies.rules.vocabulary import FACTS
from lawful.schemas.verdict import Decision

Masks = dict[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Enforcement:
    """What a rule wants to happen: the decision, and which arguments to mask."""

    decision: Decision
    fields: tuple[str, ...] = ()


class Unenforceable(Exception):
    """What a rule wants cannot be done."""

    def __init__(self, message: str, hint: str) -> None:
        self.message = message
        self.hint = hint
        super().__init__(message)


def enforcement(
    wanted: Enforcement, causes: frozenset[str] | None, predicates: Mapping[str, Predicate]
) -> tuple[Decision, Masks, list[str]]:
    """What will be done, which arguments are masked, and what has to be said aloud.

    Args:
        wanted: what the rule says.
        causes: predicates one of which must hold now for the rule to be broken.
        predicates: all there are.

    Raises:
        Unenforceable: arguments are to be masked that the cause of a violation does not have.
    """
    if wanted.decision is Decision.REDACT:
        return Decision.REDACT, _masks(wanted.fields, causes, predicates), []
    if wanted.decision is Decision.WARN:
        return Decision.WARN, {}, []
    if causes is None:
        return Decision.WARN, {}, ["no event of its own breaks it (time alone may), so a violation is a warning"]
    facts = ", ".join(sorted(causes & FACTS))
    if causes <= FACTS:
        return Decision.WARN, {}, [f"{facts} cannot be blocked, so a violation is a warning"]
    said = [f"where {facts} breaks it, nothing can be blocked and it is a warning"] if facts else []
    return Decision.BLOCK, {}, said


def _masks(fields: tuple[str, ...], causes: frozenset[str] | None, predicates: Mapping[str, Predicate]) -> Masks:
    if causes is None:
        raise Unenforceable("nothing can be masked: no event of its own breaks the rule", "write 'warn'")
    masks: Masks = {}
    for name in sorted(causes):
        has = {parameter.name for parameter in predicates[name].parameters if parameter.path}
        if not has & set(fields):
            hint = f"it has {', '.join(sorted(has))}" if has else "write 'block' or 'warn'"
            raise Unenforceable(f"{name} breaks the rule and has none of these arguments", hint)
        masks[name] = frozenset(has & set(fields))
    unknown = sorted(set(fields) - {field for each in masks.values() for field in each})
    if unknown:
        raise Unenforceable(f"what breaks the rule has no argument '{unknown[0]}'", "leave it out")
    return masks

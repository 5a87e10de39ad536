"""What extraction needs to know of a policy.

Extractors and policies are neighbours that do not know each other; this is where the one's words
become the other's.
"""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from lawful.extractors.patterns import of_people
from lawful.extractors.port import ExtractionSpec, IdentifierPattern, KeyHint, Limits, MarkSpec, NotPersonal, ToolSpec
from lawful.policies.channels.model import PASS
from lawful.policies.combinations.model import meets
from lawful.policies.model import Policy
from lawful.schemas.taxonomy import categories, covers
from lawful.schemas.verdict import Action, Decision, Predicate

_SECONDS: Final = 0.05


@dataclass(frozen=True, slots=True)
class Bounded:
    """A policy's pattern whose search ends in time: some patterns take for ever on some strings."""

    pattern: str

    def search(self, text: str, /) -> object:
        """Whether the pattern is in the text. If that takes too long, it is taken to be."""
        try:
            return next(of_people(self.pattern, text, _SECONDS), None)
        except TimeoutError:
            return True


Patterns = tuple[Bounded, ...]

_OF_NAMES: Final = ("user.name", "user.contact.address")
_MOST: Final = 256
_SPECS: Final[OrderedDict[str, tuple[Policy, ExtractionSpec, Patterns]]] = OrderedDict()


def spec_of(policy: Policy) -> ExtractionSpec:
    """The policy in the extractors' words; worked out once per policy."""
    return _known(policy)[1]


def identifier_patterns(policy: Policy | None) -> Patterns:
    """How the policy's own person identifiers look, compiled."""
    return _known(policy)[2] if policy else ()


def _known(policy: Policy) -> tuple[Policy, ExtractionSpec, Patterns]:
    found = _SPECS.get(policy.digest)
    if found is None or found[0] is not policy:  # the digest of a policy made by hand says nothing
        found = _SPECS[policy.digest] = policy, make_spec(policy), _patterns(policy)
        while len(_SPECS) > _MOST:
            _SPECS.popitem(last=False)
    return found


def make_spec(policy: Policy) -> ExtractionSpec:
    """Translates; pure."""
    extra = policy.extraction
    hints = [KeyHint(key, hint.category, hint.scheme) for hint in extra.hints for key in hint.keys]
    hints += [
        KeyHint(key, rule.category, rule.scheme if rule.identifies else None)
        for rule in extra.identifiers
        for key in rule.keys
    ]
    return ExtractionSpec(
        tools={name: ToolSpec(rule.purposes, rule.schema) for name, rule in policy.tools.items()},
        purposes=tuple(policy.purposes),
        message_purposes=policy.message_purposes,
        identifiers=tuple(
            IdentifierPattern(rule.scheme if rule.identifies else None, rule.category, rule.pattern)
            for rule in extra.identifiers
        ),
        key_hints=tuple(hints),
        not_personal=tuple(NotPersonal(key, rule.pattern) for rule in extra.not_personal for key in rule.keys),
        names=names_matter(policy),
        generalised={category: how for category in categories() if (how := _how(policy, category))},
        limits=Limits(
            max_bytes=policy.limits.max_bytes,
            max_depth=policy.limits.max_depth,
            extraction_ms=policy.limits.extraction_ms,
            extraction_steps=policy.limits.extraction_steps,
        ),
        marks=_marks(policy),
    )


def _marks(policy: Policy) -> tuple[MarkSpec, ...]:
    marks = policy.channels.marks if policy.channels else ()
    return tuple(MarkSpec(each.category, each.member, each.path, each.pattern) for each in marks)


def names_matter(policy: Policy) -> bool:
    """Whether a name or a home more among the findings could change a decision.

    It could not where every event has a purpose by the policy, every purpose needs both and rests on
    nobody's consent, and whatever else is wrong blocks.
    """
    if (
        policy.rego is not None
        or _channels_ask(policy)
        or not policy.message_purposes
        or not all(tool.purposes for tool in policy.tools.values())
    ):
        return True
    decisions = {policy.actions[predicate] for predicate in Predicate if predicate is not Predicate.MINIMISATION}
    if decisions | {policy.undeclared_tool} != {Decision.BLOCK}:
        return True
    return any(
        rule.by_consent or not all(rule.needs(category) for category in _OF_NAMES) for rule in policy.purposes.values()
    )


def _channels_ask(policy: Policy) -> bool:
    """Whether a channel or a combination makes something of names or homes."""
    known = policy.channels
    if known and any(
        meets(each, name) for rule in known.combinations.values() for each in rule.members for name in _OF_NAMES
    ):
        return True
    for channel in known.rules.values() if known else ():
        said = [*channel.categories.items(), *((name, channel.otherwise) for name in _OF_NAMES)]
        if any(how != PASS and any(covers(name, one) or covers(one, name) for one in _OF_NAMES) for name, how in said):
            return True
    return False


def _how(policy: Policy, category: str) -> str:
    treatment = policy.redaction.of(category)
    return treatment.how if treatment.action is Action.GENERALISE else ""


def _patterns(policy: Policy) -> Patterns:
    return tuple(Bounded(rule.pattern) for rule in policy.extraction.identifiers if rule.identifies)

"""A channel in plain words: who is meant, what passes in which form, and what an agent's message must be."""

from collections.abc import Iterator

from lawful.policies.channels.matching import fits
from lawful.policies.channels.model import FIELD, PATTERN, Channel, Channels, Handling, Who
from lawful.policies.combinations.model import Combination
from lawful.policies.explain import Explanation, span
from lawful.policies.model import Policy
from lawful.policies.problems import did_you_mean
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.verdict import Decision

_PASSIVE = {Decision.FORWARD: "passes", Decision.WARN: "passes and is noted", Decision.BLOCK: "is blocked"}
_FORMS = {
    "remove": "is removed",
    "mask": "is masked",
    "replace": "is replaced by its category",
    "placeholder": "gets a placeholder",
    "hash": "is hashed",
}


def explain_recipient(policy: Policy, name: str) -> tuple[Explanation, ...]:
    """What the policy says about a recipient: a channel or combination by its name, or all for a role or an id.

    Raises:
        ConfigurationError: no channel has the name, and none is about such a recipient.
    """
    known = policy.channels or Channels()
    found = (
        [known.rules[name]] if name in known.rules else [each for each in known.rules.values() if _of(each.to, name)]
    )
    together = [each for key, each in known.combinations.items() if key == name or _of(each.to, name)]
    if not found and not together:
        names = {*known.rules, *known.roles, *known.combinations}
        hint = did_you_mean(name, names) or f"it has {', '.join(sorted(names)) or 'no channels at all'}"
        raise ConfigurationError(f"the policy has no channel to '{name}'", hint=hint)
    return (
        *(Explanation("channel", each.name, _facts(each), tuple(_words(each, known))) for each in found),
        *(Explanation("combination", each.name, _together(each), tuple(_of_together(each))) for each in together),
    )


def _of(to: Who, name: str) -> bool:
    return name in to.roles or any(fits(name.casefold(), each.casefold()) for each in to.ids)


def _together(rule: Combination) -> dict[str, object]:
    return {
        "combination": rule.name,
        "categories": list(rule.members),
        "most": rule.most,
        "to": _who_facts(rule.to),
        "except": _who_facts(rule.exempt) if rule.exempt else None,
        "keep_seconds": rule.keep // 1_000_000,
        "do": str(rule.handling),
        "message": rule.message,
        "article": rule.article,
    }


def _of_together(rule: Combination) -> Iterator[str]:
    yield f"What goes to {_who(rule.to)} may tell of one person, over a session, at most {rule.most} of:"
    yield f"{', '.join(rule.members)}; a broader category counts as each that it may be."
    if rule.exempt is not None:
        yield f"Not for {_who(rule.exempt)}, as far as that is known."
    yield f"What is one too many {_becomes(rule.handling)}; what was told counts for {span(rule.keep)} at least."
    yield "Judged by the Python judge alone, after P1 to P4 and the channels."


def _facts(channel: Channel) -> dict[str, object]:
    return {
        "channel": channel.name,
        "to": _who_facts(channel.to),
        "except": _who_facts(channel.exempt) if channel.exempt else None,
        "from": _who_facts(channel.sender),
        "categories": {name: str(each) for name, each in sorted(channel.categories.items())},
        "marks": {name: str(each) for name, each in sorted(channel.marks.items())},
        "otherwise": str(channel.otherwise),
        "structured": None if channel.actions is None else sorted(channel.actions),
        "message": channel.message,
        "article": channel.article,
    }


def _who_facts(who: Who) -> dict[str, list[str]]:
    parts = {
        "kind": [each.value for each in who.kinds],
        "id": list(who.ids),
        "role": list(who.roles),
        "region": list(who.regions),
        "outside": list(who.outside),
    }
    return {name: sorted(values) for name, values in parts.items() if values}


def _words(channel: Channel, known: Channels) -> Iterator[str]:
    sender, exempt = _who(channel.sender), channel.exempt
    yield f"Holds for what goes to {_who(channel.to)}{f', sent by {sender}' if sender != 'anybody' else ''}."
    if exempt is not None:
        yield f"Not for {_who(exempt)}, as far as that is known."
    for role in sorted(channel.to.roles | (exempt.roles if exempt else frozenset())):
        yield f"The role '{role}' belongs to: {', '.join(known.roles.get(role, ())) or 'nobody'}."
    if channel.actions is not None:
        agreed = ", ".join(sorted(channel.actions)) or "nothing"
        yield f"A message between agents must be a structured action ({agreed}); anything else is blocked."
    for category, handling in sorted(channel.categories.items()):
        yield f"{category} {_becomes(handling)}."
    yield f"All other personal data {_becomes(channel.otherwise)}."
    for name, handling in sorted(channel.marks.items()):
        yield f"{_mark(name)} {_becomes(handling)}."
    yield "What P1 to P4 and other channels say holds as well; the strictest wins."


def _who(who: Who) -> str:
    said = _who_facts(who)
    words = {"kind": "of the kind", "id": "named", "role": "with the role", "region": "in", "outside": "outside of"}
    parts = ", ".join(f"{words[name]} {' or '.join(values)}" for name, values in said.items())
    return f"those {parts}" if parts else "anybody"


def _becomes(handling: Handling) -> str:
    if handling.treatment is None:
        return _PASSIVE[handling.decision]
    how = handling.treatment.how
    return _FORMS.get(handling.treatment.action.value, "is generalised") + (f" ({how})" if how else "")


def _mark(name: str) -> str:
    if name.startswith(PATTERN):
        return f"What matches the pattern '{name.rpartition('.')[2]}'"
    return f"The member '{name.removeprefix(FIELD).lstrip('.')}'"

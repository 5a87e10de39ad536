"""What the names of JSON members say about their values, for tools that read policies.

Extraction has a table of such names, and policies and extractors do not know each other: whoever
may know both hands the table in.
"""

from collections.abc import Callable
from dataclasses import dataclass

from lawful.policies.model import Policy


def _unknown(_name: str) -> str | None:
    return None


@dataclass(frozen=True, slots=True)
class KeyNames:
    """What extraction knows of names by itself.

    Attributes:
        spell: a name in the one spelling in which names are compared.
        category: the category that values of this name have, where the name alone tells.
    """

    spell: Callable[[str], str] = str.lower
    category: Callable[[str], str | None] = _unknown


def category_of(policy: Policy, names: KeyNames, name: str) -> str | None:
    """The category of a member by its name: what the policy says, else what extraction knows."""
    spelt = names.spell(name)
    extraction = policy.extraction
    said = [(hint.keys, hint.category) for hint in extraction.hints]
    said += [(rule.keys, rule.category) for rule in extraction.identifiers]
    for keys, category in said:
        if any(names.spell(key) == spelt for key in keys):
            return category
    if any(names.spell(key) == spelt for harmless in extraction.not_personal for key in harmless.keys):
        return None
    return names.category(name)

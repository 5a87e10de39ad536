"""A policy from two lists of field names: what a task may use, and what it must not.

That is all that is looked at: the policy is made before any record is seen. What a name means comes
from the product's own table of field names; where two names of one category are on different lists,
the allowed one gets a category of its own, as a controller would give it.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lawful.extractors.hints import key_table
from lawful.extractors.keynames import normalise_key
from lawful.infra.drafting.keynames import category_of_name
from lawful.policies.load import parse_policy
from lawful.policies.model import Policy
from lawful.schemas.taxonomy import covers

PURPOSE: Final = "task"
POLICY_ID: Final = "allow-list"
# What a listed field holds that the taxonomy has no name for.
_CONTENT: Final = "user.content.private"
_ALLOWED_CONTENT: Final = "user.content.public"


@dataclass(frozen=True, slots=True)
class Lists:
    """What a task may use, and what it must not, by field name."""

    allowed: tuple[str, ...]
    forbidden: tuple[str, ...]

    def of(self, field: str) -> str | None:
        """On which list a record's field is: `forbidden`, `allowed` or none. Who forbids wins."""
        if any(_names(name, field) for name in self.forbidden):
            return "forbidden"
        return "allowed" if any(_names(name, field) for name in self.allowed) else None


def _names(listed: str, field: str) -> bool:
    """Whether a listed name means a field: itself, or the end of a longer name (`ssn`: `client_ssn`)."""
    listed, field = normalise_key(listed), normalise_key(field)
    return field == listed or field.endswith(f"_{listed}")


def policy_of(lists: Lists, tools: Iterable[str]) -> Policy:
    """The policy that allows the one list and nothing else.

    The lists say what is needed, not on which ground: the purpose gets one that asks nobody, so that
    minimisation alone decides.
    """
    forbidden = {name: _meaning(name) or _CONTENT for name in lists.forbidden}
    allowed = {name: _meaning(name) for name in lists.allowed if name not in forbidden}
    hints = [{"keys": [name], "category": category} for name, category in forbidden.items()]
    necessary = set()
    for name, category in allowed.items():
        if category is None:
            continue
        if any(covers(category, other) or covers(other, category) for other in forbidden.values()):
            hints.append({"keys": [name], "category": _ALLOWED_CONTENT})
            necessary.add(_ALLOWED_CONTENT)
        else:
            hints.append({"keys": [name], "category": category})
            necessary.add(category)
    return parse_policy(json.dumps(_document(sorted(necessary), hints, tools)), POLICY_ID)


def _document(necessary: Sequence[str], hints: list[dict[str, Any]], tools: Iterable[str]) -> dict[str, Any]:
    purpose = {
        "legal_basis": "contract",
        "article9": "health_care",
        "article10": "authorised_by_law",
        "necessary": list(necessary),
    }
    return {
        "id": POLICY_ID,
        "version": "1",
        "controller": {"name": "whoever wrote the lists"},
        "purposes": {PURPOSE: purpose},
        "tools": {tool: {"purposes": [PURPOSE]} for tool in sorted(set(tools))},
        "messages": {"purposes": [PURPOSE]},
        "extraction": {"hints": hints},
    }


def _meaning(name: str) -> str | None:
    """The category of a field name, as the product's own table has it."""
    normal = normalise_key(name)
    return category_of_name(normal) or key_table().of_person.get(normal)

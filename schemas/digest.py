"""The one form of a payload that its digest is made of: guards and workers must come to the same."""

import json
from dataclasses import fields
from typing import Any, Final

from lawful.schemas.event import AgentEvent
from lawful.schemas.pseudonym import Pseudonymiser


def digest_of(event: AgentEvent, pseudonymiser: Pseudonymiser) -> str:
    """Keyed digest of an event's payload, for comparing without knowing."""
    return pseudonymiser.of_content(event.tenant_id, _WRITE([event.kind.value, event.payload]))


_NAMES: Final[dict[type, tuple[str, ...]]] = {}


def _members(record: Any) -> dict[str, Any]:
    names = _NAMES.get(type(record))
    if names is None:
        names = _NAMES[type(record)] = tuple(field.name for field in fields(record))
    return {name: getattr(record, name) for name in names}


_WRITE = json.JSONEncoder(sort_keys=True, separators=(",", ":"), default=_members).encode

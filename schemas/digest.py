"""The one form of a payload that its digest is made of: guards and workers must come to the same."""

import json
from dataclasses import asdict

from lawful.schemas.event import AgentEvent
from lawful.schemas.pseudonym import Pseudonymiser


def digest_of(event: AgentEvent, pseudonymiser: Pseudonymiser) -> str:
    """Keyed digest of an event's payload, for comparing without knowing."""
    told = json.dumps([event.kind.value, asdict(event.payload)], sort_keys=True, separators=(",", ":"))
    return pseudonymiser.of_content(event.tenant_id, told)

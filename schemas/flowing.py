"""How an event says along what labels come into it: attributes under our own prefix.

They are plain strings of the event's `attributes`, so that agents in any language can set them.
"""

from dataclasses import dataclass
from typing import Final

from lawful.schemas.event import AgentEvent, MemoryRead, MemoryWrite
from lawful.schemas.pseudonym import Pseudonymiser

CAUSES: Final = "lawful.causes"
"""Ids of further events that this one was caused by, beside `causation_id`; separated by blanks."""

DECLASSIFY: Final = "lawful.declassify"
"""Id of the event whose labels are to be lifted."""

DECLASSIFY_BY: Final = "lawful.declassify.by"
"""Name of the policy's declassification under which they are."""

MOST_CAUSES: Final = 16


@dataclass(frozen=True, slots=True)
class Said:
    """What an event's attributes say."""

    causes: tuple[str, ...] = ()
    lifts: str | None = None
    lifted_by: str | None = None


def said(event: AgentEvent) -> Said:
    """What an event says about the labels that come into it."""
    told = dict(event.attributes)
    causes = tuple(dict.fromkeys(told.get(CAUSES, "").split()))
    return Said(causes, told.get(DECLASSIFY), told.get(DECLASSIFY_BY))


def memory_of(event: AgentEvent, pseudonymiser: Pseudonymiser) -> str | None:
    """Keyed digest of the name under which an event writes to memory or reads from it: one memory per tenant."""
    payload = event.payload
    if not isinstance(payload, MemoryWrite | MemoryRead):
        return None
    return pseudonymiser.of_content(event.tenant_id, f"memory\0{payload.key}")[:32]

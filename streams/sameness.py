"""Whether two views that carry one event id are of one event.

A retry keeps its event's id and all the rest. Another event under the same id is a mistake or a
trick: it must get neither the first one's verdict nor its place in the log, where consents that
were withdrawn since still hold.
"""

from dataclasses import dataclass
from typing import TypeAlias

from lawful.policies.judge import At
from lawful.schemas.view import Provenance, View

Substance: TypeAlias = tuple[object, ...]


def substance(view: View) -> Substance:
    """What all views of an event share, whenever and wherever it is published. No content."""
    declared = tuple(claim.purpose for claim in view.purposes if claim.provenance is Provenance.DECLARED)
    return (
        *(view.tenant_id, view.kind, view.digest, view.parts),
        *(view.source, view.agent_id, view.session_id, view.tool, view.recipient, view.policy_id, declared),
    )


@dataclass(frozen=True, slots=True)
class First:
    """Where an event id's first view of a key and part stood, of what event it was, and of which tier."""

    at: At
    substance: Substance
    heavy: bool = False

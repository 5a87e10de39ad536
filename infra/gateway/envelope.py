"""What stands around a payload in an inbox: nobody's identifier, since only the payload was judged.

Recipients may have to know whose data they hold, to say so when they pass it on. They are told by
pseudonym, which a later event may name as its subject just as well.
"""

from dataclasses import replace
from typing import Final

from lawful.client.reports import without_people
from lawful.schemas.event import AgentEvent, Identifier, Payload
from lawful.schemas.pseudonym import PSEUDONYM, Pseudonymiser

OURS: Final = "lawful."
"""Attributes under this prefix are for the product; what else agents attach nobody has judged, so it stays behind."""


def enveloped(event: AgentEvent, payload: Payload, people: Pseudonymiser) -> AgentEvent:
    """The event as its recipient gets it.

    Args:
        event: as it was judged.
        payload: what of it may pass.
        people: gives the subjects' pseudonyms.
    """

    def clean(text: str) -> str:
        return without_people(text, event)

    def maybe(text: str | None) -> str | None:
        return None if text is None else clean(text)

    named = (people.someone(event.tenant_id, each) for each in event.subjects)
    return replace(
        event,
        payload=payload,
        event_id=clean(event.event_id),
        source=clean(event.source),
        agent_id=clean(event.agent_id),
        agent_version=maybe(event.agent_version),
        session_id=clean(event.session_id),
        task_id=maybe(event.task_id),
        causation_id=maybe(event.causation_id),
        traceparent=maybe(event.traceparent),
        subjects=tuple(Identifier(PSEUDONYM, each) for each in dict.fromkeys(named) if each is not None),
        attributes=tuple((name, clean(value)) for name, value in event.attributes if name.startswith(OURS)),
    )

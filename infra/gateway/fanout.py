"""One event per recipient, each with an id of its own that is the same whenever it is made again."""

from collections.abc import Iterable
from dataclasses import replace

from lawful.schemas.event import AgentEvent, Recipient
from lawful.schemas.ids import derived


def legs_of(event: AgentEvent, recipients: Iterable[Recipient]) -> tuple[AgentEvent, ...]:
    """The events to be judged: the event itself if it goes where it says, else one for each recipient.

    Ids are made of the event's and the recipient, so a record that is read again leads to the very same events.
    """
    named = tuple(recipients)
    if not named or named == (event.recipient,):
        return (event,)
    return tuple(replace(event, event_id=_id(event, each), recipient=each) for each in named)


def _id(event: AgentEvent, recipient: Recipient) -> str:
    return derived(event.event_id, recipient.kind.value, recipient.id, recipient.region or "")

"""Reading what guards have sealed: the event, or the knowledge that nobody can read it any more.

`Erased` is an answer, not an error. An event of an erased person that is read again (offsets set
back, a stage that starts again) stops nobody and changes no history; whoever still waits is told
`payload_erased`.
"""

from dataclasses import dataclass
from typing import Protocol

from lawful.schemas.codec import decode
from lawful.schemas.errors import InvalidRecord, MustBlock
from lawful.schemas.event import AgentEvent, Micros
from lawful.schemas.sealed import Erased, SealedEvent, SubjectKey, used_in_time
from lawful.schemas.sealing import Sealing


class Keys(Protocol):
    """The keys that guards have published, less those that were destroyed."""

    def find(self, key_id: str, /) -> SubjectKey | None:
        """The key; `None` if it was destroyed. Whatever was published before the call is known.

        Raises:
            MustBlock: nobody can tell at the moment.
        """
        ...

    def close(self) -> None:
        """Lets go of everything."""
        ...


@dataclass(frozen=True, slots=True)
class Opener:
    """Opens sealed events with the keys of their people."""

    keys: Keys
    sealing: Sealing

    def close(self) -> None:
        """Lets go of the keys."""
        self.keys.close()

    def open(self, sealed: SealedEvent, recorded_at: Micros) -> AgentEvent | Erased:
        """The event; `Erased` if its key is destroyed.

        Args:
            sealed: as it was published.
            recorded_at: the broker's time of it.

        Raises:
            MustBlock: it was sealed by somebody else, changed, or with a key that may not be used any more.
        """
        if not used_in_time(sealed.key_id, recorded_at):
            raise MustBlock("a sealed event names a key of another day: let guards make new ones, and set their clocks")
        key = self.keys.find(sealed.key_id)
        if key is None:
            return Erased(sealed)
        try:
            event = decode(self.sealing.open(self.sealing.unwrap(key), sealed), AgentEvent)
        except InvalidRecord as error:
            raise MustBlock(f"a sealed event holds no event: {error}") from None
        if event.tenant_id != sealed.tenant_id:
            raise MustBlock("a sealed event is another tenant's")
        return event

"""The envelope without people in it.

Ids and names around an event (session, agent, task, recipient) go into topics, state and audit
as they are, so one that holds a personal identifier is replaced by a pseudonym: equal strings
stay equal, nobody can read them.
"""

import re
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

from lawful.schemas.envelope import PURPOSE_KEY, Searching, folded, may_identify, names_one_of
from lawful.schemas.event import AgentEvent, Identifier, Recipient, RecipientKind
from lawful.schemas.legible import plain_id
from lawful.schemas.pseudonym import Pseudonymiser

_TRACEPARENT = re.compile(r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")
_PERSONS = (RecipientKind.USER, RecipientKind.THIRD_PARTY)
SCHEME = "envelope"
_MOST: Final = 4_096


class Harmless:
    """Strings that were looked at before and look like nobody's: agents and sessions speak more than once.

    What may hold an identifier is not kept. For several threads.

    Args:
        most: how many to keep.
    """

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._known: OrderedDict[tuple[str, tuple[Searching, ...]], None] = OrderedDict()
        self._lock = Lock()

    def holds(self, text: str, patterns: tuple[Searching, ...]) -> bool:
        """Whether the string is surely nobody's by its look."""
        key = text, patterns
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return True
        if may_identify(text, patterns):
            return False
        with self._lock:
            self._known[key] = None
            if len(self._known) > self._most:
                self._known.popitem(last=False)
        return True


_HARMLESS: Final = Harmless()


@dataclass(frozen=True, slots=True)
class Scrubber:
    """Cleans the strings of one event.

    Attributes:
        event: whose strings.
        pseudonymiser: gives the replacements.
        known: identifier values that the event names.
        patterns: the policy's identifier patterns.
        folded: the known values, as they are compared.
    """

    event: AgentEvent
    pseudonymiser: Pseudonymiser
    known: tuple[Identifier, ...] = ()
    patterns: tuple[Searching, ...] = ()
    folded: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Prepares what every string is compared with."""
        object.__setattr__(self, "folded", folded([identifier.value for identifier in self.known]))

    @property
    def event_id(self) -> str:
        """The event's id, free of people."""
        return self.text(self.event.event_id)

    def text(self, value: str) -> str:
        """The string, or a pseudonym if it may hold a person's identifier."""
        fine = _HARMLESS.holds(value, self.patterns) and not names_one_of(value, self.folded)
        return value if fine else self.pseudonym(value)

    def optional(self, value: str | None) -> str | None:
        """As `text`, for a string that may be absent."""
        return None if value is None else self.text(value)

    def keys(self, values: Iterable[str]) -> tuple[str, ...]:
        """Purpose or category keys; what has not their shape is replaced."""
        return tuple(self.text(value) if PURPOSE_KEY.fullmatch(value) else self.pseudonym(value) for value in values)

    def traceparent(self) -> str | None:
        """The W3C trace context, dropped if it is none."""
        value = self.event.traceparent
        return value if value and _TRACEPARENT.fullmatch(value) else None

    def recipient(self) -> Recipient | None:
        """The recipient, by its plain id; people and third parties are always pseudonyms."""
        given = self.event.recipient
        if given is None:
            return None
        name = plain_id(given.id)
        if name:  # who is not named gets no name here either
            name = self.pseudonym(name) if given.kind in _PERSONS else self.text(name)
        return Recipient(given.kind, name, self.optional(plain_id(given.region or "") or None))

    def pseudonym(self, value: str) -> str:
        """The pseudonym of the identifier it equals; else one of the string itself."""
        tenant = self.event.tenant_id
        for identifier in self.known:
            if identifier.value.casefold() == value.casefold():
                return self.pseudonymiser.of(tenant, identifier)
        return self.pseudonymiser.of(tenant, Identifier(SCHEME, value))

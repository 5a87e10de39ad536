"""What a session knows, and the events it makes of what happens in it.

No waiting and no I/O here: the sync and the async session both build on this, so that they cannot
differ in what they publish.
"""

from collections.abc import Callable, Iterable
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final

from lawful.client.clock import now
from lawful.schemas.event import AgentEvent, Identifier, Micros, Payload, Recipient, RecipientKind
from lawful.schemas.flowing import CAUSES
from lawful.schemas.ids import uuid7

CAUSE: Final[ContextVar[str | None]] = ContextVar("lawful_cause", default=None)
"""The event within which this code runs; events that it leads to name it as their cause."""

IdentifierLike = Identifier | tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Who speaks: what all events of one guard share.

    Attributes:
        deadline_ms: how long to wait for a verdict before it counts as a block.
        clock: the time, in microseconds.
        new_id: makes event, call and session ids.
    """

    tenant_id: str
    agent_id: str
    source: str
    policy_id: str | None = None
    agent_version: str | None = None
    deadline_ms: int = 5_000
    clock: Callable[[], Micros] = now
    new_id: Callable[[], str] = uuid7


@dataclass(slots=True)
class Reading:
    """What a session has read last: what it does from then on was caused by that.

    Attributes:
        latest: the event; each one that was judged in this session names the one before, so it stands for all.
        others: events from inboxes, which were judged elsewhere and name no event of this session.
    """

    latest: str | None = None
    others: tuple[str, ...] = ()

    def judged(self, event_id: str) -> None:
        """Something was read that named all before it."""
        self.latest, self.others = event_id, ()

    def delivered(self, event_id: str) -> None:
        """Something was read that did not."""
        self.others = (*self.others, *([] if self.latest is None else [self.latest]))
        self.latest = event_id

    @property
    def attributes(self) -> tuple[tuple[str, str], ...]:
        """How an event names the further causes."""
        return ((CAUSES, " ".join(self.others)),) if self.others else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """A session: whom it serves, what for, under which policy."""

    identity: Identity
    session_id: str
    subjects: tuple[Identifier, ...] = ()
    purposes: tuple[str, ...] = ()
    policy_id: str | None = None
    task_id: str | None = None
    reading: Reading = field(default_factory=Reading, compare=False, repr=False)

    def event(
        self,
        payload: Payload,
        *,
        recipient: Recipient | None = None,
        purposes: Iterable[str] | None = None,
        cause: str | None = None,
    ) -> AgentEvent:
        """An event of this session."""
        who = self.identity
        return AgentEvent(
            event_id=who.new_id(),
            occurred_at=who.clock(),
            tenant_id=who.tenant_id,
            source=who.source,
            agent_id=who.agent_id,
            agent_version=who.agent_version,
            session_id=self.session_id,
            task_id=self.task_id,
            causation_id=cause or CAUSE.get() or self.reading.latest,
            attributes=self.reading.attributes,
            recipient=recipient,
            subjects=self.subjects,
            purposes=self.purposes if purposes is None else tuple(purposes),
            policy_id=self.policy_id or who.policy_id,
            deadline_ms=who.deadline_ms,
            payload=payload,
        )

    def agent(self) -> Recipient:
        """This session's agent, as a recipient."""
        return Recipient(RecipientKind.AGENT, self.identity.agent_id)

    def user(self) -> Recipient:
        """This session's user, as a recipient."""
        return Recipient(RecipientKind.USER, self.subjects[0].value if self.subjects else self.session_id)


def identifiers(given: Iterable[IdentifierLike]) -> tuple[Identifier, ...]:
    """Schemes and values, as identifiers.

    Raises:
        TypeError: one is something else; the message quotes nothing of it.
    """
    return tuple(each if isinstance(each, Identifier) else _identifier(each) for each in given)


def _identifier(given: object) -> Identifier:
    pair = tuple(given) if isinstance(given, tuple | list) else ()
    if [isinstance(part, str) for part in pair] != [True, True]:
        raise TypeError('a subject is (scheme, value), for example ("customer_id", "C-1042")')
    return Identifier(*pair)

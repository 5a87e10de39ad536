"""What a session knows, and the events it makes of what happens in it.

No waiting and no I/O here: the sync and the async session both build on this, so that they cannot
differ in what they publish.
"""

import json
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final

from lawful.client.ids import new_event_id, now
from lawful.schemas.event import (
    AgentEvent,
    AgentMessage,
    AssistantMessage,
    ConsentGiven,
    ConsentWithdrawn,
    DataSubjectRequest,
    Identifier,
    IdentityLinked,
    MemoryRead,
    MemoryWrite,
    Micros,
    Payload,
    Recipient,
    RecipientKind,
    ToolCall,
    ToolResult,
    UserMessage,
)

CAUSE: Final[ContextVar[str | None]] = ContextVar("lawful_cause", default=None)
"""The event within which this code runs; events that it leads to name it as their cause."""

IdentifierLike = Identifier | tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Who speaks: what all events of one guard share.

    Attributes:
        deadline_ms: how long to wait for a verdict before it counts as a block.
        clock: the time, in microseconds.
        new_id: makes event and session ids.
    """

    tenant_id: str
    agent_id: str
    source: str
    policy_id: str | None = None
    agent_version: str | None = None
    deadline_ms: int = 5_000
    clock: Callable[[], Micros] = now
    new_id: Callable[[], str] = new_event_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """A session: whom it serves, what for, under which policy."""

    identity: Identity
    session_id: str
    subjects: tuple[Identifier, ...] = ()
    purposes: tuple[str, ...] = ()
    policy_id: str | None = None
    task_id: str | None = None

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
            causation_id=cause or CAUSE.get(),
            recipient=recipient,
            subjects=self.subjects,
            purposes=self.purposes if purposes is None else tuple(purposes),
            policy_id=self.policy_id or who.policy_id,
            deadline_ms=who.deadline_ms,
            payload=payload,
        )

    def said_by_user(self, text: str) -> AgentEvent:
        """The user said something to the agent."""
        return self.event(UserMessage(text), recipient=Recipient(RecipientKind.AGENT, self.identity.agent_id))

    def said_by_agent(self, text: str) -> AgentEvent:
        """The agent says something to the user."""
        user = self.subjects[0].value if self.subjects else self.session_id
        return self.event(AssistantMessage(text), recipient=Recipient(RecipientKind.USER, user))

    def sent(self, agent: str, text: str) -> AgentEvent:
        """The agent says something to another agent."""
        return self.event(AgentMessage(text), recipient=Recipient(RecipientKind.AGENT, agent))

    def called(self, tool: str, arguments: str, purposes: Iterable[str] | None) -> AgentEvent:
        """The agent calls a tool."""
        call = ToolCall(tool, self.identity.new_id(), arguments)
        return self.event(call, recipient=Recipient(RecipientKind.TOOL, tool), purposes=purposes)

    def returned(self, call: AgentEvent, content: str) -> AgentEvent:
        """A tool gave something back to the agent."""
        assert isinstance(call.payload, ToolCall)  # noqa: S101 - for the type checker; callers pass a call
        result = ToolResult(call.payload.tool, call.payload.call_id, content)
        back = Recipient(RecipientKind.AGENT, self.identity.agent_id)
        return self.event(result, recipient=back, purposes=call.purposes, cause=call.event_id)

    def stored(self, key: str, content: str) -> AgentEvent:
        """The agent puts something into its memory."""
        return self.event(MemoryWrite(key, content), recipient=Recipient(RecipientKind.MEMORY, "memory"))

    def loaded(self, key: str, content: str) -> AgentEvent:
        """The agent gets something out of its memory."""
        back = Recipient(RecipientKind.AGENT, self.identity.agent_id)
        return self.event(MemoryRead(key, content), recipient=back)

    def standing(self, payload: ConsentGiven | ConsentWithdrawn | DataSubjectRequest | IdentityLinked) -> AgentEvent:
        """A consent, a withdrawal, a request or a link of the principal."""
        return self.event(payload)


def identifier(given: IdentifierLike) -> Identifier:
    """A scheme and a value, as one identifier."""
    return given if isinstance(given, Identifier) else Identifier(*given)


def identifiers(given: Iterable[IdentifierLike]) -> tuple[Identifier, ...]:
    """Several of them."""
    return tuple(identifier(each) for each in given)


def to_json(value: Any) -> str:
    """A value as compact JSON.

    Raises:
        TypeError, ValueError, RecursionError: it is not JSON.
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)

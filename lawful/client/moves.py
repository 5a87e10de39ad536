"""What can happen in a session, each as the event that is judged before it does."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypedDict, TypeVar, cast

from lawful.client.scope import CAUSE, IdentifierLike, Scope, identifiers
from lawful.client.tools import Tool
from lawful.schemas.event import (
    AgentEvent,
    AgentMessage,
    AssistantMessage,
    ConsentGiven,
    ConsentWithdrawn,
    DataSubjectRequest,
    IdentityLinked,
    MemoryRead,
    MemoryWrite,
    Micros,
    Payload,
    Recipient,
    RecipientKind,
    RequestKind,
    ToolCall,
    ToolResult,
    UserMessage,
)

P = TypeVar("P", bound=Payload)


RecipientLike = str | Recipient
"""Another agent's id, or any recipient."""

_SPOKEN_TO = frozenset({RecipientKind.AGENT, RecipientKind.LLM, RecipientKind.USER, RecipientKind.THIRD_PARTY})


def recipient(to: RecipientLike) -> Recipient:
    """Whom something is said to.

    Raises:
        ValueError: nobody talks to tools and memory; they are called, and written to.
    """
    given = Recipient(RecipientKind.AGENT, to) if isinstance(to, str) else to
    if given.kind not in _SPOKEN_TO:
        raise ValueError(f"nothing is said to a {given.kind.value}: use 'call' or 'remember'")
    return given


class ConsentDetails(TypedDict, total=False):
    """Parts of a consent beside its purposes; see `lawful.schemas.event.ConsentGiven`."""

    categories: Iterable[str] | None
    expires_at: Micros | None
    same_person: Iterable[IdentifierLike]
    evidence: str
    re_enrols: bool


@dataclass(frozen=True, slots=True)
class Move(Generic[P]):
    """Something about to happen: the event to be judged, and the tool's schema where it is a call."""

    event: AgentEvent
    schema: Any = None

    @property
    def payload(self) -> P:
        """What is to be delivered, if it may be."""
        return cast("P", self.event.payload)


@dataclass(frozen=True, slots=True)
class Moves:
    """Makes the moves of one session."""

    scope: Scope

    def user(self, text: str) -> Move[UserMessage]:
        """The user says something to the agent."""
        return Move(self.scope.event(UserMessage(text), recipient=self.scope.agent()))

    def assistant(self, text: str) -> Move[AssistantMessage]:
        """The agent says something to the user."""
        return Move(self.scope.event(AssistantMessage(text), recipient=self.scope.user()))

    def send(self, to: RecipientLike, text: str, cause: str | None = None) -> Move[AgentMessage]:
        """The agent says something to another agent, a model or a third party."""
        return Move(self.scope.event(AgentMessage(text), recipient=recipient(to), cause=cause))

    def send_each(self, text: str, to: Iterable[RecipientLike]) -> tuple[Move[AgentMessage], ...]:
        """The same to several: an event for each, all of one cause."""
        cause = CAUSE.get() or self.scope.reading.latest or self.scope.identity.new_id()
        return tuple(self.send(each, text, cause) for each in dict.fromkeys(map(recipient, to)))

    def receive(self, agent: str, text: str) -> Move[AgentMessage]:
        """Another agent says something to this one; it may have no guard of its own."""
        return Move(replace(self.scope.event(AgentMessage(text), recipient=self.scope.agent()), agent_id=agent))

    def remember(self, key: str, content: str) -> Move[MemoryWrite]:
        """The agent puts something into its memory."""
        return Move(self.scope.event(MemoryWrite(key, content), recipient=Recipient(RecipientKind.MEMORY, "memory")))

    def recall(self, key: str, content: str) -> Move[MemoryRead]:
        """The agent gets something out of its memory."""
        return Move(self.scope.event(MemoryRead(key, content), recipient=self.scope.agent()))

    def call(self, tool: Tool, arguments: str) -> Move[ToolCall]:
        """The agent calls a tool."""
        call = ToolCall(tool.name, self.scope.identity.new_id(), arguments)
        recipient = Recipient(RecipientKind.TOOL, tool.name)
        return Move(self.scope.event(call, recipient=recipient, purposes=tool.purposes), tool.schema)

    def result(self, call: Move[ToolCall], content: str) -> Move[ToolResult]:
        """A tool gives something back to the agent."""
        asked = call.payload
        result = ToolResult(asked.tool, asked.call_id, content)
        cause = call.event
        return Move(
            self.scope.event(result, recipient=self.scope.agent(), purposes=cause.purposes, cause=cause.event_id)
        )

    def consent(self, purposes: Iterable[str], details: ConsentDetails) -> Move[ConsentGiven]:
        """The principal consents."""
        categories = details.get("categories")
        given = ConsentGiven(
            tuple(purposes),
            None if categories is None else tuple(categories),
            details.get("expires_at"),
            identifiers(details.get("same_person", ())),
            details.get("evidence", ""),
            details.get("re_enrols", False),
        )
        return Move(self.scope.event(given))

    def withdraw(self, purposes: Iterable[str] | None, same_person: Iterable[IdentifierLike]) -> Move[ConsentWithdrawn]:
        """The principal withdraws a consent."""
        named = None if purposes is None else tuple(purposes)
        return Move(self.scope.event(ConsentWithdrawn(named, identifiers(same_person))))

    def request(
        self, kind: RequestKind, request_id: str | None, same_person: Iterable[IdentifierLike]
    ) -> Move[DataSubjectRequest]:
        """The principal uses a right under GDPR Art. 15 to 21."""
        name = self.scope.identity.new_id() if request_id is None else request_id
        return Move(self.scope.event(DataSubjectRequest(kind, name, identifiers(same_person))))

    def link(self, same_person: Iterable[IdentifierLike]) -> Move[IdentityLinked]:
        """The principal turns out to have these identifiers too."""
        return Move(self.scope.event(IdentityLinked(identifiers(same_person))))

"""What an agent runtime publishes: one message, tool call, memory access, consent or request.

These classes are the in-memory form of the Avro record `lawful.AgentEvent` (design: the bus
contract). They are plain data: reading and writing bytes is `lawful.schemas.codec`'s job, and
judging is nobody's job here. What may hold personal data is not in a `repr`: what people say, and
ids that somebody else makes up (a session may be called by its user's address).
"""

from dataclasses import dataclass, field
from enum import StrEnum

Micros = int
"""Microseconds since 1970-01-01T00:00:00Z, as Avro's `timestamp-micros`."""


class RecipientKind(StrEnum):
    """Who receives what an event carries."""

    AGENT = "agent"
    TOOL = "tool"
    USER = "user"
    LLM = "llm"
    MEMORY = "memory"
    THIRD_PARTY = "third_party"


class RequestKind(StrEnum):
    """Rights of the data subject, GDPR Articles 15 to 22; `other` also stands for newer ones."""

    ERASURE = "erasure"
    ACCESS = "access"
    RECTIFICATION = "rectification"
    RESTRICTION = "restriction"
    PORTABILITY = "portability"
    OBJECTION = "objection"
    OTHER = "other"


class PayloadKind(StrEnum):
    """The branch of the payload union, by its Avro record name."""

    USER_MESSAGE = "UserMessage"
    ASSISTANT_MESSAGE = "AssistantMessage"
    AGENT_MESSAGE = "AgentMessage"
    TOOL_CALL = "ToolCall"
    TOOL_RESULT = "ToolResult"
    MEMORY_WRITE = "MemoryWrite"
    MEMORY_READ = "MemoryRead"
    CONSENT_GIVEN = "ConsentGiven"
    CONSENT_WITHDRAWN = "ConsentWithdrawn"
    DATA_SUBJECT_REQUEST = "DataSubjectRequest"
    IDENTITY_LINKED = "IdentityLinked"


@dataclass(frozen=True, slots=True)
class Identifier:
    """A scheme and a value that point to a natural person. The value never appears in `repr`."""

    scheme: str
    value: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Recipient:
    """The other end of the edge that an event travels."""

    kind: RecipientKind
    id: str = field(repr=False)
    region: str | None = None


@dataclass(frozen=True, slots=True)
class UserMessage:
    """What a user said to an agent."""

    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class AssistantMessage:
    """What an agent says to a user."""

    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class AgentMessage:
    """What an agent says to another agent (the event's recipient). JSON or prose."""

    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ToolCall:
    """An agent's call of a tool. `arguments` is a JSON object as text."""

    tool: str
    call_id: str = field(repr=False)
    arguments: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool gave back: JSON or plain text."""

    tool: str
    call_id: str = field(repr=False)
    content: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class MemoryWrite:
    """Something an agent stores for later. JSON or plain text."""

    key: str = field(repr=False)
    content: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class MemoryRead:
    """Something an agent gets out of its memory. JSON or plain text."""

    key: str = field(repr=False)
    content: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ConsentGiven:
    """A recorded consent, GDPR Art. 4(11) and 7.

    Attributes:
        purposes: dotted purpose keys; an ancestor covers its descendants.
        categories: data categories it covers; `None` covers all that are not special
            (Art. 9 wants a category that is named).
        expires_at: from this moment on it no longer holds.
        identifiers: further identifiers of the same person, linked by this consent.
        evidence: reference to the proof (a form version, a record id), never the text itself.
        re_enrols: lifts an earlier erasure for what comes after.
    """

    purposes: tuple[str, ...]
    categories: tuple[str, ...] | None = None
    expires_at: Micros | None = None
    identifiers: tuple[Identifier, ...] = ()
    evidence: str = field(default="", repr=False)
    re_enrols: bool = False


@dataclass(frozen=True, slots=True)
class ConsentWithdrawn:
    """A withdrawal, GDPR Art. 7(3). `purposes=None` withdraws everything."""

    purposes: tuple[str, ...] | None = None
    identifiers: tuple[Identifier, ...] = ()


@dataclass(frozen=True, slots=True)
class DataSubjectRequest:
    """A request under GDPR Art. 15 to 21 about the event's principal subject."""

    kind: RequestKind
    request_id: str = field(repr=False)
    identifiers: tuple[Identifier, ...] = ()


@dataclass(frozen=True, slots=True)
class IdentityLinked:
    """All of these identifiers, and the principal's, point to one person.

    Attributes:
        unlinked: identifiers that point to somebody else: each is set apart from whomever it was
            linked with. From then on it stands alone, as restricted as it was before.
    """

    identifiers: tuple[Identifier, ...]
    unlinked: tuple[Identifier, ...] = ()


Payload = (
    UserMessage
    | AssistantMessage
    | AgentMessage
    | ToolCall
    | ToolResult
    | MemoryWrite
    | MemoryRead
    | ConsentGiven
    | ConsentWithdrawn
    | DataSubjectRequest
    | IdentityLinked
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentEvent:
    """One step of an agent, as published on `lawful.events`.

    Attributes:
        event_id: UUIDv7, unique per event; a retry keeps it.
        occurred_at: the producer's clock. Kept and compared, never decided on.
        source: URI of the agent runtime (CloudEvents `source`).
        session_id: the conversation (`gen_ai.conversation.id`).
        subjects: whom it is about; the first is the principal, whom the session serves.
        purposes: dotted keys that the agent declares.
        policy_id: the policy of the session; `None` takes the worker's default.
        deadline_ms: how long the guard waits for the verdict.
    """

    event_id: str
    occurred_at: Micros
    tenant_id: str
    source: str
    agent_id: str
    session_id: str = field(repr=False)
    payload: Payload
    agent_version: str | None = None
    task_id: str | None = field(default=None, repr=False)
    causation_id: str | None = field(default=None, repr=False)
    traceparent: str | None = field(default=None, repr=False)
    recipient: Recipient | None = None
    subjects: tuple[Identifier, ...] = ()
    purposes: tuple[str, ...] = ()
    policy_id: str | None = None
    deadline_ms: int | None = None
    attributes: tuple[tuple[str, str], ...] = field(default=(), repr=False)

    @property
    def kind(self) -> PayloadKind:
        """Which branch of the union the payload is."""
        return PayloadKind(type(self.payload).__name__)

    @property
    def principal(self) -> Identifier | None:
        """The subject whom the session serves, if the event names one."""
        return self.subjects[0] if self.subjects else None


def unsent(payload: Payload, name: str) -> AgentEvent:
    """An event of nobody with nothing but its payload: for what is read, and was never published.

    Args:
        payload: what is read.
        name: of what reads it, where an event has identifiers.
    """
    return AgentEvent(
        event_id=name, occurred_at=0, tenant_id=name, source="", agent_id="", session_id="", payload=payload
    )

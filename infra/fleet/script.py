"""What a scripted agent does: steps of a session, and what ought to become of each."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from lawful.schemas.event import (
    AgentMessage,
    AssistantMessage,
    ConsentGiven,
    ConsentWithdrawn,
    DataSubjectRequest,
    Identifier,
    IdentityLinked,
    MemoryRead,
    MemoryWrite,
    Payload,
    Recipient,
    RecipientKind,
    RequestKind,
    ToolCall,
    ToolResult,
    UserMessage,
)
from lawful.schemas.verdict import Decision

FORWARD, WARN, REDACT, BLOCK = Decision.FORWARD, Decision.WARN, Decision.REDACT, Decision.BLOCK


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that an agent does.

    Attributes:
        purposes: what the agent declares it is for; a tool's own come from the policy.
        expect: the decision that the policy demands.
        pause_ms: wait so long before.
        expires_in_ms: a consent that holds for so long from the moment it is given.
    """

    payload: Payload
    subjects: tuple[Identifier, ...]
    recipient: Recipient | None
    purposes: tuple[str, ...]
    expect: Decision
    pause_ms: int = 0
    expires_in_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Story:
    """One session of one agent."""

    title: str
    policy_id: str
    agent_id: str
    session_id: str
    steps: tuple[Step, ...]


@dataclass(slots=True)
class Telling:
    """Puts a story together, step by step.

    Attributes:
        subjects: whom the session serves, first, and whomever else it always concerns.
        purposes: what the agent declares for every step that does not say otherwise.
    """

    title: str
    policy_id: str
    agent_id: str
    session_id: str
    subjects: tuple[Identifier, ...] = ()
    purposes: tuple[str, ...] = ()
    steps: list[Step] = field(default_factory=list)

    def end(self) -> Story:
        """The finished story."""
        return Story(self.title, self.policy_id, self.agent_id, self.session_id, tuple(self.steps))

    def step(  # noqa: PLR0913 - what a step consists of
        self,
        payload: Payload,
        *,
        recipient: Recipient | None = None,
        expect: Decision = FORWARD,
        purposes: Iterable[str] | None = None,
        also: Iterable[Identifier] = (),
        pause_ms: int = 0,
        expires_in_ms: int | None = None,
    ) -> None:
        """Add a step; `also` names further people whom it concerns."""
        declared = self.purposes if purposes is None else tuple(purposes)
        people = (*self.subjects, *also)
        self.steps.append(Step(payload, people, recipient, declared, expect, pause_ms, expires_in_ms))

    def user(self, text: str, expect: Decision = FORWARD, **more: Any) -> None:
        """The user says something."""
        self.step(UserMessage(text), recipient=Recipient(RecipientKind.AGENT, self.agent_id), expect=expect, **more)

    def says(self, text: str, expect: Decision = FORWARD, **more: Any) -> None:
        """The agent answers the user."""
        self.step(AssistantMessage(text), recipient=Recipient(RecipientKind.USER, "user"), expect=expect, **more)

    def tells(self, agent: str, text: str, expect: Decision = FORWARD, **more: Any) -> None:
        """The agent tells another agent."""
        self.step(AgentMessage(text), recipient=Recipient(RecipientKind.AGENT, agent), expect=expect, **more)

    def calls(self, tool: str, arguments: dict[str, Any], expect: Decision = FORWARD, **more: Any) -> None:
        """The agent calls a tool."""
        payload = ToolCall(tool, self._call_id(), _json(arguments))
        self.step(payload, recipient=Recipient(RecipientKind.TOOL, tool), expect=expect, **more)

    def gets(self, tool: str, content: object, expect: Decision = FORWARD, **more: Any) -> None:
        """The tool answers."""
        payload = ToolResult(tool, self._call_id(-1), _json(content))
        self.step(payload, recipient=Recipient(RecipientKind.AGENT, self.agent_id), expect=expect, **more)

    def writes(self, key: str, content: object, expect: Decision = FORWARD, **more: Any) -> None:
        """The agent stores something in its memory."""
        self.step(MemoryWrite(key, _json(content)), recipient=_memory(), expect=expect, **more)

    def reads(self, key: str, content: object, expect: Decision = FORWARD, **more: Any) -> None:
        """The agent remembers something."""
        self.step(MemoryRead(key, _json(content)), recipient=_memory(), expect=expect, **more)

    def consents(
        self,
        *purposes: str,
        categories: tuple[str, ...] | None = None,
        expires_in_ms: int | None = None,
        identifiers: tuple[Identifier, ...] = (),
        re_enrols: bool = False,
        expect: Decision = FORWARD,
    ) -> None:
        """The person agrees."""
        evidence = f"form:{self.session_id}"
        payload = ConsentGiven(purposes, categories, None, identifiers, evidence, re_enrols=re_enrols)
        self.step(payload, expect=expect, purposes=(), expires_in_ms=expires_in_ms)

    def withdraws(self, *purposes: str) -> None:
        """The person withdraws; without purposes, everything."""
        self.step(ConsentWithdrawn(purposes or None), purposes=())

    def requests(self, kind: RequestKind = RequestKind.ERASURE) -> None:
        """The person makes use of a right."""
        self.step(DataSubjectRequest(kind, f"dsr:{self.session_id}"), purposes=())

    def links(self, *identifiers: Identifier) -> None:
        """The person turns out to have further identifiers."""
        self.step(IdentityLinked(identifiers), purposes=())

    def _call_id(self, back: int = 0) -> str:
        calls = sum(isinstance(step.payload, ToolCall) for step in self.steps)
        return f"call-{calls + back + 1}"


def _memory() -> Recipient:
    return Recipient(RecipientKind.MEMORY, "memory")


def _json(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))

"""Writes a conversation down, step by step, with a clock and ids of its own."""

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from lawful.infra.evaluation.suites.maris.talk import Step
from lawful.infra.fleet.people import Crowd, Person
from lawful.schemas.event import (
    AgentEvent,
    AgentMessage,
    ConsentGiven,
    Identifier,
    MemoryWrite,
    Micros,
    Payload,
    Recipient,
    RecipientKind,
    ToolCall,
    ToolResult,
)

_START: Final[Micros] = 1_750_000_000_000_000
_SECOND: Final[Micros] = 1_000_000
AGENT: Final = RecipientKind.AGENT


@dataclass(slots=True)
class Scene:
    """One conversation in the making.

    Attributes:
        policy: its id.
        dice: the only source of chance.
        scheme: of the identifier under which the person is known.
    """

    name: str
    policy: str
    dice: Random
    person: Person
    scheme: str
    steps: list[Step] = field(default_factory=list)
    _at: Micros = _START

    @property
    def identifier(self) -> str:
        """The person's, under the scheme."""
        return {"patient_id": self.person.patient_id, "email": self.person.email}[self.scheme]

    def say(self, agent: str, to: str | Recipient, text: str, **truth: Any) -> None:
        """One agent to another, or to a model or a third party."""
        recipient = Recipient(AGENT, to) if isinstance(to, str) else to
        self.add(AgentMessage(text), agent, recipient, **truth)

    def call(self, agent: str, tool: str, arguments: dict[str, Any], **truth: Any) -> None:
        """A tool's call."""
        self.add(
            ToolCall(tool, f"c{len(self.steps)}", as_json(arguments)),
            agent,
            Recipient(RecipientKind.TOOL, tool),
            **truth,
        )

    def result(self, agent: str, tool: str, content: Any, **truth: Any) -> None:
        """What a tool answers."""
        text = content if isinstance(content, str) else as_json(content)
        self.add(ToolResult(tool, f"c{len(self.steps) - 1}", text), agent, Recipient(AGENT, agent), **truth)

    def remember(self, agent: str, content: str, **truth: Any) -> None:
        """An agent's own note."""
        self.add(MemoryWrite("notes", content), agent, Recipient(RecipientKind.MEMORY, "memory"), **truth)

    def consent(self, purpose: str, *categories: str) -> None:
        """The person agrees."""
        self.add(ConsentGiven((purpose,), categories), "front", None)

    def wait(self, seconds: int) -> None:
        """Time passes."""
        self._at += seconds * _SECOND

    def add(self, payload: Payload, agent: str, recipient: Recipient | None, **truth: Any) -> None:
        """One step, a few seconds after the last one."""
        self.wait(self.dice.randint(1, 20))
        event = AgentEvent(
            event_id=f"{self.name}-{len(self.steps):02}",
            occurred_at=self._at,
            tenant_id="maris",
            source="urn:lawful:maris",
            agent_id=agent,
            session_id=self.name,
            policy_id=self.policy,
            recipient=recipient,
            subjects=(Identifier(self.scheme, self.identifier),),
            payload=payload,
        )
        self.steps.append(Step(event, self._at, **truth))


Write = Callable[[Scene], None]
"""Writes one kind of conversation into a scene."""


def scene(name: str, policy: str, scheme: str, dice: Random) -> Scene:
    """An empty one about somebody new."""
    return Scene(name, policy, dice, Crowd(dice).somebody(), scheme)


def as_json(value: Any) -> str:
    """A value as JSON."""
    return json.dumps(value, ensure_ascii=False)


def disguised(text: str, dice: Random) -> str:
    """A value as somebody writes it who does not want it to be found."""
    ways: tuple[Callable[[], str], ...] = (
        lambda: base64.b64encode(text.encode()).decode(),
        lambda: "\u200b".join(text),
        lambda: "".join(chr(ord(each) - 48 + 0xFF10) if each.isdigit() else each for each in text),
        lambda: text.encode().hex(),
        lambda: "".join(f"%{ord(each):02X}" for each in text),
    )
    return dice.choice(ways)()

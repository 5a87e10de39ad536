"""A conversation between agents, and the truth of it: what must not arrive where, and what must."""

from dataclasses import dataclass, field
from enum import StrEnum

from lawful.schemas.event import AgentEvent, Micros


class Mode(StrEnum):
    """Why a conversation goes wrong, if it does."""

    PASSIVE = "passive"
    """Agents pass on what they should not, by mistake."""
    PROACTIVE = "proactive"
    """An agent tries to get what it should not."""
    CONFORMING = "conforming"


@dataclass(frozen=True, slots=True)
class Step:
    """One event, and what the policy's author means of it, written down without asking the policy.

    Attributes:
        secrets: values that must not arrive with it, in any form.
        forbidden: nothing of it must arrive.
        needs: values that must arrive with it: the task fails otherwise.
    """

    event: AgentEvent
    at: Micros
    secrets: tuple[str, ...] = field(default=(), repr=False)
    forbidden: bool = False
    needs: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Talk:
    """One conversation.

    Attributes:
        kind: which mistake, trick or task it is.
    """

    name: str
    domain: str
    mode: Mode
    kind: str
    steps: tuple[Step, ...]

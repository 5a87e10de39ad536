"""One attack or one benign session: the events, and what is really going on in each of them.

Whoever makes a trial knows the truth of it: whose data each step holds, in which form it is
carried, what the step is for, who agreed to what. The monitor sees the events, the oracle the
truth and what was let through; neither sees what the other does.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from lawful.schemas.event import AgentEvent, Micros


class Change(StrEnum):
    """What a person does about the own data."""

    CONSENT = "consent"
    WITHDRAWAL = "withdrawal"
    ERASURE = "erasure"
    RE_ENROLMENT = "re_enrolment"
    LINK = "link"


@dataclass(frozen=True, slots=True)
class Held:
    """One piece of somebody's data in a step.

    Attributes:
        person: who it is about.
        form: how it is carried, letter by letter, after the payload's own JSON.
        scheme, value: set where it identifies the person.
        share: of data that is carried in several steps: its name, and in how many.
    """

    person: str
    category: str
    form: str = field(repr=False)
    scheme: str | None = None
    value: str = field(default="", repr=False)
    share: tuple[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Condition:
    """The step is allowed only if this tool was used for the same person so many seconds before at most."""

    tool: str
    within: int


@dataclass(frozen=True, slots=True)
class Act:
    """The truth of an ordinary step.

    Attributes:
        purposes: what it is really for.
        people: whom the agent says it concerns, by who they really are.
        needed: the session's task fails without it.
    """

    purposes: tuple[str, ...]
    people: tuple[str, ...]
    held: tuple[Held, ...] = ()
    needed: bool = False
    condition: Condition | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """The truth of a step by which a person changes what may be done."""

    change: Change
    person: str
    purposes: tuple[str, ...] | None = None
    categories: tuple[str, ...] | None = None
    until: Micros | None = None


@dataclass(frozen=True, slots=True)
class TrialStep:
    """An event, the broker's time of it, and the truth."""

    event: AgentEvent
    at: Micros
    truth: Act | Standing


@dataclass(frozen=True, slots=True)
class Trial:
    """One session, or several that belong together.

    Attributes:
        family: `A1` to `A8`.
        kind: which attack of the family; a benign session mimics one.
        framing: in which words the agent was talked into it.
    """

    name: str
    pack: str
    family: str
    kind: str
    framing: str
    benign: bool
    steps: tuple[TrialStep, ...]

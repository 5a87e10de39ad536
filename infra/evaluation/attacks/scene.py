"""Puts a trial together, event by event, and keeps the truth of each beside it.

Whose data a payload holds is found by looking for the exact values of the people of the scene: the
generator knows them, so nothing is guessed.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Final
from uuid import UUID

from lawful.infra.evaluation.attacks.trade import Datum, Deed, Trade
from lawful.infra.evaluation.attacks.wording import Wording
from lawful.infra.evaluation.trial import Act, Change, Condition, Held, Standing, Trial, TrialStep
from lawful.infra.fleet.people import Crowd, Person
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
    RequestKind,
    ToolCall,
    ToolResult,
    UserMessage,
)

SECOND: Final[Micros] = 1_000_000
HOUR: Final = 3600
DAY: Final = 24 * HOUR
_BEGIN: Final[Micros] = 1_750_000_000 * SECOND
TENANT: Final = "evaluation"


@dataclass(slots=True)
class Scene:
    """Agents of one trade and some people, in one place of the log after the other.

    Attributes:
        benign: whether everything in it is allowed.
        session, agent: who acts from now on.
        now: the broker's time; every step takes a few seconds.
        clock_off: by how many seconds the agent's own clock is wrong.
    """

    name: str
    trade: Trade
    dice: Random
    crowd: Crowd
    wording: Wording
    framing: str
    benign: bool
    session: str = ""
    agent: str = ""
    now: Micros = _BEGIN
    clock_off: int = 0
    steps: list[TrialStep] = field(default_factory=list)
    known: dict[str, tuple[Datum, str, tuple[str, int] | None]] = field(default_factory=dict)
    _pattern: re.Pattern[str] | None = None

    def __post_init__(self) -> None:
        self.agent = self.trade.agents[0]
        self.session = f"{self.name}-a"

    def somebody(self) -> Person:
        """A further person, whose data will be recognised."""
        person = self.crowd.somebody()
        for datum in self.trade.data(person):
            self.knows(datum, person)
        return person

    def knows(self, datum: Datum, person: Person, form: str = "", share: tuple[str, int] | None = None) -> None:
        """From now on `form` (otherwise the datum's own) counts as this datum."""
        self.known[form or datum.form] = (datum, who(person), share)
        self._pattern = None

    def moves(self, agent: int, session: str) -> None:
        """Another agent goes on, in another session."""
        self.agent = self.trade.agents[agent]
        self.session = f"{self.name}-{session}"

    def wait(self, seconds: int) -> None:
        """Time passes."""
        self.now += seconds * SECOND

    # What agents and users do

    def user(self, text: str, *people: Person, **more: Any) -> None:
        """The user says something."""
        self._act(UserMessage(text), (RecipientKind.AGENT, self.agent), people, **more)

    def says(self, text: str, *people: Person, **more: Any) -> None:
        """The agent answers."""
        self._act(AssistantMessage(text), (RecipientKind.USER, "user"), people, **more)

    def tells(self, agent: str, text: object, *people: Person, **more: Any) -> None:
        """The agent tells another one."""
        self._act(AgentMessage(as_text(text)), (RecipientKind.AGENT, agent), people, **more)

    def calls(
        self, deed: Deed, *people: Person, remark: str = "", extra: dict[str, Any] | None = None, **more: Any
    ) -> None:
        """The agent does something about the first of these people."""
        arguments = {**deed.arguments(people[0], remark), **(extra or {})}
        more = {"truly": deed.purposes, "condition": deed.condition, **more}
        self.tool(deed.tool, arguments, *people, **more)

    def tool(self, tool: str, arguments: dict[str, Any], *people: Person, **more: Any) -> None:
        """The agent calls a tool, known to the policy or not."""
        self._act(
            ToolCall(tool, f"call-{len(self.steps)}", as_text(arguments)), (RecipientKind.TOOL, tool), people, **more
        )

    def gets(self, deed: Deed, content: object, *people: Person, **more: Any) -> None:
        """A tool answers."""
        payload = ToolResult(deed.tool, f"call-{len(self.steps) - 1}", as_text(content))
        self._act(payload, (RecipientKind.AGENT, self.agent), people, **{"truly": deed.purposes, **more})

    def writes(self, content: object, *people: Person, **more: Any) -> None:
        """The agent notes something."""
        self._act(MemoryWrite("notes", as_text(content)), (RecipientKind.MEMORY, "memory"), people, **more)

    def reads(self, content: object, *people: Person, **more: Any) -> None:
        """The agent remembers something."""
        self._act(MemoryRead("notes", as_text(content)), (RecipientKind.MEMORY, "memory"), people, **more)

    # What people change

    def consents(  # noqa: PLR0913 - the parts of a consent
        self,
        person: Person,
        *purposes: str,
        categories: tuple[str, ...] | None = None,
        lasts: int | None = None,
        under: Identifier | None = None,
        also: tuple[Identifier, ...] = (),
        re_enrols: bool = False,
    ) -> None:
        """The person agrees."""
        until = None if lasts is None else self.now + lasts * SECOND
        payload = ConsentGiven(purposes, categories, until, also, f"form:{self.session}", re_enrols=re_enrols)
        change = Change.RE_ENROLMENT if re_enrols else Change.CONSENT
        self._stands(
            payload, Standing(change, who(person), purposes, categories, until), under or self.known_as(person)
        )

    def withdraws(self, person: Person, *purposes: str, under: Identifier | None = None) -> None:
        """The person withdraws; without purposes, everything."""
        truth = Standing(Change.WITHDRAWAL, who(person), purposes or None)
        self._stands(ConsentWithdrawn(purposes or None), truth, under or self.known_as(person))

    def is_erased(self, person: Person, under: Identifier | None = None) -> None:
        """The person demands erasure."""
        payload = DataSubjectRequest(RequestKind.ERASURE, f"dsr:{self.session}")
        self._stands(payload, Standing(Change.ERASURE, who(person)), under or self.known_as(person))

    def links(self, person: Person, *identifiers: Identifier) -> None:
        """The person turns out to have these identifiers too."""
        self._stands(IdentityLinked(identifiers), Standing(Change.LINK, who(person)), self.known_as(person))

    def repeats(self, step: TrialStep) -> None:
        """The same event arrives once more, later."""
        self.wait(60)
        self.steps.append(replace(step, at=self.now))

    def known_as(self, person: Person) -> Identifier:
        """The identifier that this trade gives people."""
        return self.trade.identifier(person)

    def end(self, family: str, kind: str) -> Trial:
        """The finished trial."""
        return Trial(self.name, self.trade.pack, family, kind, self.framing, self.benign, tuple(self.steps))

    # How a step is made

    def _act(  # noqa: PLR0913 - what a step consists of
        self,
        payload: Payload,
        to: tuple[RecipientKind, str],
        people: tuple[Person, ...],
        *,
        truly: tuple[str, ...] | None = None,
        claims: tuple[str, ...] = (),
        named: tuple[Identifier, ...] | None = None,
        needed: bool = False,
        condition: Condition | None = None,
        again: str | None = None,
    ) -> None:
        """Adds a step.

        Args:
            payload: what happens.
            to: the kind and the id of who receives it.
            people: whom it concerns.
            truly: what it is for; a message is for the service, if nothing else is said.
            claims: what the agent declares it is for.
            named: whom the agent names; otherwise the people it concerns.
            needed: the session's task fails without it.
            condition: what must have gone before.
            again: take this event id, which was used before.
        """
        subjects = tuple(self.known_as(person) for person in people) if named is None else named
        purposes = self.trade.service if truly is None else truly
        truth = Act(purposes, tuple(who(person) for person in people), self._held(payload), needed, condition)
        self._add(payload, truth, subjects, Recipient(*to), claims, again)

    def _stands(self, payload: Payload, truth: Standing, under: Identifier) -> None:
        self._add(payload, truth, (under,), None, (), None)

    def _add(  # noqa: PLR0913, PLR0917 - an envelope
        self,
        payload: Payload,
        truth: Act | Standing,
        subjects: tuple[Identifier, ...],
        recipient: Recipient | None,
        claims: tuple[str, ...],
        again: str | None,
    ) -> None:
        self.wait(self.dice.randrange(1, 30))
        event = AgentEvent(
            event_id=again or str(UUID(int=self.dice.getrandbits(128), version=4)),
            occurred_at=self.now + self.clock_off * SECOND,
            tenant_id=TENANT,
            source="urn:lawful:evaluation",
            agent_id=self.agent,
            session_id=self.session,
            payload=payload,
            recipient=recipient,
            subjects=subjects,
            purposes=claims,
            policy_id=self.trade.pack,
        )
        self.steps.append(TrialStep(event, self.now, truth))

    def _held(self, payload: Payload) -> tuple[Held, ...]:
        if self._pattern is None:
            forms = sorted(self.known, key=len, reverse=True)
            self._pattern = re.compile("|".join(rf"(?<!\w){re.escape(form)}(?!\w)" for form in forms) or r"(?!)")
        forms_found = dict.fromkeys(match.group() for match in self._pattern.finditer(plain(text_of(payload))))
        return tuple(self._piece(form) for form in forms_found)

    def _piece(self, form: str) -> Held:
        datum, person, share = self.known[form]
        held = Held(person, datum.category, form, share=share)
        return replace(held, scheme=datum.scheme, value=datum.form) if datum.scheme else held


def who(person: Person) -> str:
    """A person's name in the truth; no monitor ever sees it."""
    return f"person-{person.number}"


def as_text(value: object) -> str:
    """Text as it is, all else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def text_of(payload: Payload) -> str:
    """What an ordinary payload says."""
    for name in ("text", "arguments", "content"):
        text = getattr(payload, name, None)
        if isinstance(text, str):
            return text
    return ""


def plain(text: str) -> str:
    """All texts in a payload one below the other, as they are after its own JSON."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return "\n".join(_leaves(value)) if isinstance(value, dict | list) else text


def _leaves(value: object) -> Iterable[str]:
    if isinstance(value, dict):
        for member in value.values():
            yield from _leaves(member)
    elif isinstance(value, list):
        for member in value:
            yield from _leaves(member)
    else:
        yield str(value)

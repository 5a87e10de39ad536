"""Generated events over a policy: a small world of people, and everything that can happen to them.

Consents that expire, are withdrawn and given again, erasures and re-enrolments, people under two
identifiers that turn out to be one, several people in one event, people who are only mentioned,
events at the same time, and names that no policy or taxonomy knows. The chance comes from outside,
so the same dice give the same world.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol, TypeVar

from lawful.policies.channels.model import Channel, Channels, Handling
from lawful.policies.combinations.model import BLOCK, Combination, names_of
from lawful.policies.model import Policy, Treatment
from lawful.schemas.event import Micros, PayloadKind, RequestKind
from lawful.schemas.history import ConsentFact, Fact, LinkFact, RequestFact, WithdrawalFact
from lawful.schemas.taxonomy import categories, special_kind
from lawful.schemas.verdict import Action, Decision
from lawful.schemas.view import (
    ExtractionStatus,
    Finding,
    Provenance,
    PurposeClaim,
    SourcePosition,
    SubjectRole,
    View,
)

T = TypeVar("T")
SECOND: Final[Micros] = 1_000_000
PAUSES: Final = tuple(seconds * SECOND for seconds in (0, 0, 0, 1, 1, 2, 5, 60))
LASTS: Final = tuple(seconds * SECOND for seconds in (-1, 0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 60, 3_600))
PEOPLE: Final = tuple(
    tuple(f"{person}-{identifier}" for identifier in "123") for person in ("ann", "bob", "cem", "dee")
)
_KINDS: Final = (PayloadKind.USER_MESSAGE, PayloadKind.TOOL_CALL, PayloadKind.TOOL_CALL, PayloadKind.TOOL_RESULT)
_AGAIN: Final = 8


class Dice(Protocol):
    """Chance, as `random.Random` gives it."""

    def random(self) -> float:
        """From 0 up to 1."""
        ...

    def choice(self, seq: Sequence[T], /) -> T:
        """One of several."""
        ...

    def sample(self, population: Sequence[T], k: int) -> list[T]:
        """Some of several, each at most once."""
        ...

    def randint(self, a: int, b: int) -> int:
        """From a to b, both included."""
        ...


@dataclass(frozen=True, slots=True)
class _Words:
    """The names that a policy's events may use."""

    purposes: tuple[str, ...]
    needed: tuple[str, ...]
    all_categories: tuple[str, ...]
    tools: tuple[str, ...]
    by_consent: tuple[str, ...]


def words_of(policy: Policy) -> _Words:
    """The policy's own names, names above and below them, and names it has never heard of."""
    own = tuple(policy.purposes)
    above = {name.rpartition(".")[0] for name in own} - {""}
    below = {f"{name}.detail" for name in own}
    needed = sorted({category for rule in policy.purposes.values() for category in rule.necessary})
    special = [key for key in categories() if special_kind(key) is not None]
    known = [*categories(), *special, "user.made_up.category", "odd.key", "system.operations"]
    return _Words(
        purposes=(*own, *own, *sorted(above | below), "never.declared", "Not a key 42"),
        needed=tuple(needed) or ("user",),
        all_categories=tuple(known),
        tools=(*sorted(policy.tools), *sorted(policy.tools), "unheard_of"),
        by_consent=tuple(key for key, rule in policy.purposes.items() if rule.by_consent) or own,
    )


def channelled(policy: Policy, dice: Dice) -> Policy:
    """The policy with a few channels of any kind and a combination; events generated over it travel them."""
    words = words_of(policy)
    rules = {
        f"channel-{number}": Channel(
            f"channel-{number}",
            categories={dice.choice((*words.needed, *words.all_categories)): _handling(dice) for _ in range(3)},
            otherwise=_handling(dice),
        )
        for number in range(3)
    }
    members = tuple(dict.fromkeys((*words.needed, *dice.sample(words.all_categories, 3))))
    together = Combination("together", members, dice.randint(0, 2), keep=3_600 * SECOND, handling=_strict(dice))
    return replace(policy, channels=Channels(rules, combinations={together.name: together}))


def _handling(dice: Dice) -> Handling:
    decision = dice.choice((Decision.FORWARD, Decision.FORWARD, Decision.WARN, Decision.REDACT, Decision.BLOCK))
    return Handling(decision, Treatment(Action.MASK) if decision is Decision.REDACT else None)


def _strict(dice: Dice) -> Handling:
    return dice.choice((Handling(Decision.WARN), Handling(Decision.REDACT, Treatment(Action.MASK)), BLOCK))


class World:
    """Events of a few people under one policy.

    Args:
        policy: the policy.
        dice: chance.
        name: begins every event id.
        people: the people, each as the identifiers that are known of them; at least two in all.
    """

    def __init__(self, policy: Policy, dice: Dice, name: str = "e", people: Sequence[Sequence[str]] = PEOPLE) -> None:
        self._people = people
        self._everybody = tuple(identifier for person in people for identifier in person)
        self._policy = policy
        self._dice = dice
        self._name = name
        self._words = words_of(policy)
        self._time: Micros = 1_700_000_000 * SECOND
        self._ends: list[tuple[Micros, tuple[str, ...]]] = []
        self._ending: tuple[str, ...] = ()  # purposes of the consent that ends just now
        self._late: Micros = 0
        self._recent: list[tuple[View, ...]] = []

    def events(self, count: int) -> Iterator[tuple[View, ...]]:
        """So many events, each as its views. Some come twice."""
        for number in range(count):
            self._pass_time()
            if self._recent and self._dice.random() < 0.03:  # noqa: PLR2004 - shares of what happens
                yield self._dice.choice(self._recent)
                continue
            views = self._event(number)
            self._recent = [*self._recent[-_AGAIN:], views]
            yield views

    def _pass_time(self) -> None:
        """Mostly a little; now and then to the very moment at which a consent ends."""
        ahead = [end for end in self._ends if end[0] >= self._time]
        if ahead and self._dice.random() < 0.2:  # noqa: PLR2004
            self._time, self._ending = min(ahead)
        else:
            self._time += self._dice.choice(PAUSES)
            self._ending = ()
        # Where several logs meet, time may seem to run back a little.
        self._late = self._dice.choice((0,) * 9 + (4 * SECOND,))

    def _event(self, number: int) -> tuple[View, ...]:
        event_id, chance = f"{self._name}-{number}", self._dice.random()
        if chance < 0.15:  # noqa: PLR2004
            return self._telling(event_id, PayloadKind.CONSENT_GIVEN, self._consent(event_id))
        if chance < 0.23:  # noqa: PLR2004
            purposes = self._dice.choice((None, self._some(self._words.purposes, 1, 2)))
            return self._telling(event_id, PayloadKind.CONSENT_WITHDRAWN, WithdrawalFact(event_id, purposes))
        if chance < 0.26:  # noqa: PLR2004
            kind = self._dice.choice((*RequestKind, *(RequestKind.ERASURE,) * 4))
            return self._telling(event_id, PayloadKind.DATA_SUBJECT_REQUEST, RequestFact(event_id, kind, event_id))
        if chance < 0.275:  # noqa: PLR2004
            return self._telling(event_id, PayloadKind.IDENTITY_LINKED, None, links=1)
        return self._ordinary(event_id)

    def _consent(self, event_id: str) -> ConsentFact:
        dice, words = self._dice, self._words
        purposes = self._some(words.by_consent if dice.random() < 0.6 else words.purposes, 1, 3)  # noqa: PLR2004
        ends = dice.choice((None, self._time + dice.choice(LASTS)))
        if ends is not None:
            self._ends = [*self._ends[-_AGAIN:], (ends, purposes)]
        named = self._some((*words.needed, *words.needed, *words.all_categories), 1, 6)
        categories_ = dice.choice((None, words.needed, named))
        return ConsentFact(event_id, purposes, categories_, ends, re_enrols=dice.random() < 0.4)  # noqa: PLR2004

    def _telling(self, event_id: str, kind: PayloadKind, fact: Fact | None, links: int = 0) -> tuple[View, ...]:
        """An event that brings a fact, and says perhaps that its subject has another identifier."""
        subject = None if self._dice.random() < 0.02 and links == 0 else self._dice.choice(self._everybody)  # noqa: PLR2004
        views = [self._view(event_id, kind, subject, fact=fact)]
        if subject is not None and (links or self._dice.random() < 0.06):  # noqa: PLR2004
            alias = self._alias_of(subject)
            high, low = max(subject, alias), min(subject, alias)
            link = self._view(event_id, kind, high, fact=LinkFact(event_id, high, low), role=SubjectRole.DECLARED)
            views.append(link)
        return _numbered(views)

    def _alias_of(self, subject: str) -> str:
        """Mostly another identifier of the same person; now and then two persons turn out to be one."""
        person = next(each for each in self._people if subject in each)
        among = self._everybody if len(person) == 1 or self._dice.random() < 0.1 else person  # noqa: PLR2004
        return self._dice.choice([each for each in among if each != subject])

    def _ordinary(self, event_id: str) -> tuple[View, ...]:
        dice, words = self._dice, self._words
        kind = dice.choice(_KINDS)
        tool = None if kind is PayloadKind.USER_MESSAGE else dice.choice(words.tools)
        shared: dict[str, Any] = {
            "tool": tool,
            "purposes": self._claims(tool),
            "status": dice.choice((ExtractionStatus.COMPLETE,) * 60 + tuple(ExtractionStatus)),
        }
        if self._policy.channels is not None:
            shared["channels"] = tuple(sorted(self._some(tuple(sorted(names_of(self._policy.channels))), 0, 2)))
        subject = None if dice.random() < 0.05 else dice.choice(self._everybody)  # noqa: PLR2004
        views = [self._view(event_id, kind, subject, findings=self._findings(), **shared)]
        rest = [each for each in self._everybody if each != subject]
        others = dice.sample(rest, min(len(rest), dice.choice((0, 0, 0, 0, 1, 2))))
        for other in others:
            role = dice.choice((SubjectRole.DECLARED, SubjectRole.MENTIONED, SubjectRole.MENTIONED))
            views.append(self._view(event_id, kind, other, findings=self._findings(), role=role, **shared))
        return _numbered(views)

    def _claims(self, tool: str | None) -> tuple[PurposeClaim, ...]:
        dice, policy = self._dice, self._policy
        bound = policy.message_purposes if tool is None else policy.purposes_of_tool(tool)
        claims = [PurposeClaim(purpose, Provenance.TOOL) for purpose in bound if dice.random() < 0.9]  # noqa: PLR2004
        among = self._words.by_consent if dice.random() < 0.4 else self._words.purposes  # noqa: PLR2004
        added = [
            PurposeClaim(purpose, dice.choice((Provenance.DECLARED, Provenance.INFERRED, Provenance.INHERITED)))
            for purpose in self._some(among, 0, 2)
        ]
        return (*claims, *added)

    def _findings(self) -> tuple[Finding, ...]:
        dice, words = self._dice, self._words
        source = words.needed if dice.random() < 0.7 else words.all_categories  # noqa: PLR2004
        found = [dice.choice(source) for _ in range(dice.choice((0, 1, 1, 2, 3)))]
        return tuple(
            Finding(f"/{place}", 0, 4, category, "generated", "1", 1.0, essential=dice.random() < 0.1)  # noqa: PLR2004
            for place, category in enumerate(found)
        )

    def _some(self, names: Sequence[str], least: int, most: int) -> tuple[str, ...]:
        return tuple(self._dice.sample(names, min(len(names), self._dice.randint(least, most))))

    def _view(self, event_id: str, kind: PayloadKind, subject: str | None, **more: Any) -> View:
        fields: dict[str, Any] = {
            "event_id": event_id,
            "tenant_id": "generated",
            "key": subject or "session",
            "subject": subject,
            "role": SubjectRole.NOBODY if subject is None else SubjectRole.PRINCIPAL,
            "part": 0,
            "parts": 1,
            "kind": kind,
            "source": "generated",
            "agent_id": "agent",
            "session_id": "session",
            "recorded_at": self._time - self._late,
            "occurred_at": self._time,
            "position": SourcePosition("lawful.events", 0, 0),
            "digest": "",
            "policy_id": self._policy.id,
        }
        return View(**(fields | more))


def _numbered(views: list[View]) -> tuple[View, ...]:
    return tuple(replace(view, part=part, parts=len(views)) for part, view in enumerate(views))

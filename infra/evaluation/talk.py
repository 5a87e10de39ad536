"""One conversation between a user's assistant and somebody else's service, and what is really going on in it.

Whoever makes a conversation knows the truth of it: which of the user's data the service may learn
and how exactly, what the service has to say for the task to be done, what it asks for and demands
beyond that. The firewalls see texts and records, the oracle the truth and what came through.
"""

from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum


class Tier(StrEnum):
    """How near to the task a piece of the user's data is (ConVerse's three classes)."""

    UNRELATED = "unrelated"
    PRIVATE = "related_but_private"
    USEFUL = "related_and_useful"
    """Needed, but less exactly than it is stored."""


class Harm(StrEnum):
    """What an order in a service's message is after."""

    PREFERENCE = "preference_override"
    ACTION = "unauthorised_action"
    DENIAL = "denial_of_service"


class Hiding(StrEnum):
    """What the assistant is asked to do with a value before it sends it."""

    PLAIN = "as it is"
    BASE64 = "base64"
    REVERSED = "backwards"
    SPELLED = "letter by letter"
    HALVES = "in two halves"


@dataclass(frozen=True, slots=True)
class Spoken:
    """One of these texts says enough."""

    forms: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Within:
    """A range that holds the number says enough, if its upper end is at most so many times its lower one."""

    number: Decimal = field(repr=False)
    factor: int


Enough = Spoken | Within


@dataclass(frozen=True, slots=True)
class Item:
    """Something that is known of the user.

    Attributes:
        path: where it is in the user's record, with dots.
        marks: by any of these it is recognised, more exactly than it may be told.
        tier: nothing for what the task needs as it is.
        enough: what tells the service as much as the task needs; nothing if it needs none of it.
        asked: words by which somebody asks for it.
        instead: how a careful person would tell it; nothing for as it is.
    """

    path: str
    marks: tuple[str, ...] = field(repr=False)
    tier: Tier | None
    enough: tuple[Enough, ...] = field(default=(), repr=False)
    asked: tuple[str, ...] = ()
    instead: str | None = field(default=None, repr=False)


Value = str | int | bool | Decimal
"""Of a fact: a choice, a date as in ISO 8601, a number, yes or no; a sum of money is a `Decimal`."""


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that the service says and the task needs.

    Attributes:
        about: the name of the offer that it is about; nothing for the message as a whole.
        labels: what it may be called.
    """

    about: str | None
    labels: tuple[str, ...]
    value: Value


@dataclass(frozen=True, slots=True)
class Ask:
    """A question for the user's data that the task does not need in this form."""

    path: str
    hiding: Hiding = Hiding.PLAIN


@dataclass(frozen=True, slots=True)
class Demand:
    """An order to the assistant.

    Attributes:
        action: what would be done.
        about: the offer that it would be done with, if it is one.
        words: the order as the message puts it.
    """

    harm: Harm
    action: str
    words: str
    about: str | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of the service."""

    text: str = field(repr=False)
    form: str
    facts: tuple[Fact, ...] = ()
    asks: tuple[Ask, ...] = ()
    demands: tuple[Demand, ...] = ()


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user wants of an offer.

    Attributes:
        price: what its price is called.
        at_most: what it may cost.
        must: what else has to hold of it: labels and a value.
    """

    price: tuple[str, ...]
    at_most: Decimal
    must: tuple[tuple[tuple[str, ...], Value], ...]


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation.

    Attributes:
        kind: `benign`, or what is attacked: a tier or a harm.
        wording: in which words.
        needs: what the service has to learn of the user.
        target: the item that a privacy attack is after.
        suits: the offers that the user would take.
        record: the user's data, whole.
    """

    name: str
    domain: str
    kind: str
    wording: str
    record: dict[str, object] = field(repr=False)
    needs: tuple[Item, ...]
    wish: Wish
    suits: tuple[str, ...]
    turns: tuple[Turn, ...]
    target: Item | None = None

    @property
    def benign(self) -> bool:
        """Whether nobody attacks in it."""
        return self.kind == BENIGN


BENIGN = "benign"


@dataclass(frozen=True, slots=True)
class Done:
    """Something that the assistant did: `book` an offer, or what it was told to."""

    action: str
    about: str | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """What came of a conversation.

    Attributes:
        heard: what reached the assistant of each of the service's messages: the text, or a value whose names
            have been put back; nothing where the message was stopped.
        seen: the same, letter by letter as the assistant saw it.
        sent: what reached the service.
        done: what the assistant did.
    """

    heard: tuple[object, ...] = field(repr=False)
    seen: tuple[str, ...] = field(repr=False)
    sent: tuple[str, ...] = field(repr=False)
    done: tuple[Done, ...]

"""What the product remembers about one subject: facts, each with its place in the log.

Facts hold purposes, categories, times and event ids, never an identifier in clear. How they are
read as of an offset, merged and pruned is `lawful.policies.history`.
"""

from dataclasses import dataclass, field

from lawful.schemas.event import Micros, RequestKind


@dataclass(frozen=True, slots=True)
class ConsentFact:
    """Consent was given. `categories=None`: all but special categories.

    Attributes:
        under: the pseudonyms it was given under, if not under the one whose history it stands in.
    """

    event_id: str
    purposes: tuple[str, ...]
    categories: tuple[str, ...] | None = None
    expires_at: Micros | None = None
    re_enrols: bool = False
    under: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WithdrawalFact:
    """Consent was withdrawn for these purposes and their descendants; `None`: for all."""

    event_id: str
    purposes: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class RequestFact:
    """A request of the subject (Art. 15-21). An erasure is one of kind `erasure`."""

    event_id: str
    kind: RequestKind
    request_id: str


@dataclass(frozen=True, slots=True)
class SeenFact:
    """The subject's data was processed for the first time."""

    event_id: str


@dataclass(frozen=True, slots=True)
class LinkFact:
    """`alias` is another pseudonym of the person whose lowest pseudonym is the other end.

    The edge always runs from the higher pseudonym to the lower one, so links cannot form a cycle.

    Attributes:
        toward: whom the other end means, where `root` only keeps that person's history.
    """

    event_id: str
    alias: str
    root: str
    toward: str | None = None


@dataclass(frozen=True, slots=True)
class ActArgument:
    """A value that something was done with. Neither text nor number: masked or unreadable, equal to nothing.

    Attributes:
        path: RFC 6901 pointer to it in the payload; empty once it is history.
        text: a keyed digest, or a symbol of the policy in clear.
    """

    path: str = ""
    text: str | None = None
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Act:
    """Something that an event does, as one of the policy's own predicates."""

    name: str
    arguments: tuple[ActArgument, ...] = ()


@dataclass(frozen=True, slots=True)
class ActedFact:
    """What an event did, as far as the policy's rules look back at it.

    Attributes:
        until: no event after this time can ask for it; `None`: one may, for ever.
    """

    event_id: str
    policy_id: str
    acts: tuple[Act, ...] = ()
    until: Micros | None = None


@dataclass(frozen=True, slots=True)
class ActedEntry:
    """What was done, and where in the log."""

    offset: int
    recorded_at: Micros
    fact: ActedFact


@dataclass(frozen=True, slots=True)
class Label:
    """A data category that an event carries, and the event in which it was found first."""

    category: str
    source: str


@dataclass(frozen=True, slots=True)
class LabelFact:
    """What an event carries on to those that it causes.

    Attributes:
        labels: one per category.
        purposes: what the data was processed for.
        memory: keyed digest of the name under which it went into memory, if it did.
        until: what is caused later does not inherit; `None`: it does, for ever.
    """

    event_id: str
    labels: tuple[Label, ...] = ()
    purposes: tuple[str, ...] = ()
    memory: str | None = None
    until: Micros | None = None


@dataclass(frozen=True, slots=True)
class LabelEntry:
    """What was carried, and where in the log."""

    offset: int
    recorded_at: Micros
    fact: LabelFact


@dataclass(frozen=True, slots=True)
class ToldFact:
    """What an event told its recipient about the subject, for rules on combinations: categories, no values.

    Attributes:
        to: session and recipient, each as a digest; without a recipient where nobody says who it was.
        until: it counts up to this time.
    """

    event_id: str
    to: str
    categories: tuple[str, ...]
    until: Micros


@dataclass(frozen=True, slots=True)
class ToldEntry:
    """What was told, and where in the log."""

    offset: int
    recorded_at: Micros
    fact: ToldFact


@dataclass(frozen=True, slots=True)
class MergeFact:
    """The history of an alias, arriving at the root it was linked to.

    Attributes:
        keys: ids of the keys that the alias's payloads were sealed with.
    """

    event_id: str
    alias: str
    entries: tuple["Entry", ...] = ()
    acts: tuple[ActedEntry, ...] = ()
    keys: tuple[str, ...] = ()
    labels: tuple[LabelEntry, ...] = ()
    told: tuple[ToldEntry, ...] = ()


Fact = ConsentFact | WithdrawalFact | RequestFact | SeenFact | LinkFact | MergeFact


@dataclass(frozen=True, slots=True)
class Entry:
    """A fact and its place: the offset in the subject's partition and the broker's time there."""

    offset: int
    recorded_at: Micros
    fact: Fact


@dataclass(frozen=True, slots=True)
class Apart:
    """A person whose identifier was linked to this row's by mistake, and set apart again.

    Attributes:
        name: the pseudonym that was set apart, and where in the log.
        root: whom this person was linked to since, and `linked_at` where.
    """

    name: str
    entries: tuple[Entry, ...] = ()
    through: int = -1
    acts: tuple[ActedEntry, ...] = ()
    keys: tuple[str, ...] = ()
    root: str | None = None
    linked_at: int = -1
    labels: tuple[LabelEntry, ...] = ()
    told: tuple[ToldEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class Move:
    """From this offset on, a pseudonym is somebody else in this row: an `Apart`, or (empty) the row's own."""

    subject: str
    offset: int
    to: str = ""


@dataclass(frozen=True, slots=True)
class History:
    """All that is remembered about one subject, in log order.

    Attributes:
        entries: facts in the order of the log.
        through: the last offset that this row includes; -1 for none.
        acts: what temporal rules look back at, in log order; apart, so that they cost P1 to P4 nothing.
        keys: ids of the keys that the subject's payloads were sealed with.
        labels: what events carry on to those that they cause, in log order; apart for the same reason as acts.
        told: what recipients have learnt, as far as a rule on combinations asks; in log order.
        moves, apart: who is somebody else since identifiers were set apart. Empty for nearly everybody.
    """

    entries: tuple[Entry, ...] = field(default=())
    through: int = -1
    acts: tuple[ActedEntry, ...] = field(default=())
    keys: tuple[str, ...] = field(default=())
    moves: tuple[Move, ...] = field(default=())
    apart: tuple[Apart, ...] = field(default=())
    labels: tuple[LabelEntry, ...] = field(default=())
    told: tuple[ToldEntry, ...] = field(default=())


EMPTY = History()

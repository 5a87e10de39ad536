"""An event as it concerns one subject: what `judge` sees, and what `lawful.annotated` carries.

A view holds no content: findings say where something was found and what it is, not what it says.
"""

from dataclasses import dataclass
from enum import StrEnum

from lawful.schemas.event import Micros, PayloadKind, Recipient
from lawful.schemas.history import Act, ActedFact, Fact


class Provenance(StrEnum):
    """Where a purpose comes from. Inferred and inherited ones can only make a verdict stricter."""

    DECLARED = "declared"
    TOOL = "tool"
    INFERRED = "inferred"
    INHERITED = "inherited"


class SubjectRole(StrEnum):
    """How an event concerns the subject of a view."""

    PRINCIPAL = "principal"
    DECLARED = "declared"
    MENTIONED = "mentioned"
    NOBODY = "nobody"


class ExtractionStatus(StrEnum):
    """Whether the findings can be relied on. Anything but `complete` fails closed."""

    COMPLETE = "complete"
    FAILED = "failed"
    TIMEOUT = "timeout"
    OVERSIZED = "oversized"


@dataclass(frozen=True, slots=True)
class PurposeClaim:
    """A purpose this event is processed for, and who says so.

    Attributes:
        confidence: 0 to 1; below 1 where a rule concluded it. No verdict rests on it: what is inferred
            makes a verdict stricter however sure the rule is.
    """

    purpose: str
    provenance: Provenance
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Finding:
    """One detected data category at one place; never the text itself.

    Attributes:
        path: RFC 6901 pointer into the payload (`/text`, `/arguments/to/0`, `/content`). JSON
            carried as text is addressed as if it were nested.
        start, end: code points within the leaf's text, half open.
        essential: replacing it would break what the tool's schema requires.
        subject: pseudonym of the person whom the text identifies, where it does.
        source: the event that this category was inherited from, where it was: then nobody knows a place for it.
    """

    path: str
    start: int
    end: int
    category: str
    detector: str
    detector_version: str
    score: float
    essential: bool = False
    subject: str | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Flow:
    """Along what labels come into an event, beside its cause, and what is to keep them out.

    Attributes:
        causes: further events that it was caused by.
        memory: keyed digest of the name under which something is written to memory or read from it.
        lifts: the event whose labels are to be lifted.
        lifted_by: the policy's declassification under which they are.
    """

    causes: tuple[str, ...] = ()
    memory: str | None = None
    lifts: str | None = None
    lifted_by: str | None = None


@dataclass(frozen=True, slots=True)
class SourcePosition:
    """Where a record stands in Kafka."""

    topic: str
    partition: int
    offset: int


@dataclass(frozen=True, slots=True)
class ReplyTo:
    """Where the verdict is awaited; `partition=None` leaves the choice to the partitioner."""

    topic: str
    partition: int | None
    correlation_id: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """An event as it concerns one subject.

    Attributes:
        key: record key in `lawful.annotated`: the subject's pseudonym, else the session's.
        subject: the subject's pseudonym; `None` when the event concerns nobody known.
        part, parts: this view's place among the event's views (0-based) and their number.
        recorded_at: the broker's append time of the event: the clock of every decision.
        digest: keyed digest of the payload (HMAC-SHA256, hex).
        fact: what the subject's history learns if this event passes.
        skewed: the producer's clock differs from the broker's by more than the bound.
        acts: what the event does, in the predicates that the policy's rules speak of.
        slice: set when the view is for the rules over a session, an agent or a tenant, and `key`
            stands for that; only those rules are judged.
        acted: this view only records what an event of several views did, once all of it has passed.
        origin: whom the event names, where `key` is the pseudonym that this one is linked to.
        parted: this subject's identifier is set apart from those it was linked with.
        key_id: the key that the event was sealed with, if it was and the subject is its principal.
        heavy: a critical agent has a hand in it, so auditors look at it, too.
        reread: what a second extractor found, for auditors only; `None` if none has read it.
        flow: along what labels come in.
        channels: names of the policy's channels that the event travels, whoever's view it is.
    """

    event_id: str
    tenant_id: str
    key: str
    subject: str | None
    role: SubjectRole
    part: int
    parts: int
    kind: PayloadKind
    source: str
    agent_id: str
    session_id: str
    recorded_at: Micros
    occurred_at: Micros
    position: SourcePosition
    digest: str
    agent_version: str | None = None
    task_id: str | None = None
    causation_id: str | None = None
    traceparent: str | None = None
    tool: str | None = None
    recipient: Recipient | None = None
    policy_id: str | None = None
    purposes: tuple[PurposeClaim, ...] = ()
    findings: tuple[Finding, ...] = ()
    fact: Fact | None = None
    status: ExtractionStatus = ExtractionStatus.COMPLETE
    status_reason: str = ""
    skewed: bool = False
    deadline_ms: int | None = None
    reply_to: ReplyTo | None = None
    acts: tuple[Act, ...] = ()
    slice: str | None = None
    acted: ActedFact | None = None
    origin: str | None = None
    parted: bool = False
    key_id: str | None = None
    heavy: bool = False
    reread: tuple[Finding, ...] | None = None
    channels: tuple[str, ...] = ()
    flow: Flow | None = None

    @property
    def shared(self) -> bool:
        """Whether its verdict goes by way of the combine stage, where the first one stands.

        So do several people's shares of one event, and auditors' votes, which unlike a judge's verdict may
        come out differently when they are taken again.
        """
        return self.parts > 1 or self.heavy

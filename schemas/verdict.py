"""What the product answers: a decision, why, and what must be done to the payload."""

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from lawful.schemas.event import Micros
from lawful.schemas.view import ReplyTo, SourcePosition, View


class Decision(IntEnum):
    """Ordered by strictness: the strictest of several wins."""

    FORWARD = 0
    WARN = 1
    REDACT = 2
    BLOCK = 3

    @property
    def word(self) -> str:
        """The decision as topics, columns and people write it."""
        return self.name.lower()


class Predicate(StrEnum):
    """The four predicates, and `error` for everything that could not be decided."""

    CONSENT = "P1"
    PURPOSE = "P2"
    MINIMISATION = "P3"
    ERASURE = "P4"
    ERROR = "error"


class Action(StrEnum):
    """What an obligation does to the text it names.

    `hash` and `placeholder` leave a keyed tag by which equal texts are equal: within a tenant,
    or within a session only.
    """

    REMOVE = "remove"
    MASK = "mask"
    REPLACE = "replace"
    GENERALISE = "generalise"
    HASH = "hash"
    PLACEHOLDER = "placeholder"


class Outcome(StrEnum):
    """What became of a consent or a request; absent for ordinary events. `other` is from a newer worker."""

    RECORDED = "recorded"
    ERASED = "erased"
    ALREADY_ERASED = "already_erased"
    UNKNOWN_SUBJECT = "unknown_subject"
    LINKED = "linked"
    OTHER = "other"
    UNLINKED = "unlinked"


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule.

    Attributes:
        rule: `P1` to `P4`, `error`, or the name of a policy's own rule.
        reason: stable snake_case code (`consent_missing`, `consent_expired`, ...).
        decision: what the policy makes of it.
        subject: pseudonym of the person concerned.
        article: the legal source, e.g. `GDPR Art. 6(1)(a)`.
        evidence: event ids of the facts it rests on.
    """

    rule: str
    reason: str
    decision: Decision
    message: str
    subject: str | None = None
    purpose: str | None = None
    category: str | None = None
    article: str = ""
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Obligation:
    """What must be done to the payload before it may pass. Spans are code points, half open.

    Attributes:
        detail: how to generalise (`lawful.schemas.generalising.HOW`); empty for other actions.
    """

    path: str
    start: int
    end: int
    action: Action
    category: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Vote:
    """What one auditor said of an event, or that it said nothing.

    Attributes:
        auditor, version: who.
        decision: what it would have decided; `block` where it failed.
        reason: stable snake_case code (`agrees`, `stricter`, `milder`, `late`, `failed`, ...), no content.
        sentry: it was drawn for the first round; the others are asked only after doubt.
        part: which of the event's views it saw.
    """

    auditor: str
    version: str
    decision: Decision
    reason: str
    sentry: bool
    part: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The one effective answer to one event.

    Attributes:
        exceptions: purposes that a legal duty let survive an erasure (Art. 17(3)(b)).
        decided_on: the positions in `lawful.annotated` it was decided on, one per subject view.
        recorded_at: the broker's append time of the event.
        votes: of the auditors, where there were any; they can only have made it stricter.
    """

    event_id: str
    tenant_id: str
    decision: Decision
    violations: tuple[Violation, ...] = ()
    obligations: tuple[Obligation, ...] = ()
    outcome: Outcome | None = None
    exceptions: tuple[str, ...] = ()
    policy_id: str
    policy_version: str
    policy_digest: str
    decided_on: tuple[SourcePosition, ...] = ()
    recorded_at: Micros
    votes: tuple[Vote, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Partial:
    """One subject's share of a verdict; `combine` waits for all of them.

    Attributes:
        view: what was judged, without its findings' subjects' identity in clear.
        verdict: the verdict as far as this subject goes.
    """

    view: View
    verdict: Verdict

    @property
    def reply_to(self) -> ReplyTo | None:
        """Where the event's verdict is awaited."""
        return self.view.reply_to

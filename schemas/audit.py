"""What is written down for good: audit records, and dead letters for what could not be read.

Columns hold pseudonyms, categories, spans, rule names and digests: no content (design: audit).
"""

from dataclasses import dataclass
from enum import StrEnum

from lawful.schemas.event import Micros
from lawful.schemas.verdict import Verdict
from lawful.schemas.view import SubjectRole, View


class AuditKind(StrEnum):
    """What a row of the audit trail reports."""

    VERDICT = "verdict"
    NO_VERDICT = "no_verdict"
    LATE_VERDICT = "late_verdict"
    GUARD_BLOCK = "guard_block"
    DISAGREEMENT = "disagreement"
    SENTRIES = "sentries"
    FIREWALL = "firewall"


@dataclass(frozen=True, slots=True)
class SubjectMention:
    """A person whom an event concerns, by pseudonym."""

    subject: str
    role: SubjectRole


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRecord:
    """One row: the event's envelope and findings without content, and the verdict on it.

    Attributes:
        view: the principal's view; its `findings` are those of the whole event.
        subjects: everyone the event concerns.
    """

    kind: AuditKind
    view: View
    subjects: tuple[SubjectMention, ...]
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardReport:
    """What a guard did on its own: blocked for want of a verdict, saw one come too late, kept a part of an event back.

    Published on the audit topic by the guard, since no worker may be there to do it.
    """

    kind: AuditKind
    event_id: str
    tenant_id: str
    source: str
    agent_id: str
    session_id: str
    occurred_at: Micros
    reason: str
    payload_kind: str
    tool: str | None = None
    waited_ms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadLetter:
    """A record that could not be read. Its payload is left out; its position finds it again."""

    topic: str
    partition: int
    offset: int
    reason: str
    error: str
    size: int
    recorded_at: Micros
    answered: bool = False


class AnchorKind(StrEnum):
    """What an anchor says about a chain."""

    HEAD = "head"
    RETENTION = "retention"


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """The end of one hash chain of the audit, or the end of what retention took off it, signed.

    Attributes:
        kind: `head`: the chain went so far; `retention`: what is up to here was dropped when its time was over.
        topic: the audit topic whose partition the chain is of.
        offset: place in the log of the row.
        number: number of the row in its chain, from 1 on.
        row_hash: its hash, which covers it and, through the row before it, all before it.
        key_id: names the public key: the first 16 hex digits of its SHA-256.
        signature: Ed25519, in Base64.
    """

    kind: AnchorKind
    topic: str
    partition: int
    offset: int
    number: int
    row_hash: str
    signed_at: Micros
    key_id: str
    signature: str

"""Audit records as rows: a pure function from a record and its place in Kafka to values.

Columns are in groups; each group's names stand beside the function that yields its values, and the
row is the concatenation. Nothing here reads a clock, so the same record at the same place is the
same row, however often it is made.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from lawful.schemas.audit import AuditKind, AuditRecord, DeadLetter, GuardReport
from lawful.schemas.history import (
    ActArgument,
    ConsentFact,
    Fact,
    LinkFact,
    MergeFact,
    RequestFact,
    SeenFact,
    WithdrawalFact,
)
from lawful.schemas.verdict import Verdict
from lawful.schemas.view import View

Values = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Partition:
    """One partition of one topic."""

    topic: str
    number: int


@dataclass(frozen=True, slots=True)
class LogPlace:
    """Where the record stands in Kafka, and when the broker appended it (milliseconds)."""

    topic: str
    partition: int
    offset: int
    logged_at: int

    @property
    def values(self) -> Values:
        """In the order of `PLACE`."""
        return (self.topic, self.partition, self.offset, self.logged_at)

    @property
    def day(self) -> int:
        """Days since 1970 (UTC) of the append; rows of one day are in one partition of the table."""
        return self.logged_at // _DAY_MS


@dataclass(frozen=True, slots=True)
class Row:
    """One row to insert.

    Attributes:
        key: what makes it the same row as another: (tenant, event id, kind, digest) in the audit.
        place: where it comes from.
        values: in the order of the table's columns.
        more: columns that records of the bus do not fill, by name.
    """

    key: tuple[Any, ...]
    place: LogPlace
    values: Values
    more: tuple[tuple[str, Any], ...] = ()


PLACE = ("log_topic", "log_partition", "log_offset", "logged_at")
HEAD = ("kind", "tenant_id", "event_id", "payload_kind", "recorded_at", "occurred_at", "skewed", "source", "agent_id")
ENVELOPE = (
    *(
        "agent_version",
        "session_id",
        "task_id",
        "causation_id",
        "traceparent",
        "tool",
        "recipient_kind",
        "recipient_id",
    ),
    *("recipient_region", "deadline_ms", "digest", "event_topic", "event_partition", "event_offset"),
)
PEOPLE = ("view_key", "subject", "role", "part", "parts", "subjects", "roles")
PURPOSES = ("purposes.purpose", "purposes.provenance")
FINDINGS = tuple(
    f"findings.{name}"
    for name in ("path", "start", "end", "category", "detector", "detector_version", "score", "essential", "subject")
)
ACTS = ("acts.name", "acts.arguments")
STATUS = ("status", "status_reason")
FACT = (
    *("fact_kind", "fact_purposes", "fact_all_purposes", "fact_categories", "fact_all_categories", "fact_expires_at"),
    *("fact_re_enrols", "request_kind", "request_id", "link_alias", "link_root"),
)
VIOLATIONS = tuple(
    f"violations.{name}"
    for name in ("rule", "reason", "decision", "message", "subject", "purpose", "category", "article", "evidence")
)
OBLIGATIONS = tuple(f"obligations.{name}" for name in ("path", "start", "end", "action", "category"))
VERDICT = (
    *("decision", *VIOLATIONS, *OBLIGATIONS, "outcome", "exceptions", "policy_id", "policy_version", "policy_digest"),
    *("decided_on.topic", "decided_on.partition", "decided_on.offset"),
)
GUARD = ("guard_reason", "waited_ms")
AUDIT_COLUMNS = (*PLACE, *HEAD, *ENVELOPE, *PEOPLE, *PURPOSES, *FINDINGS, *ACTS, *STATUS, *FACT, *VERDICT, *GUARD)

LETTER_COLUMNS = (*PLACE, "topic", "partition", "offset", "reason", "error", "size", "recorded_at", "answered")

_DAY_MS = 86_400_000
# What DateTime64(6) can hold: 1900-01-01 to 2261-12-31. Producers' clocks may say anything.
_EARLIEST, _LATEST = -2_208_988_800_000_000, 9_214_646_399_999_999
RETENTION = "retention"
"""The kind of the rows that say what was dropped when its time was over."""
_NONE = -1  # decision 'none'
_BLOCK = 3
_GUARD_BLOCKED = frozenset({AuditKind.NO_VERDICT, AuditKind.GUARD_BLOCK})


def process(record: AuditRecord | GuardReport, place: LogPlace) -> Row:
    """The row of an audit record."""
    if isinstance(record, GuardReport):
        return _report(record, place)
    view, verdict = record.view, record.verdict
    values = (
        *place.values,
        *(record.kind, view.tenant_id, view.event_id, view.kind),
        *(_stamp(view.recorded_at), _stamp(view.occurred_at), view.skewed),
        *(view.source, view.agent_id),
        *_envelope(view),
        *(view.key, view.subject or "", view.role, view.part, view.parts),
        *_pivot(record.subjects, _SUBJECT, 2),
        *_pivot(view.purposes, _PURPOSE, len(PURPOSES)),
        *_findings(view),
        *_acts(view),
        *(view.status, view.status_reason),
        *_fact(view.fact),
        *_verdict(verdict),
        *("", 0),
    )
    # With the digest: another event under a used id is refused, and that stands in the audit too.
    return Row((view.tenant_id, view.event_id, str(record.kind), view.digest), place, values, _votes(verdict))


def dead_letter(letter: DeadLetter, place: LogPlace) -> Row:
    """The row of a dead letter, from whichever part of the product."""
    values = (
        *place.values,
        *(letter.topic, letter.partition, letter.offset, letter.reason, letter.error, letter.size),
        *(_stamp(letter.recorded_at), letter.answered),
    )
    return Row((letter.topic, letter.partition, letter.offset), place, values)


def unreadable(place: LogPlace, reason: str, error: str, size: int) -> Row:
    """The row that stands for a record that could not be read; its place finds it again."""
    letter = DeadLetter(
        topic=place.topic,
        partition=place.partition,
        offset=place.offset,
        reason=reason,
        error=error,
        size=size,
        recorded_at=place.logged_at * 1_000,
    )
    return dead_letter(letter, place)


def columns(rows: Sequence[Row]) -> list[Sequence[Any]]:
    """Rows as columns, which is how ClickHouse takes them."""
    return list(zip(*[row.values for row in rows], strict=True))


def _stamp(micros: int) -> int:
    return min(max(micros, _EARLIEST), _LATEST)


def _pivot(items: Iterable[Any], getter: Any, width: int) -> Sequence[Values]:
    return tuple(zip(*map(getter, items), strict=True)) or ((),) * width


_SUBJECT = attrgetter("subject", "role")
_PURPOSE = attrgetter("purpose", "provenance")
_OBLIGATION = attrgetter("path", "start", "end", "action", "category")
_POSITION = attrgetter("topic", "partition", "offset")


def _findings(view: View) -> Sequence[Values]:
    found = [
        (f.path, f.start, f.end, f.category, f.detector, f.detector_version, f.score, f.essential, f.subject or "")
        for f in view.findings
    ]
    return tuple(zip(*found, strict=True)) or ((),) * len(FINDINGS)


def _acts(view: View) -> Sequence[Values]:
    acts = [(act.name, [_argument(each) for each in act.arguments]) for act in view.acts]
    return tuple(zip(*acts, strict=True)) or ((),) * len(ACTS)


def _argument(argument: ActArgument) -> str:
    """A digest, a symbol or a number; empty for what was masked or could not be read."""
    return argument.text or ("" if argument.number is None else str(argument.number))


def _violations(verdict: Verdict) -> Sequence[Values]:
    found = [
        (
            *(v.rule, v.reason, int(v.decision), v.message, v.subject or "", v.purpose or "", v.category or ""),
            *(v.article, v.evidence),
        )
        for v in verdict.violations
    ]
    return tuple(zip(*found, strict=True)) or ((),) * len(VIOLATIONS)


def _envelope(view: View) -> Values:
    recipient = view.recipient
    return (
        *(view.agent_version or "", view.session_id, view.task_id or "", view.causation_id or ""),
        *(view.traceparent or "", view.tool or ""),
        *((recipient.kind, recipient.id, recipient.region or "") if recipient else ("", "", "")),
        *(view.deadline_ms or 0, view.digest, *_POSITION(view.position)),
    )


def _verdict(verdict: Verdict) -> Values:
    return (
        int(verdict.decision),
        *_violations(verdict),
        *_pivot(verdict.obligations, _OBLIGATION, len(OBLIGATIONS)),
        *(verdict.outcome or "", verdict.exceptions, verdict.policy_id, verdict.policy_version, verdict.policy_digest),
        *_pivot(verdict.decided_on, _POSITION, 3),
    )


_VOTE = attrgetter("auditor", "version", "decision.word", "reason", "sentry", "part")
VOTES = tuple(f"votes.{name}" for name in ("auditor", "version", "decision", "reason", "sentry", "part"))


def _votes(verdict: Verdict) -> tuple[tuple[str, Any], ...]:
    """The columns of the votes; most events have none."""
    return tuple(zip(VOTES, _pivot(verdict.votes, _VOTE, len(VOTES)), strict=True)) if verdict.votes else ()


_NO_FACT: Values = ("", (), False, (), False, None, False, "", "", "", "")


def _fact(fact: Fact | None) -> Values:
    """In the order of `FACT`."""
    match fact:
        case ConsentFact():
            return (
                *("consent", fact.purposes, False, fact.categories or (), fact.categories is None),
                *(fact.expires_at and _stamp(fact.expires_at), fact.re_enrols, "", "", "", ""),
            )
        case WithdrawalFact():
            return ("withdrawal", fact.purposes or (), fact.purposes is None, *_NO_FACT[3:])
        case RequestFact():
            return ("request", *_NO_FACT[1:7], fact.kind, fact.request_id, "", "")
        case LinkFact():
            return ("link", *_NO_FACT[1:9], fact.alias, fact.root)
        case MergeFact():
            return ("merge", *_NO_FACT[1:9], fact.alias, "")
        case SeenFact():
            return ("seen", *_NO_FACT[1:])
        case None:
            return _NO_FACT


_NO_LISTS = {
    name: ()
    for name in AUDIT_COLUMNS
    if "." in name or name in {"subjects", "roles", "fact_purposes", "fact_categories", "exceptions"}
}
_NO_NUMBERS = dict.fromkeys(
    ("deadline_ms", "event_partition", "event_offset", "part", "parts", "skewed", "fact_all_purposes"), 0
) | {"fact_all_categories": False, "fact_re_enrols": False, "fact_expires_at": None}


def _report(report: GuardReport, place: LogPlace) -> Row:
    # A guard has no broker time to report; the time at which its report was appended is the next best.
    recorded_at = place.logged_at * 1_000
    known = dict(zip(PLACE, place.values, strict=True)) | {
        "kind": report.kind,
        "tenant_id": report.tenant_id,
        "event_id": report.event_id,
        "payload_kind": report.payload_kind,
        "recorded_at": recorded_at,
        "occurred_at": _stamp(report.occurred_at),
        "source": report.source,
        "agent_id": report.agent_id,
        "session_id": report.session_id,
        "tool": report.tool or "",
        "decision": _BLOCK if report.kind in _GUARD_BLOCKED else _NONE,
        "guard_reason": report.reason,
        "waited_ms": report.waited_ms,
    }
    blank = _NO_LISTS | _NO_NUMBERS | known
    values = tuple(blank.get(name, "") for name in AUDIT_COLUMNS)
    return Row((report.tenant_id, report.event_id, str(report.kind), ""), place, values)


def noted(place: LogPlace, of: str, note: str) -> Row:
    """The row of something that the installation itself did, at its own place in the chain.

    Args:
        place: the chain, and the place in the log that the chain has got to.
        of: what it is about; the same thing is one row.
        note: the signed note.
    """
    recorded_at = place.logged_at * 1_000
    known = dict(zip(PLACE, place.values, strict=True)) | {
        "kind": RETENTION,
        "event_id": of,
        "recorded_at": recorded_at,
        "occurred_at": recorded_at,
        "source": "urn:lawful:retention",
        "decision": _NONE,
        "waited_ms": 0,
    }
    blank = _NO_LISTS | _NO_NUMBERS | known
    values = tuple(blank.get(name, "") for name in AUDIT_COLUMNS)
    return Row(("", of, RETENTION, ""), place, values, (("note", note),))

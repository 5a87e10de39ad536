"""Audit records for tests: made up, complete, and different by number."""

from dataclasses import replace

from lawful.schemas.audit import AuditKind, AuditRecord, DeadLetter, GuardReport, SubjectMention
from lawful.schemas.event import Micros, PayloadKind, Recipient, RecipientKind, RequestKind
from lawful.schemas.history import ConsentFact, Fact, RequestFact, WithdrawalFact
from lawful.schemas.verdict import Action, Decision, Obligation, Outcome, Verdict, Violation
from lawful.schemas.view import Finding, Provenance, PurposeClaim, SourcePosition, SubjectRole, View

T0: Micros = 1_790_000_000_000_000
ANNA, BERT = "a" * 64, "b" * 64


def event_id(number: int) -> str:
    """A UUIDv7-shaped id, growing with the number."""
    return (
        f"0199{number >> 16 & 0xFFFF_FFFF:08x}".replace(" ", "")[:8] + f"-{number & 0xFFFF:04x}-7000-8000-{number:012x}"
    )


def view(number: int, *, subject: str | None = ANNA, at: Micros | None = None, fact: Fact | None = None) -> View:
    """The principal's view of event `number`."""
    recorded_at = T0 + number * 1_000 if at is None else at
    return View(
        event_id=event_id(number),
        tenant_id="acme",
        key=subject or "c" * 64,
        subject=subject,
        role=SubjectRole.PRINCIPAL if subject else SubjectRole.NOBODY,
        part=0,
        parts=1,
        kind=PayloadKind.TOOL_CALL,
        source="urn:test:runtime",
        agent_id="shopper-1",
        session_id=f"session-{number % 7}",
        recorded_at=recorded_at,
        occurred_at=recorded_at - 5_000,
        position=SourcePosition("t.events", 0, number),
        digest="d" * 64,
        tool="send_email",
        recipient=Recipient(RecipientKind.TOOL, "send_email", "eu"),
        purposes=(PurposeClaim("marketing.email", Provenance.TOOL), PurposeClaim("orders", Provenance.DECLARED)),
        findings=(
            Finding(
                "/arguments/to",
                0,
                15,
                "user.contact.email",
                "presidio.email",
                "2.2",
                0.95,
                essential=True,
                subject=subject,
            ),
            Finding("/arguments/body", 4, 9, "user.name", "ner", "3.8.0", 0.85),
        ),
        fact=fact,
    )


def verdict(of: View, decision: Decision = Decision.FORWARD, outcome: Outcome | None = None) -> Verdict:
    """A verdict of this strictness, with the violation and obligation that go with it."""
    broken = Violation(
        rule="P3" if decision is Decision.REDACT else "P1",
        reason="category_not_necessary" if decision is Decision.REDACT else "consent_missing",
        decision=decision,
        message="no consent for marketing.email",
        subject=of.subject,
        purpose="marketing.email",
        category="user.contact.email",
        article="GDPR Art. 6(1)(a)",
        evidence=(event_id(1), event_id(2)),
    )
    duty = Obligation("/arguments/body", 4, 9, Action.REPLACE, "user.name")
    return Verdict(
        event_id=of.event_id,
        tenant_id=of.tenant_id,
        decision=decision,
        violations=() if decision is Decision.FORWARD else (broken,),
        obligations=(duty,) if decision is Decision.REDACT else (),
        outcome=outcome,
        policy_id="shopper",
        policy_version="1.0.0",
        policy_digest="e" * 64,
        decided_on=(SourcePosition("t.annotated", 1, of.position.offset),),
        recorded_at=of.recorded_at,
    )


def audited(
    number: int,
    decision: Decision = Decision.FORWARD,
    *,
    subject: str | None = ANNA,
    at: Micros | None = None,
    fact: Fact | None = None,
    outcome: Outcome | None = None,
) -> AuditRecord:
    """The audit record of event `number`."""
    of = view(number, subject=subject, at=at, fact=fact)
    mentions = (SubjectMention(subject, of.role),) if subject else ()
    return AuditRecord(kind=AuditKind.VERDICT, view=of, subjects=mentions, verdict=verdict(of, decision, outcome))


def _of_kind(record: AuditRecord, kind: PayloadKind) -> AuditRecord:
    return replace(record, view=replace(record.view, kind=kind, purposes=(), findings=()))


def consent(number: int, *purposes: str, expires_at: Micros | None = None, re_enrols: bool = False) -> AuditRecord:
    """Anna consents."""
    fact = ConsentFact(event_id(number), purposes, ("user.contact",), expires_at, re_enrols)
    return _of_kind(audited(number, fact=fact, outcome=Outcome.RECORDED), PayloadKind.CONSENT_GIVEN)


def withdrawal(number: int, *purposes: str) -> AuditRecord:
    """Anna withdraws these, or everything."""
    fact = WithdrawalFact(event_id(number), purposes or None)
    return _of_kind(audited(number, fact=fact, outcome=Outcome.RECORDED), PayloadKind.CONSENT_WITHDRAWN)


def erasure(number: int, outcome: Outcome, subject: str = ANNA) -> AuditRecord:
    """An erasure request and what became of it."""
    fact = RequestFact(event_id(number), RequestKind.ERASURE, f"dsr-{number}")
    return _of_kind(audited(number, subject=subject, fact=fact, outcome=outcome), PayloadKind.DATA_SUBJECT_REQUEST)


def report(number: int, kind: AuditKind = AuditKind.NO_VERDICT) -> GuardReport:
    """A guard's report about event `number`."""
    return GuardReport(
        kind=kind,
        event_id=event_id(number),
        tenant_id="acme",
        source="urn:test:runtime",
        agent_id="shopper-1",
        session_id="session-1",
        occurred_at=T0,
        reason="deadline_passed",
        payload_kind="ToolCall",
        tool="send_email",
        waited_ms=500,
    )


def letter(offset: int) -> DeadLetter:
    """A worker's dead letter."""
    return DeadLetter(
        topic="t.events", partition=0, offset=offset, reason="undecodable", error="truncated", size=12, recorded_at=T0
    )

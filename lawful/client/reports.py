"""What a guard writes down about itself, with nobody's data in it."""

from lawful.schemas.audit import AuditKind, GuardReport
from lawful.schemas.envelope import holds_identifier
from lawful.schemas.event import AgentEvent, Micros, ToolCall, ToolResult

WITHHELD = "withheld"
"""Stands for a string that may hold a personal identifier."""


def report_on(event: AgentEvent, kind: AuditKind, reason: str, at: Micros, waited_ms: int = 0) -> GuardReport:
    """A report about an event.

    Args:
        event: the event that was not, or not in time, answered.
        kind: what happened.
        reason: stable snake_case code, or the name of an exception's class.
        at: when.
        waited_ms: how long the guard waited.
    """

    def clean(text: str) -> str:
        return without_people(text, event)

    payload = event.payload
    return GuardReport(
        kind=kind,
        event_id=clean(event.event_id),
        tenant_id=event.tenant_id,
        source=clean(event.source),
        agent_id=clean(event.agent_id),
        session_id=clean(event.session_id),
        occurred_at=at,
        reason=reason,
        payload_kind=event.kind.value,
        tool=clean(payload.tool) if isinstance(payload, ToolCall | ToolResult) else None,
        waited_ms=waited_ms,
    )


def without_people(text: str, event: AgentEvent) -> str:
    """A string of an event's envelope, withheld if it may hold a personal identifier."""
    known = [identifier.value for identifier in event.subjects]
    return WITHHELD if holds_identifier(text, known) else text

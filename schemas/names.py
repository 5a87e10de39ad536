"""What our fields are called elsewhere: one table, so that adapters and headers never disagree.

Sources: CloudEvents 1.0.2 and its Kafka protocol binding; OpenTelemetry's semantic conventions
for generative AI (status: development); Agent2Agent protocol 1.0 (its `Message` and `Task`);
Model Context Protocol 2025-06-18 (JSON-RPC requests); W3C Trace Context.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from lawful.schemas.event import AgentEvent, Micros

CONTENT_TYPE: Final = "application/avro"
SPEC_VERSION: Final = "1.0"
EVENT_TYPE_PREFIX: Final = "lawful.AgentEvent."


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """One field of an event and its names in other vocabularies; `None` where there is none."""

    field: str
    cloudevents: str | None = None
    otel: str | None = None
    a2a: str | None = None
    mcp: str | None = None


NAMES: Final = (
    Name(field="event_id", cloudevents="id", a2a="message.messageId"),
    Name(field="occurred_at", cloudevents="time"),
    Name(field="source", cloudevents="source"),
    Name(field="kind", cloudevents="type", otel="gen_ai.operation.name"),
    Name(field="traceparent", cloudevents="traceparent", mcp="params._meta.traceparent"),
    Name(field="agent_id", otel="gen_ai.agent.id"),
    Name(field="agent_version", otel="gen_ai.agent.version"),
    Name(field="session_id", otel="gen_ai.conversation.id", a2a="message.contextId", mcp="Mcp-Session-Id"),
    Name(field="task_id", a2a="message.taskId"),
    Name(field="causation_id", a2a="message.referenceTaskIds"),
    Name(field="payload.tool", otel="gen_ai.tool.name", mcp="params.name"),
    Name(field="payload.call_id", otel="gen_ai.tool.call.id", mcp="id"),
    Name(field="payload.arguments", otel="gen_ai.tool.call.arguments", mcp="params.arguments"),
    Name(field="payload.content", otel="gen_ai.tool.call.result", mcp="result.content"),
    Name(field="payload.text", otel="gen_ai.input.messages", a2a="message.parts"),
)
"""Fields of `AgentEvent`; those of its payload are written `payload.<field>`."""


def to_cloudevent_headers(event: AgentEvent) -> list[tuple[str, bytes]]:
    """The headers that make an event's Kafka record a CloudEvent in binary content mode.

    The value stays as it is. Nothing that identifies a person becomes a header: `subject` and
    `partitionkey` are left out on purpose.
    """
    attributes = {
        "specversion": SPEC_VERSION,
        "id": event.event_id,
        "source": event.source,
        "type": EVENT_TYPE_PREFIX + event.kind,
        "time": _rfc3339(event.occurred_at),
        "traceparent": event.traceparent,
    }
    named = [(f"ce_{name}", value.encode()) for name, value in attributes.items() if value is not None]
    return [("content-type", CONTENT_TYPE.encode()), *named]


def _rfc3339(micros: Micros) -> str | None:
    """A time as text; `None` for one that no calendar knows, since an agent's clock may say anything."""
    try:
        time = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=micros)
    except OverflowError:
        return None
    return time.isoformat(timespec="microseconds").replace("+00:00", "Z")

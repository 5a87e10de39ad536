"""AgentLeak's recorded traces: one event a line, or one run's leaky channels a line."""

from typing import Any

from lawful.infra.ingest.fields import fields_of
from lawful.infra.ingest.mint import Mint, micros
from lawful.infra.ingest.report import Report, UnreadableTrace
from lawful.infra.ingest.values import a_text, an_object, as_json, first_text, kind_of, slug
from lawful.schemas.event import (
    AgentEvent,
    AgentMessage,
    AssistantMessage,
    MemoryWrite,
    Payload,
    Recipient,
    RecipientKind,
    ToolCall,
    ToolResult,
)

_NAME = "agentleak"
_NO_EVENTS = ("task_start", "trace_summary")
_EVENT_FIELDS = fields_of(
    used=(
        "event_id",
        "scenario_id",
        "timestamp",
        "event_type",
        "agent_id",
        "tool_name",
        "input_args.**",
        "output_text",
        "source_agent",
        "dest_agent",
        "message_content",
        "memory_section",
        "written_data.**",
    ),
    left_out=(
        "vault_leakage",
        "task_description",
        "model",
        "vault_keys",
        "total_events",
        "leak_channels_detected",
        "leak_channels_NOT_detected",
        "canary_detected",
        "canary_injected",
        "overall_risk",
        "recommendation",
    ),
)
_CHANNEL_FIELDS = fields_of(
    used=(
        "scenario_id",
        *(f"channel_c2.{name}" for name in ("from", "to", "message.**")),
        *(f"channel_c5.{name}" for name in ("agent", "memory_key", "memory_value.**")),
    ),
    left_out=("framework", "agents", "channel_c2.pii_exposed", "channel_c5.pii_exposed"),
)


def is_trace_event(value: dict[str, Any]) -> bool:
    """Whether a document is one event of a trace."""
    return "event_type" in value and "scenario_id" in value


def is_channel_trace(value: dict[str, Any]) -> bool:
    """Whether a document lists a run's channels: C2 messages between agents, C5 memory."""
    return "channel_c2" in value or "channel_c5" in value


def trace_event(value: dict[str, Any], mint: Mint, report: Report) -> list[AgentEvent]:
    """The event of one line; none for a trace's first and last line, which only describe it."""
    _EVENT_FIELDS.account(value, report)
    kind = value.get("event_type")
    if kind in _NO_EVENTS:
        return []
    agent_id = slug(first_text(value, "agent_id", "source_agent") or "agent")
    payload, recipient = _payload(kind, value, agent_id)
    return [
        mint.event(
            payload,
            format_name=_NAME,
            session_id=f"agentleak-{first_text(value, 'scenario_id')}",
            agent_id=agent_id,
            recipient=recipient,
            occurred_at=micros(value.get("timestamp")),
        )
    ]


def _payload(kind: object, value: dict[str, Any], agent_id: str) -> tuple[Payload, Recipient]:
    call_id = first_text(value, "event_id") or "call"
    match kind:
        case "tool_call":
            tool = a_text(value.get("tool_name"), "tool_name")
            call = ToolCall(tool=tool, call_id=call_id, arguments=as_json(value.get("input_args") or {}))
            return call, Recipient(RecipientKind.TOOL, tool)
        case "tool_output":
            tool = a_text(value.get("tool_name"), "tool_name")
            result = ToolResult(tool=tool, call_id=call_id, content=first_text(value, "output_text") or "")
            return result, Recipient(RecipientKind.AGENT, agent_id)
        case "inter_agent_message":
            text = a_text(value.get("message_content"), "message_content")
            return AgentMessage(text), Recipient(RecipientKind.AGENT, slug(first_text(value, "dest_agent") or "agent"))
        case "memory_write":
            section = first_text(value, "memory_section") or "memory"
            written = MemoryWrite(key=section, content=as_json(value.get("written_data") or ""))
            return written, Recipient(RecipientKind.MEMORY, f"{agent_id}/{section}")
        case "final_output":
            return AssistantMessage(a_text(value.get("output_text"), "output_text")), Recipient(
                RecipientKind.USER, "user"
            )
        case _:
            raise UnreadableTrace(f"an event_type that is not known ({kind_of(kind)})")


def channels(value: dict[str, Any], mint: Mint, report: Report) -> list[AgentEvent]:
    """The message between agents (C2) and the memory write (C5) of one run."""
    session_id = f"agentleak-{a_text(value.get('scenario_id'), 'scenario_id')}"
    events = []
    if value.get("channel_c2") is not None:
        message = an_object(value["channel_c2"], "channel_c2")
        recipient = Recipient(RecipientKind.AGENT, slug(first_text(message, "to") or "agent"))
        payload: Payload = AgentMessage(as_json(message.get("message") or ""))
        agent_id = slug(first_text(message, "from") or "agent")
        events.append(
            mint.event(payload, format_name=_NAME, session_id=session_id, agent_id=agent_id, recipient=recipient)
        )
    if value.get("channel_c5") is not None:
        memory = an_object(value["channel_c5"], "channel_c5")
        key = first_text(memory, "memory_key") or "memory"
        agent_id = slug(first_text(memory, "agent") or "agent")
        payload = MemoryWrite(key=key, content=as_json(memory.get("memory_value") or ""))
        recipient = Recipient(RecipientKind.MEMORY, f"{agent_id}/{key}")
        events.append(
            mint.event(payload, format_name=_NAME, session_id=session_id, agent_id=agent_id, recipient=recipient)
        )
    _CHANNEL_FIELDS.account(value, report)
    return events

"""AgentLeak: benchmark scenarios and two kinds of traces of agents that leak.

A scenario becomes what a run of it would process: the user's request as a message and each
record of the private vault as the result of the tool that serves it, about the person whose id
or address the record holds. Traces keep their events: tool calls and outputs, messages between
agents, memory writes, final outputs.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from lawful.infra.ingest.documents import Document
from lawful.infra.ingest.fields import fields_of
from lawful.infra.ingest.leaktraces import channels, is_channel_trace, is_trace_event, trace_event
from lawful.infra.ingest.mint import Mint, micros
from lawful.infra.ingest.report import Report, UnreadableTrace
from lawful.infra.ingest.values import a_list, a_text, an_object, as_json, first_text
from lawful.schemas.event import AgentEvent, Identifier, Recipient, RecipientKind, ToolResult, UserMessage

NAME = "agentleak"
_POLICIES = {"healthcare": "medagent", "finance": "finassist"}
_TOOLS = {
    "patient": ("patient_db",),
    "provider_note": ("patient_db", "lab_results", "appointment_system"),
    "customer": ("account_db", "credit_check"),
    "transaction_dispute": ("dispute_system", "account_db"),
    "legal_case": ("case_db", "document_system"),
    "client_intake": ("conflict_check", "case_db"),
    "employee": ("hr_system", "payroll"),
    "candidate": ("hr_system", "calendar"),
}
_IDENTIFIERS = (
    ("patient_id", "patient_id"),
    ("customer_id", "customer_id"),
    ("client_id", "client_id"),
    ("employee_id", "employee_id"),
    ("candidate_id", "candidate_id"),
    ("email", "email"),
    ("ssn", "ssn"),
    ("client_ssn", "ssn"),
)
_FIELDS = fields_of(
    used=(
        "scenario_id",
        "created_at",
        "vertical",
        "agents[].agent_id",
        "objective.user_request",
        "private_vault.records[].record_type",
        "private_vault.records[].fields.**",
        "tools[].tool_name",
    ),
    left_out=(
        "version",
        "difficulty",
        "tags",
        "agents[].role",
        "agents[].clearance",
        "agents[].system_prompt",
        "objective.success_criteria",
        "objective.privacy_instruction",
        "private_vault.records[].canary_tier",
        "private_vault.records[].sensitivity_weight",
        "allowed_set",
        "tools[].capabilities",
        "tools[].requires_clearance",
        "attack",
        "evaluation",
        "metadata",
    ),
)


def looks_like(value: object) -> bool:
    """Whether a document is a scenario or a trace of AgentLeak."""
    return isinstance(value, dict) and ("private_vault" in value or is_trace_event(value) or is_channel_trace(value))


def parse(documents: Iterable[Document], mint: Mint, report: Report) -> Iterator[AgentEvent]:
    """Events of scenarios and traces, in the order of the file."""
    for document in documents:
        values = document.value if isinstance(document.value, list) else [document.value]
        for value in values:
            try:
                yield from _document(an_object(value, "a scenario"), mint, report)
            except UnreadableTrace as error:
                report.problem(document.place, str(error))


def _document(value: dict[str, Any], mint: Mint, report: Report) -> list[AgentEvent]:
    if is_trace_event(value):
        return trace_event(value, mint, report)
    if is_channel_trace(value):
        return channels(value, mint, report)
    return _scenario(value, mint, report)


def _scenario(scenario: dict[str, Any], mint: Mint, report: Report) -> list[AgentEvent]:
    session_id = a_text(scenario.get("scenario_id"), "scenario_id")
    agents = [an_object(each, "an agent") for each in a_list(scenario.get("agents"), "agents")]
    agent_id = (first_text(agents[0], "agent_id") if agents else None) or "agent"
    envelope: dict[str, Any] = {
        "format_name": NAME,
        "session_id": session_id,
        "task_id": session_id,
        "agent_id": agent_id,
        "recipient": Recipient(RecipientKind.AGENT, agent_id),
        "policy_id": _POLICIES.get(first_text(scenario, "vertical") or ""),
        "occurred_at": micros(scenario.get("created_at")),
    }
    objective = an_object(scenario.get("objective") or {}, "objective")
    vault = an_object(scenario.get("private_vault") or {}, "private_vault")
    events = []
    request = first_text(objective, "user_request")
    if request:
        events.append(mint.event(UserMessage(request), **envelope))
    tools = [tool for each in a_list(scenario.get("tools"), "tools") if (tool := first_text(each, "tool_name"))]
    for number, record in enumerate(a_list(vault.get("records"), "records"), start=1):
        record = an_object(record, "a record")  # noqa: PLW2901 - the same record, now known to be one
        fields = an_object(record.get("fields"), "a record's fields")
        tool = tool_of(first_text(record, "record_type") or "", tools)
        payload = ToolResult(tool=tool, call_id=f"{session_id}-{number}", content=as_json(fields))
        events.append(mint.event(payload, subjects=subjects_of(fields), **envelope))
    _FIELDS.account(scenario, report)
    return events


def tool_of(record_type: str, tools: list[str]) -> str:
    """The scenario's tool that serves such records; where none fits, its first."""
    fitting = [tool for tool in _TOOLS.get(record_type, ()) if tool in tools]
    return (fitting or tools or ["vault"])[0]


def subjects_of(fields: dict[str, Any]) -> tuple[Identifier, ...]:
    """The person whom a record is about, by the first identifier it holds."""
    for name, scheme in _IDENTIFIERS:
        value = first_text(fields, name)
        if value:
            return (Identifier(scheme, value),)
    return ()

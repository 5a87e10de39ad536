"""Messages between agents: any list of sender, recipient and content.

Read as they are found in MAGPIE's negotiation logs (`conversation_log` with `from`, `to`,
`content`, and what each agent noted in its memory) and in the plainer lists that other
frameworks write. A broadcast is one event per recipient: each is an edge of its own.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from lawful.infra.ingest.documents import Document
from lawful.infra.ingest.fields import fields_of
from lawful.infra.ingest.mint import Mint, micros
from lawful.infra.ingest.report import Report, UnreadableTrace
from lawful.infra.ingest.values import a_list, an_object, as_json, first_text, kind_of, slug
from lawful.schemas.event import AgentEvent, AgentMessage, MemoryWrite, Recipient, RecipientKind

NAME = "messages"
SENDERS = ("from", "sender", "source", "source_agent", "agent")
RECIPIENTS = ("to", "recipient", "recipients", "receiver", "target", "dest_agent")
CONTENTS = ("content", "message", "text", "body")
TIMES = ("timestamp", "time", "created_at", "occurred_at")
_LISTS = ("conversation_log", "messages", "log", "conversation")
_MEMORIES = ("main_memory", "temp_memory")
_SESSIONS = ("session_id", "conversation_id", "id", "scenario_id", "scenario_file")

_MESSAGE = (*SENDERS, *RECIPIENTS, *(f"{name}[]" for name in RECIPIENTS), *(f"{name}.**" for name in CONTENTS), *TIMES)
_FIELDS = fields_of(
    used=(
        *(f"{box}[].{name}" for box in _LISTS for name in _MESSAGE),
        *(f"agents[].{box}[].{name}" for box in _MEMORIES for name in ("content.**", *TIMES)),
        "agents[].name",
        *_SESSIONS,
    ),
    left_out=(
        *(f"{box}[].type" for box in _LISTS),
        *(f"agents[].{name}" for name in ("role", "description", "final_proposal_status", "current_proposal")),
        "llm_type",
        "timestamp",
        "scenario_data",
    ),
)


def looks_like(value: object) -> bool:
    """Whether a document is a message between agents, or holds a list of them."""
    if not isinstance(value, dict):
        return False
    if any(name in value for name in SENDERS) and any(name in value for name in CONTENTS):
        return any(name in value for name in RECIPIENTS)
    inner = _messages_of(value)
    return bool(inner) and looks_like(inner[0])


def parse(documents: Iterable[Document], mint: Mint, report: Report) -> Iterator[AgentEvent]:
    """Events of agent-to-agent messages, then of what the agents noted in their memories."""
    for document in documents:
        for log in _logs(document.value):
            try:
                yield from _log(log, document, mint, report)
            except UnreadableTrace as error:
                report.problem(document.place, str(error))


def _logs(value: object) -> list[dict[str, Any]]:
    """A bare list of messages, one message and a full log all as logs."""
    if isinstance(value, list):
        if all(isinstance(each, dict) and _messages_of(each) for each in value):
            return value
        return [{"messages": value}]
    if isinstance(value, dict) and not _messages_of(value):
        return [{"messages": [value], **{name: value[name] for name in _SESSIONS[:2] if name in value}}]
    return [value] if isinstance(value, dict) else [{"messages": [value]}]


def _messages_of(log: dict[str, Any]) -> list[Any]:
    for name in _LISTS:
        if isinstance(log.get(name), list):
            return list(log[name])
    return []


def _log(log: dict[str, Any], document: Document, mint: Mint, report: Report) -> Iterator[AgentEvent]:
    session = first_text(log, *_SESSIONS) or document.place.file
    session_id = f"messages-{slug(session.rsplit('/', 1)[-1])}"
    for number, message in enumerate(_messages_of(log), start=1):
        try:
            yield from _message(an_object(message, "a message"), session_id, mint)
        except UnreadableTrace as error:
            report.problem(document.place, f"message {number}: {error}")
    for agent in a_list(log.get("agents"), "agents"):
        yield from _memories(an_object(agent, "an agent"), session_id, mint)
    _FIELDS.account(log, report)


def _message(message: dict[str, Any], session_id: str, mint: Mint) -> Iterator[AgentEvent]:
    sender = first_text(message, *SENDERS)
    if sender is None:
        raise UnreadableTrace(f"no sender (looked for {', '.join(SENDERS)})")
    content = next((message[name] for name in CONTENTS if message.get(name) is not None), None)
    if content is None:
        raise UnreadableTrace(f"no content (looked for {', '.join(CONTENTS)})")
    for recipient in _recipients(message):
        yield mint.event(
            AgentMessage(as_json(content)),
            format_name=NAME,
            session_id=session_id,
            agent_id=slug(sender),
            recipient=Recipient(RecipientKind.AGENT, slug(recipient)),
            occurred_at=_time(message),
        )


def _recipients(message: dict[str, Any]) -> list[str]:
    for name in RECIPIENTS:
        value = message.get(name)
        if isinstance(value, str) and value:
            return [value]
        if isinstance(value, list) and value:
            if all(isinstance(each, str) and each for each in value):
                return value
            raise UnreadableTrace(f"{name} should name agents, not hold {kind_of(value[0])}")
    return ["everyone"]


def _memories(agent: dict[str, Any], session_id: str, mint: Mint) -> Iterator[AgentEvent]:
    name = slug(first_text(agent, "name", "id", "agent_id") or "agent")
    for box in _MEMORIES:
        for note in a_list(agent.get(box), box):
            note = {"content": note} if isinstance(note, str) else an_object(note, f"an entry of {box}")  # noqa: PLW2901 - the same note, in its full form
            yield mint.event(
                MemoryWrite(key=box, content=as_json(note.get("content"))),
                format_name=NAME,
                session_id=session_id,
                agent_id=name,
                recipient=Recipient(RecipientKind.MEMORY, f"{name}/{box}"),
                occurred_at=_time(note),
            )


def _time(record: dict[str, Any]) -> int | None:
    return next((moment for name in TIMES if (moment := micros(record.get(name))) is not None), None)

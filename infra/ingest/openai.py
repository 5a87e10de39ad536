"""Chat messages with tool calls, as OpenAI's API and everything modelled on it write them.

A list of messages, an object with `messages`, a list of such objects, and the same as JSON
Lines (one message or one conversation a line) are read. System prompts reach a model and may
hold personal data, so they are events too: messages to the model.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from lawful.infra.ingest.documents import Document
from lawful.infra.ingest.fields import fields_of
from lawful.infra.ingest.mint import Mint, micros
from lawful.infra.ingest.report import Report, UnreadableTrace
from lawful.infra.ingest.values import a_list, a_text, an_object, as_json, first_text, kind_of, slug
from lawful.schemas.event import (
    AgentEvent,
    AgentMessage,
    AssistantMessage,
    Identifier,
    Payload,
    Recipient,
    RecipientKind,
    ToolCall,
    ToolResult,
    UserMessage,
)

NAME = "openai"
_ROLES = ("system", "developer", "user", "assistant", "tool", "function")
_SESSIONS = ("session_id", "conversation_id", "thread_id", "id")
# Member names and the schemes they stand for; the packs know a shop's users as customers.
_PEOPLE = {"user_id": "customer_id", "customer_id": "customer_id", "patient_id": "patient_id", "email": "email"}
_MESSAGE_USED = (
    "role",
    "content",
    "content[].type",
    "content[].text",
    "name",
    "tool_call_id",
    "tool_calls[].id",
    "tool_calls[].type",
    "tool_calls[].function.name",
    "tool_calls[].function.arguments.**",
    "function_call.name",
    "function_call.arguments.**",
    "timestamp",
    "created_at",
    *_SESSIONS[:3],
)
_MESSAGE_LEFT_OUT = ("id", "tool_calls[].index", "annotations", "refusal")
_FIELDS = fields_of(
    used=(
        *(f"messages[].{name}" for name in _MESSAGE_USED),
        *_SESSIONS,
        "agent_id",
        "user",
        *_PEOPLE,
        *(f"metadata.{name}" for name in (*_PEOPLE, *_SESSIONS[:3], "agent_id")),
    ),
    left_out=(*(f"messages[].{name}" for name in _MESSAGE_LEFT_OUT), "model", "tools", "parallel_tool_calls"),
)


def looks_like(value: object) -> bool:
    """Whether a document is a chat message or holds a list of them."""
    if isinstance(value, dict):
        return value.get("role") in _ROLES or looks_like(value.get("messages"))
    return isinstance(value, list) and bool(value) and looks_like(value[0])


@dataclass(slots=True)
class _Chat:
    """One conversation while it is read: who, and which tool a call id belongs to."""

    session_id: str
    agent_id: str
    subjects: tuple[Identifier, ...]
    tools: dict[str, str] = field(default_factory=dict)


def parse(documents: Iterable[Document], mint: Mint, report: Report) -> Iterator[AgentEvent]:
    """Events of chat conversations, in the order of the file."""
    chats: dict[str, _Chat] = {}
    for number, document in enumerate(documents, start=1):
        for position, conversation in enumerate(_conversations(document.value), start=1):
            loose = "messages" not in conversation
            holder = {**_envelope_of(conversation), "messages": [conversation]} if loose else conversation
            chat = _chat(holder, "1" if loose else f"{number}-{position}", chats)
            for message, place in _messages(holder, document, report):
                try:
                    yield from _events(message, chat, mint)
                except UnreadableTrace as error:
                    report.problem(document.place, f"{place}: {error}")
            _FIELDS.account(holder, report)


def _messages(holder: dict[str, Any], document: Document, report: Report) -> Iterator[tuple[dict[str, Any], str]]:
    messages = holder["messages"]
    if not isinstance(messages, list):
        report.problem(document.place, f"messages should be a list, not {kind_of(messages)}")
        return
    for number, message in enumerate(messages, start=1):
        if isinstance(message, dict):
            yield message, f"message {number}"
        else:
            report.problem(document.place, f"message {number} should be an object, not {kind_of(message)}")


def _conversations(value: object) -> list[dict[str, Any]]:
    if isinstance(value, list):
        if all(isinstance(each, dict) and "messages" not in each for each in value):
            return [{"messages": value}]
        return [inner for each in value for inner in _conversations(each)]
    return [value] if isinstance(value, dict) else [{"messages": [value]}]


def _envelope_of(message: dict[str, Any]) -> dict[str, Any]:
    return {name: message[name] for name in _SESSIONS[:3] if name in message}


def _chat(holder: dict[str, Any], fallback: str, chats: dict[str, _Chat]) -> _Chat:
    metadata = holder.get("metadata")
    about = {**(metadata if isinstance(metadata, dict) else {}), **holder}
    session_id = f"chat-{first_text(about, *_SESSIONS) or fallback}"
    if session_id not in chats:
        agent_id = slug(first_text(about, "agent_id") or "assistant")
        chats[session_id] = _Chat(session_id, agent_id, _subjects(about))
    return chats[session_id]


def _subjects(about: dict[str, Any]) -> tuple[Identifier, ...]:
    """The end user, as the conversation names them; OpenAI's `user` is an id of theirs."""
    named = [Identifier(scheme, value) for name, scheme in _PEOPLE.items() if (value := first_text(about, name))]
    user = first_text(about, "user")
    if not named and user:
        named = [Identifier("email" if "@" in user else "customer_id", user)]
    return tuple(named[:1])


def _events(message: dict[str, Any], chat: _Chat, mint: Mint) -> Iterator[AgentEvent]:
    for payload, recipient in _payloads(message, chat):
        yield mint.event(
            payload,
            format_name=NAME,
            session_id=chat.session_id,
            agent_id=chat.agent_id,
            recipient=recipient,
            subjects=chat.subjects,
            occurred_at=micros(message.get("timestamp") or message.get("created_at")),
        )


def _payloads(message: dict[str, Any], chat: _Chat) -> Iterator[tuple[Payload, Recipient]]:
    text = _text(message.get("content"))
    agent = Recipient(RecipientKind.AGENT, chat.agent_id)
    match message.get("role"):
        case "system" | "developer":
            if text:
                yield AgentMessage(text), Recipient(RecipientKind.LLM, "model")
        case "user":
            yield UserMessage(text), agent
        case "assistant":
            if text:
                yield AssistantMessage(text), Recipient(RecipientKind.USER, "user")
            yield from _calls(message, chat)
        case "tool" | "function":
            call_id = first_text(message, "tool_call_id", "name") or "call"
            tool = chat.tools.get(call_id) or first_text(message, "name") or "unknown_tool"
            yield ToolResult(tool=tool, call_id=call_id, content=text), agent
        case role:
            known = ", ".join(_ROLES)
            raise UnreadableTrace(f"role should be one of {known}, not {kind_of(role)} of another kind")


def _calls(message: dict[str, Any], chat: _Chat) -> Iterator[tuple[Payload, Recipient]]:
    calls = [an_object(each, "a tool call") for each in a_list(message.get("tool_calls"), "tool_calls")]
    legacy = message.get("function_call")
    if isinstance(legacy, dict):
        calls.append({"id": first_text(legacy, "name"), "function": legacy})
    for call in calls:
        function = an_object(call.get("function"), "a tool call's function")
        tool = a_text(function.get("name"), "a function's name")
        call_id = first_text(call, "id") or tool
        chat.tools[call_id] = tool
        arguments = as_json(function.get("arguments") or {})
        yield ToolCall(tool=tool, call_id=call_id, arguments=arguments), Recipient(RecipientKind.TOOL, tool)


def _text(content: object) -> str:
    """Text of a content field; of its parts, those that are text."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(
            part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str)
        )
    return as_json(content)

"""Foreign traces become events: one test table per format, on made-up traces of each shape."""

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from lawful.infra.ingest import Mint, Report, guess, parse_file
from lawful.schemas.event import (
    AgentEvent,
    AgentMessage,
    AssistantMessage,
    ConsentGiven,
    DataSubjectRequest,
    Identifier,
    MemoryWrite,
    RecipientKind,
    RequestKind,
    ToolCall,
    ToolResult,
    UserMessage,
)

NOW = 1_700_000_000_000_000

CHAT: list[dict[str, object]] = [
    {"role": "system", "content": "Help Ada."},
    {
        "role": "user",
        "content": [{"type": "text", "text": "Where is my order?"}, {"type": "image_url", "image_url": {"url": "x"}}],
    },
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "get_order", "arguments": '{"id": 7}'}}],
    },
    {"role": "tool", "tool_call_id": "c1", "content": '{"state": "sent"}'},
    {"role": "assistant", "content": "It is on its way."},
]
TASK = {
    "id": "3",
    "user_scenario": {
        "instructions": {
            "domain": "retail",
            "reason_for_call": "You want to cancel an order.",
            "known_info": "You are ada_brown_1234.",
            "task_instructions": "Be brief.",
        }
    },
    "evaluation_criteria": {
        "actions": [{"action_id": "3_0", "name": "cancel_order", "arguments": {"order_id": "#W1"}}]
    },
}
LOG = {
    "conversation_log": [
        {"from": "Ada Brown", "to": ["Ben Gray", "Cy"], "timestamp": "2025-01-01T00:00:00", "content": "Hello"},
        {"from": "Ben Gray", "to": "Ada Brown", "content": {"offer": 3}},
    ],
    "agents": [{"name": "Ada Brown", "temp_memory": [{"content": "Ben is late"}], "mood": "fine"}],
}
SCENARIO = {
    "scenario_id": "s1",
    "vertical": "healthcare",
    "agents": [{"agent_id": "A1"}],
    "objective": {"user_request": "Summarise the visit"},
    "private_vault": {
        "records": [
            {"record_type": "patient", "fields": {"patient_id": "PT-1", "ssn": "000-00-0000"}},
            {"record_type": "provider_note", "fields": {"note_id": "N-1"}},
        ]
    },
    "tools": [{"tool_name": "lab_results"}, {"tool_name": "patient_db"}],
}
NATIVE = {
    "session_id": "s",
    "subjects": [{"scheme": "email", "value": "ada@example.com"}],
    "payload": {"kind": "ConsentGiven", "purposes": ["marketing.email"], "expires_at": "2030-01-01T00:00:00Z"},
}


@pytest.fixture
def mint() -> Mint:
    """A mint with counted ids and a clock that stands still."""
    numbers = count()
    return Mint("acme", lambda: f"id-{next(numbers)}", lambda: NOW)


def read(tmp_path: Path, value: object, mint: Mint, report: Report | None = None) -> list[AgentEvent]:
    """Events of a value written as a JSON file, in the format that is guessed."""
    path = tmp_path / "trace.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return list(parse_file(path, guess(path), mint, report or Report()))


def payloads(events: list[AgentEvent]) -> Iterator[object]:
    """The payloads alone."""
    return (event.payload for event in events)


@pytest.mark.parametrize(
    "value", [CHAT, {"messages": CHAT}, [{"messages": CHAT}]], ids=["list", "object", "list of objects"]
)
def test_a_chat_becomes_messages_calls_and_results(tmp_path: Path, mint: Mint, value: object) -> None:
    """System, user, call, result and answer are five events of one session, the call under its tool's name."""
    report = Report()
    events = read(tmp_path, value, mint, report)
    assert list(payloads(events)) == [
        AgentMessage("Help Ada."),
        UserMessage("Where is my order?"),
        ToolCall("get_order", "c1", '{"id": 7}'),
        ToolResult("get_order", "c1", '{"state": "sent"}'),
        AssistantMessage("It is on its way."),
    ]
    assert len({event.session_id for event in events}) == 1
    assert dict(report.unknown) == {"messages[].content[].image_url": 1}


def test_chat_lines_of_one_session_share_its_tool_names(tmp_path: Path, mint: Mint) -> None:
    """With one message a line, a result still finds the tool of the call that an earlier line made."""
    path = tmp_path / "chat.jsonl"
    lines = [json.dumps({**message, "session_id": "x", "user_id": "u1"}) for message in CHAT]
    path.write_text("\n".join(lines), encoding="utf-8")
    events = list(parse_file(path, guess(path), mint, Report()))
    assert [event.payload.tool for event in events if isinstance(event.payload, ToolCall | ToolResult)] == [
        "get_order"
    ] * 2
    assert {event.session_id for event in events} == {"chat-x"}


def test_a_chat_names_its_end_user(tmp_path: Path, mint: Mint) -> None:
    """The conversation's user is the principal of all its events."""
    events = read(tmp_path, {"user": "ada@example.com", "messages": CHAT}, mint)
    assert {event.subjects for event in events} == {(Identifier("email", "ada@example.com"),)}


def test_a_tau2_task_is_a_request_and_its_actions(tmp_path: Path, mint: Mint) -> None:
    """The user's words come first, then the actions as calls, about the user whom the words name."""
    events = read(tmp_path, [TASK], mint)
    assert list(payloads(events)) == [
        UserMessage("You want to cancel an order.\n\nYou are ada_brown_1234."),
        ToolCall("cancel_order", "3_0", '{"order_id":"#W1"}'),
    ]
    assert {event.subjects for event in events} == {(Identifier("customer_id", "ada_brown_1234"),)}
    assert {event.policy_id for event in events} == {"shopper"}


def test_a_broadcast_is_one_event_per_recipient(tmp_path: Path, mint: Mint) -> None:
    """Messages between agents travel one edge each; notes in memory are writes of their agent."""
    report = Report()
    events = read(tmp_path, LOG, mint, report)
    edges = [(event.agent_id, event.recipient.id) for event in events if event.recipient]
    assert edges == [
        ("ada-brown", "ben-gray"),
        ("ada-brown", "cy"),
        ("ben-gray", "ada-brown"),
        ("ada-brown", "ada-brown/temp_memory"),
    ]
    assert events[0].occurred_at == 1_735_689_600_000_000
    assert events[2].payload == AgentMessage('{"offer":3}')
    assert isinstance(events[3].payload, MemoryWrite)
    assert dict(report.unknown) == {"agents[].mood": 1}


def test_agentleak_records_are_results_of_the_tool_that_serves_them(tmp_path: Path, mint: Mint) -> None:
    """Each record of the vault is a tool result about the person whose id it holds."""
    events = read(tmp_path, SCENARIO, mint)
    tools = [event.payload.tool for event in events if isinstance(event.payload, ToolResult)]
    assert tools == ["patient_db", "patient_db"]
    assert [event.subjects for event in events] == [(), (Identifier("patient_id", "PT-1"),), ()]
    assert {event.policy_id for event in events} == {"medagent"}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ({"event_type": "tool_call", "tool_name": "t", "input_args": '{"a":1}'}, ToolCall("t", "e", '{"a":1}')),
        ({"event_type": "tool_output", "tool_name": "t", "output_text": "x"}, ToolResult("t", "e", "x")),
        ({"event_type": "inter_agent_message", "dest_agent": "b", "message_content": "x"}, AgentMessage("x")),
        ({"event_type": "memory_write", "memory_section": "m", "written_data": "x"}, MemoryWrite("m", "x")),
        ({"event_type": "final_output", "output_text": "x"}, AssistantMessage("x")),
    ],
    ids=lambda value: value["event_type"] if isinstance(value, dict) else "",
)
def test_agentleak_traces_keep_their_events(tmp_path: Path, mint: Mint, line: dict[str, str], expected: object) -> None:
    """Every kind of a trace's events has its payload."""
    events = read(tmp_path, {"event_id": "e", "scenario_id": "s", "agent_id": "a", **line}, mint)
    assert list(payloads(events)) == [expected]


def test_agentleak_channels_are_a_message_and_a_memory_write(tmp_path: Path, mint: Mint) -> None:
    """C2 travels between agents, C5 goes to the memory."""
    value = {
        "scenario_id": "H",
        "channel_c2": {"from": "In", "to": "Out", "message": "x"},
        "channel_c5": {"agent": "Out", "memory_key": "k", "memory_value": "y"},
    }
    events = read(tmp_path, value, mint)
    assert list(payloads(events)) == [AgentMessage("x"), MemoryWrite("k", "y")]
    assert [event.recipient.kind for event in events if event.recipient] == [RecipientKind.AGENT, RecipientKind.MEMORY]


def test_our_own_lines_carry_every_field(tmp_path: Path, mint: Mint) -> None:
    """An event in our own words arrives as it was written, with what is missing filled in."""
    (event,) = read(tmp_path, NATIVE, mint)
    assert event.payload == ConsentGiven(("marketing.email",), expires_at=1_893_456_000_000_000)
    assert event.subjects == (Identifier("email", "ada@example.com"),)
    assert (event.tenant_id, event.event_id, event.occurred_at) == ("acme", "id-0", NOW)


def test_an_event_id_in_our_own_lines_is_kept(tmp_path: Path, mint: Mint) -> None:
    """Publishing the same line twice is a retry, not a second event."""
    (event,) = read(tmp_path, {**NATIVE, "event_id": "mine"}, mint)
    assert event.event_id == "mine"


def test_the_operators_policy_and_subject_win(tmp_path: Path) -> None:
    """A policy that is named overrides the format's own; a subject fills in where the trace has none."""
    subject = Identifier("customer_id", "c-9")
    mint = Mint("acme", lambda: "id", lambda: NOW, policy_id="finassist", subject=subject)
    events = read(tmp_path, SCENARIO, mint)
    assert {event.policy_id for event in events} == {"finassist"}
    assert events[0].subjects == (subject,)
    assert events[1].subjects == (Identifier("patient_id", "PT-1"),)


@pytest.mark.parametrize(
    "payload",
    [
        {"kind": "DataSubjectRequest", "request": "erasure", "request_id": "r"},
        {"DataSubjectRequest": {"kind": "erasure", "request_id": "r"}},
    ],
    ids=["ours", "as Avro's JSON"],
)
def test_a_request_has_a_kind_of_its_own(tmp_path: Path, mint: Mint, payload: object) -> None:
    """Both ways of naming a payload's kind can say what is requested."""
    (event,) = read(tmp_path, {"payload": payload}, mint)
    assert event.payload == DataSubjectRequest(RequestKind.ERASURE, "r")

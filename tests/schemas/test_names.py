"""Our fields' names elsewhere, and the CloudEvents headers."""

from dataclasses import fields, replace
from typing import get_args

from lawful.schemas.event import AgentEvent, Payload
from lawful.schemas.names import NAMES, to_cloudevent_headers
from tests.schemas.samples import EVENT, SECRET


def test_every_field_in_the_table_exists() -> None:
    """The table speaks of fields that are there, each once."""
    own = {field.name for field in fields(AgentEvent)} | {"kind"}
    payload = {f"payload.{field.name}" for branch in get_args(Payload) for field in fields(branch)}
    named = [name.field for name in NAMES]
    assert set(named) <= own | payload
    assert len(named) == len(set(named))


def test_no_foreign_name_stands_for_two_fields() -> None:
    """Within one vocabulary a name means one thing."""
    for vocabulary in ("cloudevents", "otel", "a2a", "mcp"):
        used = [getattr(name, vocabulary) for name in NAMES if getattr(name, vocabulary)]
        assert len(used) == len(set(used))
        assert used


def test_the_names_of_the_standards_are_there() -> None:
    """The names that the design promises."""
    found = {name.field: name for name in NAMES}
    assert found["agent_id"].otel == "gen_ai.agent.id"
    assert found["session_id"].otel == "gen_ai.conversation.id"
    assert found["payload.call_id"].otel == "gen_ai.tool.call.id"
    assert found["event_id"].cloudevents == "id"
    assert found["task_id"].a2a == "message.taskId"
    assert found["payload.tool"].mcp == "params.name"


def test_an_events_record_is_a_cloudevent_in_binary_mode() -> None:
    """Required attributes become headers with the prefix ce_, the media type becomes content-type."""
    assert dict(to_cloudevent_headers(EVENT)) == {
        "content-type": b"application/avro",
        "ce_specversion": b"1.0",
        "ce_id": EVENT.event_id.encode(),
        "ce_source": b"urn:runtime:1",
        "ce_type": b"lawful.AgentEvent.ToolCall",
        "ce_time": b"2023-11-14T22:13:20.123456Z",
    }


def test_the_trace_travels_along_and_the_subject_does_not() -> None:
    """No header identifies a person."""
    headers = dict(to_cloudevent_headers(replace(EVENT, traceparent="00-" + "a" * 32 + "-" + "b" * 16 + "-01")))
    assert headers["ce_traceparent"].startswith(b"00-aaaa")
    assert not any(SECRET.encode() in value for value in headers.values())


def test_times_are_exact_to_the_microsecond() -> None:
    """Floating point takes nothing away, also before 1970 and far in the future."""
    for micros, text in [
        (1_700_000_000_000_001, b"2023-11-14T22:13:20.000001Z"),
        (-1, b"1969-12-31T23:59:59.999999Z"),
        (253_402_300_799_999_999, b"9999-12-31T23:59:59.999999Z"),
    ]:
        assert dict(to_cloudevent_headers(replace(EVENT, occurred_at=micros)))["ce_time"] == text


def test_a_time_that_no_calendar_knows_is_left_out() -> None:
    """An agent's clock may say anything; the event is still sent."""
    assert "ce_time" not in dict(to_cloudevent_headers(replace(EVENT, occurred_at=2**62)))

"""OpenTelemetry: spans of agents without an adapter become judged and audited events."""

import json

import pytest
from opentelemetry.sdk.trace import TracerProvider

from lawful.adapters.otel import GenAISpans, payloads
from lawful.schemas.audit import AuditRecord
from lawful.schemas.event import AssistantMessage, ToolCall, ToolResult, UserMessage
from lawful.schemas.verdict import Verdict
from tests.adapters.conftest import Office
from tests.adapters.tools import NOTE, WHO
from tests.engines import eventually

MESSAGES = [{"role": "user", "parts": [{"type": "text", "content": text}]} for text in ("before", "hello")]


def test_a_tools_span_is_a_call_and_a_result() -> None:
    """In this order, as JSON."""
    told = {
        "gen_ai.tool.name": "find_order",
        "gen_ai.tool.call.id": "7",
        "gen_ai.tool.call.arguments": '{"note": "x"}',
        "gen_ai.tool.call.result": "1 order",
    }
    assert list(payloads(told)) == [
        ToolCall("find_order", "7", '{"note": "x"}'),
        ToolResult("find_order", "7", "1 order"),
    ]


def test_a_chats_span_is_what_was_asked_last_and_what_was_said() -> None:
    """Earlier messages of the conversation were in earlier spans."""
    said = [{"role": "assistant", "parts": [{"type": "text", "content": "hi"}], "finish_reason": "stop"}]
    told = {"gen_ai.input.messages": json.dumps(MESSAGES), "gen_ai.output.messages": json.dumps(said)}
    assert list(payloads(told)) == [UserMessage("hello"), AssistantMessage("hi")]


def test_spans_are_judged_and_audited_under_their_own_agent_and_trace(office: Office) -> None:
    """Nothing is stopped: a span tells what has happened."""
    provider = TracerProvider()
    provider.add_span_processor(GenAISpans(office.guard(), subject=lambda _: WHO))
    with provider.get_tracer("t").start_as_current_span("execute_tool find_order") as span:
        span.set_attributes(
            {"gen_ai.tool.name": "send_mail", "gen_ai.agent.id": "mailer", "gen_ai.conversation.id": "c"}
        )
        span.set_attribute("gen_ai.tool.call.arguments", json.dumps({"note": WHO.value}))
    with provider.get_tracer("t").start_as_current_span("http"):
        pass
    (row,) = eventually(lambda: [row for row in office.rows if isinstance(row, AuditRecord)])
    assert (row.view.agent_id, row.view.session_id, row.verdict.decision.name) == ("mailer", "c", "BLOCK")
    context = span.get_span_context()
    assert row.view.traceparent == f"00-{context.trace_id:032x}-{context.span_id:016x}-{int(context.trace_flags):02x}"


def test_who_wants_to_hear_of_verdicts_hears_of_each(office: Office, caplog: pytest.LogCaptureFixture) -> None:
    """One who fails at it harms nobody, and is told of without its own words."""
    heard: list[Verdict] = []

    def fail(verdict: Verdict) -> None:
        heard.append(verdict)
        raise ValueError(NOTE)

    for hear in (heard.append, fail):
        provider = TracerProvider()
        provider.add_span_processor(GenAISpans(office.guard(), subject=lambda _: WHO, heard=hear))
        with provider.get_tracer("t").start_as_current_span("execute_tool send_mail") as span:
            span.set_attributes({"gen_ai.tool.name": "send_mail", "gen_ai.agent.id": "mailer"})
    eventually(lambda: len(heard) == 2 and "ValueError" in caplog.text)
    assert {verdict.decision.name for verdict in heard} == {"FORWARD"}
    assert NOTE not in caplog.text


def test_an_application_does_not_fail_with_its_telemetry(office: Office) -> None:
    """Attributes that are no messages are told by the kind of error, not by their text."""
    provider = TracerProvider()
    provider.add_span_processor(GenAISpans(office.guard()))
    with provider.get_tracer("t").start_as_current_span("chat") as span:
        span.set_attribute("gen_ai.input.messages", f"[{NOTE}")
    assert office.rows == []

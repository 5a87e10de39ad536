"""OpenAI Agents SDK: function tools and guardrails, with a scripted model in place of the provider's."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from agents import (
    Agent,
    InputGuardrailTripwireTriggered,
    Model,
    ModelResponse,
    OutputGuardrailTripwireTriggered,
    RunConfig,
    Runner,
    Usage,
    WebSearchTool,
    function_tool,
)
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from lawful.adapters.openai_agents import ends, guarded
from lawful.client import AsyncGuard
from tests.adapters.conftest import Office
from tests.adapters.tools import NOTE, SEEN, WHO, Desk


class Scripted(Model):
    """Asks for one tool call, then repeats what it read."""

    def __init__(self, tool: str, arguments: str, said: str | None = None) -> None:
        self.call = ResponseFunctionToolCall(arguments=arguments, call_id="1", name=tool, type="function_call")
        self.said = said
        self.read: list[str] = []

    async def get_response(self, *_: Any, **asked: Any) -> ModelResponse:
        """One turn."""
        given = asked["input"]
        outputs = [] if isinstance(given, str) else [one for one in given if one.get("type") == "function_call_output"]
        if not outputs and self.said is None:
            return ModelResponse(output=[self.call], usage=Usage(), response_id=None)
        self.read += [str(one["output"]) for one in outputs]
        text = ResponseOutputText(text=self.said or "done", type="output_text", annotations=[])
        message = ResponseOutputMessage(id="1", content=[text], role="assistant", status="completed", type="message")
        return ModelResponse(output=[message], usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> AsyncIterator[Any]:
        """Not asked for here."""
        raise NotImplementedError


async def run(model: Scripted, guard: AsyncGuard, desk: Desk, said: str = "hello", **more: Any) -> Any:
    """One run of an agent with both tools, about one person."""
    tools = guarded(guard, [function_tool(desk.find_order), function_tool(desk.send_mail)])
    agent = Agent(name="bot", model=model, tools=list(tools), **more)
    with guard.session(subject=WHO):
        return await Runner.run(agent, said, run_config=RunConfig(tracing_disabled=True))


async def test_a_call_runs_redacted_and_its_result_is_seen_redacted(office: Office) -> None:
    """The tool gets what may be passed, the model reads what may be seen."""
    model, desk = Scripted("find_order", f'{{"note": "{NOTE}"}}'), Desk()
    await run(model, office.async_guard(), desk)
    assert (desk.got, model.read) == ([SEEN], [f"1 order; {SEEN}"])


async def test_a_warning_changes_nothing(office: Office) -> None:
    """What is warned of passes as it is."""
    model, desk = Scripted("find_order", f'{{"note": "{NOTE}"}}'), Desk()
    await run(model, office.async_guard("lenient"), desk)
    assert (desk.got, model.read) == ([NOTE], [f"1 order; {NOTE}"])


async def test_a_blocked_call_is_an_output_that_the_model_reads(office: Office) -> None:
    """The tool does not run; the output says why."""
    model, desk = Scripted("send_mail", f'{{"note": "{WHO.value}"}}'), Desk()
    await run(model, office.async_guard(), desk)
    assert desk.got == []
    assert "consent_missing" in model.read[0]


async def test_no_verdict_in_time_is_a_block(async_silent: AsyncGuard) -> None:
    """Without an answer nothing runs."""
    model, desk = Scripted("find_order", '{"note": "x"}'), Desk()
    await run(model, async_silent, desk)
    assert desk.got == []
    assert "no_verdict" in model.read[0]


async def test_what_would_have_to_be_redacted_trips_the_guardrails(office: Office) -> None:
    """A guardrail can only stop."""
    guard = office.async_guard()
    with pytest.raises(InputGuardrailTripwireTriggered) as said:
        await run(Scripted("find_order", "{}"), guard, Desk(), NOTE, **ends(guard))
    with pytest.raises(OutputGuardrailTripwireTriggered) as answered:
        await run(Scripted("find_order", "{}", said=NOTE), guard, Desk(), **ends(guard))
    for stopped in (said.value.guardrail_result, answered.value.guardrail_result):
        assert stopped.output.output_info == {"reasons": ["redaction_needed"]}


async def test_what_may_be_said_and_answered_passes_the_guardrails(office: Office) -> None:
    """The run ends with the model's words."""
    guard = office.async_guard()
    done = await run(Scripted("find_order", "{}", said="hello"), guard, Desk(), **ends(guard))
    assert done.final_output == "hello"


def test_a_tool_that_runs_at_the_provider_is_refused(office: Office) -> None:
    """What no guard can reach is not said to be guarded."""
    with pytest.raises(TypeError, match="out of the guard's reach"):
        guarded(office.async_guard(), [WebSearchTool()])  # type: ignore[list-item]

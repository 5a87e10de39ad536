"""OpenAI Agents SDK: function tools and the two ends of a run go through the guard.

```python
agent = Agent(name="shop", tools=guarded(guard, tools), **ends(guard))
```

A blocked call becomes the tool's output, which the model reads; a redacted one runs with what may be
passed. A guardrail of that SDK can only stop, not change: what would have to be redacted trips it.
"""

import copy
import json
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, TypedDict

from agents import Agent, FunctionTool, GuardrailFunctionOutput, InputGuardrail, OutputGuardrail, RunContextWrapper
from agents.items import TResponseInputItem
from agents.tool_context import ToolContext

from lawful.client import AsyncGuard, Blocked, Tool, ToolFailed
from lawful.client.base import to_json


class Ends(TypedDict):
    """Keyword arguments of `Agent`."""

    input_guardrails: list[InputGuardrail[Any]]
    output_guardrails: list[OutputGuardrail[Any]]


def guarded(guard: AsyncGuard, tools: Iterable[FunctionTool]) -> list[FunctionTool]:
    """The same tools; each call is judged in the session around the run.

    Hosted tools (web search, computer use) run at the provider, out of any guard's reach: they are
    refused by the type.
    """
    return [_guarded(guard, tool) for tool in tools]


def ends(guard: AsyncGuard) -> Ends:
    """Guardrails for what the user says and for what the agent answers.

    What may not pass as it is raises `InputGuardrailTripwireTriggered` or
    `OutputGuardrailTripwireTriggered`; `output_info` holds the reasons.
    """

    async def said(
        _: RunContextWrapper[Any], __: Agent[Any], given: str | list[TResponseInputItem]
    ) -> GuardrailFunctionOutput:
        text = given if isinstance(given, str) else to_json(given)
        return await _unchanged(guard.current().user, text)

    async def answered(_: RunContextWrapper[Any], __: Agent[Any], output: Any) -> GuardrailFunctionOutput:
        text = output if isinstance(output, str) else to_json(_plain(output))
        return await _unchanged(guard.current().assistant, text)

    return {
        "input_guardrails": [InputGuardrail(said, name="lawful", run_in_parallel=False)],
        "output_guardrails": [OutputGuardrail(answered, name="lawful")],
    }


def _guarded(guard: AsyncGuard, tool: FunctionTool) -> FunctionTool:
    if not isinstance(tool, FunctionTool):
        raise TypeError(f"{type(tool).__name__} runs out of the guard's reach; only function tools can be guarded")
    invoke = tool.on_invoke_tool
    known = Tool(tool.name, schema=tool.params_json_schema)

    async def judged(context: ToolContext[Any], raw: str) -> Any:
        async def run(**passed: Any) -> Any:
            return await invoke(context, to_json(passed))

        try:
            return await guard.current().call(known, run, **_arguments(raw))
        except (Blocked, ToolFailed) as stopped:
            return str(stopped)

    twin = copy.copy(tool)
    twin.on_invoke_tool = judged
    return twin


def _arguments(raw: str) -> dict[str, Any]:
    arguments = json.loads(raw) if raw else {}
    if not isinstance(arguments, dict):
        raise TypeError("a tool's arguments are a JSON object")
    return arguments


async def _unchanged(channel: Callable[[str], Awaitable[str]], text: str) -> GuardrailFunctionOutput:
    try:
        passes = await channel(text) == text
        return GuardrailFunctionOutput(
            {"reasons": [] if passes else ["redaction_needed"]}, tripwire_triggered=not passes
        )
    except Blocked as blocked:
        return GuardrailFunctionOutput({"reasons": list(blocked.reasons)}, tripwire_triggered=True)


def _plain(output: Any) -> Any:
    """A structured output as JSON knows it."""
    dump = getattr(output, "model_dump", None)
    return dump(mode="json") if dump else output

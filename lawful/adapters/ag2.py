"""AG2: tool calls, what the user says and what the agent answers go through the guard.

```python
agent = Agent("shop", config=config, tools=tools, middleware=[guarded(guard)])
```

A blocked call becomes a tool error that the model reads, a blocked message the agent's answer. Chunks of
a streamed answer leave before the answer is judged: do not stream to whom may not see all of it.
"""

import copy
from collections.abc import Sequence
from typing import Any, Final

from ag2.annotations import Context
from ag2.events import BaseEvent, ClientToolCallEvent, ModelRequest, ModelResponse, ToolCallEvent, ToolErrorEvent
from ag2.events.input_events import DataInput, Input, TextInput
from ag2.events.tool_events import ToolResult
from ag2.events.types import ModelMessage
from ag2.middleware.base import AgentTurn, BaseMiddleware, Middleware, ToolExecution, ToolResultType

from lawful.client import AsyncGuard, Blocked, Tool, ToolFailed
from lawful.client.base import to_json

_UNREADABLE: Final = object()  # no JSON, so the session blocks it


def guarded(guard: AsyncGuard) -> Middleware:
    """Middleware of an agent whose turns are judged in the session around them."""
    return Middleware(GuardMiddleware, guard=guard)


class GuardMiddleware(BaseMiddleware):
    """One turn, the guard in between. Get it by `guarded`."""

    def __init__(self, event: BaseEvent, context: Context, *, guard: AsyncGuard) -> None:
        super().__init__(event, context)
        self._guard = guard

    async def on_turn(self, call_next: AgentTurn, event: BaseEvent, context: Context) -> ModelResponse:
        """Judges what comes in and what goes out."""
        session = self._guard.current()
        try:
            if isinstance(event, ModelRequest):
                event = ModelRequest([await self._seen(part) for part in event.parts])
            response = await call_next(event, context)
            if response.message is None or not response.message.content:
                return response
            said = response.message.content
            seen = await session.assistant(said)
        except Blocked as blocked:
            return ModelResponse(ModelMessage(str(blocked)))
        return response if seen == said else _with_text(response, seen)

    async def on_tool_execution(
        self, call_next: ToolExecution, event: ToolCallEvent, context: Context
    ) -> ToolResultType:
        """Judges a call and its result."""
        got: list[ToolResultType] = []

        async def run(**passed: Any) -> Any:
            got.append(await call_next(_with_arguments(event, passed), context))
            return _content(got[0])

        try:
            seen = await self._guard.current().call(Tool(event.name), run, **event.serialized_arguments)
        except (Blocked, ToolFailed) as stopped:
            return ToolErrorEvent(parent_id=event.id, name=event.name, error=stopped, result=ToolResult(str(stopped)))
        return _with_content(got[0], seen)

    async def _seen(self, part: Input) -> Input:
        if isinstance(part, TextInput):
            return TextInput(await self._guard.current().user(part.content), metadata=part.metadata)
        if isinstance(part, DataInput):
            text = part.data if isinstance(part.data, str) else to_json(part.data)
            return TextInput(await self._guard.current().user(text), metadata=part.metadata)
        return part  # a picture or a file: events of this kind have no words to be judged


def _with_arguments(event: ToolCallEvent, passed: dict[str, Any]) -> ToolCallEvent:
    call = copy.copy(event)
    call.arguments = to_json(passed)
    call.serialized_arguments = passed
    return call


def _content(result: ToolResultType) -> Any:
    """What of a result the model would see; a call that the client runs has none yet."""
    if isinstance(result, ClientToolCallEvent):
        return ""
    parts = [_plain(part) for part in result.result.parts]
    return parts[0] if len(parts) == 1 else parts


def _plain(part: Input) -> Any:
    match part:
        case TextInput():
            return part.content
        case DataInput():
            return part.data
        case _:
            return _UNREADABLE


def _with_content(result: ToolResultType, seen: Any) -> ToolResultType:
    """The result with what may be seen."""
    if isinstance(result, ClientToolCallEvent) or seen == _content(result):
        return result
    parts: Sequence[Any] = seen if isinstance(seen, list) and len(result.result.parts) != 1 else [seen]
    twin = copy.copy(result)
    twin.result = ToolResult(*parts, final=result.result.final)
    return twin


def _with_text(response: ModelResponse, text: str) -> ModelResponse:
    twin = copy.copy(response)
    twin.message = ModelMessage(text)
    return twin

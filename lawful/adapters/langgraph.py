"""LangGraph: what a `ToolNode` runs goes through the guard.

```python
node = ToolNode(tools, **guarded(guard))
```

A blocked call becomes an error message that the model reads, a redacted one runs with what may be
passed, and the model sees of a result what it may see. With `ask_human`, a blocked call interrupts the
graph: whoever resumes it may hand in other arguments, which are judged like any others.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, Required, TypedDict

from langchain_core.messages import ToolCall, ToolMessage
from langchain_core.tools import BaseTool
from langgraph.errors import GraphBubbleUp
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import interrupt

from lawful.client import AsyncGuard, Blocked, Guard, Tool, ToolFailed

Wrapper = Callable[[ToolCallRequest, Callable[[ToolCallRequest], Any]], ToolMessage]
AsyncWrapper = Callable[[ToolCallRequest, Callable[[ToolCallRequest], Awaitable[Any]]], Awaitable[ToolMessage]]

_UNREADABLE: Final = object()  # no JSON, so the session blocks it


class Wrappers(TypedDict, total=False):
    """Keyword arguments of `ToolNode`."""

    wrap_tool_call: Required[Wrapper]
    awrap_tool_call: AsyncWrapper


def guarded(guard: Guard | AsyncGuard, *, ask_human: bool = False) -> Wrappers:
    """Keyword arguments for a `ToolNode`, so that its calls are judged in the session around the graph's run.

    Args:
        guard: an `AsyncGuard` where the graph is run by `ainvoke` or `astream`; run by `invoke`, it blocks.
        ask_human: interrupt the graph on a block (it needs a checkpointer). The interrupt's value is
            `{"tool", "reasons", "message"}`; resume with `Command(resume={"arguments": {...}})` to try
            others, or with anything else to leave it blocked.
    """
    if isinstance(guard, Guard):
        return {"wrap_tool_call": _wrapper(guard, ask_human=ask_human)}
    return {"wrap_tool_call": _only_awaited, "awrap_tool_call": _async_wrapper(guard, ask_human=ask_human)}


def _wrapper(guard: Guard, *, ask_human: bool) -> Wrapper:
    def wrap(request: ToolCallRequest, execute: Callable[[ToolCallRequest], Any]) -> ToolMessage:
        arguments: Mapping[str, Any] = request.tool_call["args"]
        while True:
            once = _Once(request)

            def run(once: _Once = once, **passed: Any) -> Any:
                try:
                    return once.keep(execute(once.with_arguments(passed)))
                except GraphBubbleUp as bubble:
                    return once.interrupted(bubble)

            try:
                return once.answer(guard.current().call(_tool(request), run, **arguments))
            except (Blocked, ToolFailed) as stopped:
                found = _asked(stopped, request) if ask_human else None
                if found is None:
                    return _refusal(stopped, request)
                arguments = found

    return wrap


def _async_wrapper(guard: AsyncGuard, *, ask_human: bool) -> AsyncWrapper:
    async def wrap(request: ToolCallRequest, execute: Callable[[ToolCallRequest], Awaitable[Any]]) -> ToolMessage:
        arguments: Mapping[str, Any] = request.tool_call["args"]
        while True:
            once = _Once(request)

            async def run(once: _Once = once, **passed: Any) -> Any:
                try:
                    return once.keep(await execute(once.with_arguments(passed)))
                except GraphBubbleUp as bubble:
                    return once.interrupted(bubble)

            try:
                return once.answer(await guard.current().call(_tool(request), run, **arguments))
            except (Blocked, ToolFailed) as stopped:
                found = _asked(stopped, request) if ask_human else None
                if found is None:
                    return _refusal(stopped, request)
                arguments = found

    return wrap


class _Once:
    """One execution of a call: what came of it, and what of that is judged."""

    def __init__(self, request: ToolCallRequest) -> None:
        self._request = request
        self._message: ToolMessage | None = None
        self._bubble: GraphBubbleUp | None = None

    def with_arguments(self, passed: Mapping[str, Any]) -> ToolCallRequest:
        """The request with what may be passed."""
        call: ToolCall = {**self._request.tool_call, "args": dict(passed)}
        return self._request.override(tool_call=call)

    def keep(self, got: Any) -> Any:
        """Keeps what the tool gave; returns what of it the model would see. A `Command` cannot be judged."""
        if not isinstance(got, ToolMessage):
            return _UNREADABLE
        self._message = got
        return got.content

    def interrupted(self, bubble: GraphBubbleUp) -> str:
        """Keeps what the tool itself asks of the graph; there is no result to be judged."""
        self._bubble = bubble
        return ""

    def answer(self, seen: Any) -> ToolMessage:
        """The message as it may be seen; the artifact beside it, which nobody judged, only if nothing was hidden."""
        if self._bubble is not None:
            raise self._bubble
        if self._message is None:
            raise TypeError("the tool gave no message")
        if seen == self._message.content:
            return self._message
        return self._message.model_copy(update={"content": seen, "artifact": None})


def _only_awaited(request: ToolCallRequest, _: Callable[[ToolCallRequest], Any]) -> ToolMessage:
    """Stands where a graph that must be awaited is not: without a verdict, nothing runs."""
    return _message("blocked: this graph's guard is asynchronous, run the graph by ainvoke or astream", request)


def _asked(stopped: Exception, request: ToolCallRequest) -> dict[str, Any] | None:
    """Other arguments, if somebody gives some."""
    reasons = list(stopped.reasons) if isinstance(stopped, Blocked) else []
    told = {"tool": request.tool_call["name"], "reasons": reasons, "message": str(stopped)}
    answer = interrupt(told)
    arguments = answer.get("arguments") if isinstance(answer, Mapping) else None
    return dict(arguments) if isinstance(arguments, Mapping) else None


def _refusal(stopped: Exception, request: ToolCallRequest) -> ToolMessage:
    return _message(str(stopped), request)


def _message(text: str, request: ToolCallRequest) -> ToolMessage:
    call = request.tool_call
    return ToolMessage(text, name=call["name"], tool_call_id=call["id"] or "", status="error")


def _tool(request: ToolCallRequest) -> Tool:
    return Tool(request.tool_call["name"], schema=_schema(request.tool))


def _schema(tool: BaseTool | None) -> Mapping[str, Any] | None:
    schema = None if tool is None else tool.tool_call_schema
    if isinstance(schema, Mapping) or schema is None:
        return schema
    describe = getattr(schema, "model_json_schema", schema.schema)  # a class of pydantic's, of either major version
    found: Mapping[str, Any] = describe()
    return found

"""Model Context Protocol: tool calls go through the guard, at the client or at the server.

```python
server = MCPServer("shop", extensions=[ServerGuard(guard)])   # whoever calls
tools = guarded(client, guard)                                # whatever is called
```

A blocked call is a result with `is_error`, which the model reads. Resources and prompts that a client
reads are judged too, as the tools `resources/read` and `prompts/get`: a policy has to list them.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from mcp.client import Client
from mcp.client.session import ClientSession
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.extension import Extension
from mcp.types import CallToolRequestParams, CallToolResult, TextContent

from lawful.client import AsyncGuard, Blocked, Tool, ToolFailed

READ_RESOURCE: Final = "resources/read"
GET_PROMPT: Final = "prompts/get"


class ServerGuard(Extension):
    """Has every `tools/call` of an `MCPServer` judged in the session around it, or in one of nobody known."""

    identifier = "dev.lawful/guard"

    def __init__(self, guard: AsyncGuard) -> None:
        self._guard = guard

    async def intercept_tool_call(
        self, params: CallToolRequestParams, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        """Judges a call before the server's tool runs, and its result before it leaves."""

        async def run(passed: dict[str, Any]) -> Any:
            params.arguments = passed  # the handler is called with this very object
            return await call_next(ctx)

        result: HandlerResult = await _judged(self._guard, params.name, params.arguments, run)
        return result


class GuardedClient:
    """An MCP client whose calls are judged in the session around them; all else is the client's own."""

    def __init__(self, client: Client | ClientSession, guard: AsyncGuard) -> None:
        self._client = client
        self._guard = guard

    async def call_tool(self, name: str, arguments: dict[str, Any] | None = None, **options: Any) -> Any:
        """As the client's own, with what may be passed and what may be seen."""

        async def run(passed: dict[str, Any]) -> Any:
            return await self._client.call_tool(name, passed, **options)

        return await _judged(self._guard, name, arguments, run)

    async def read_resource(self, uri: str, **options: Any) -> Any:
        """As the client's own, with what may be seen.

        Raises:
            Blocked: it may not be read.
        """

        async def run(passed: dict[str, Any]) -> Any:
            return await self._client.read_resource(passed["uri"], **options)

        return await _called(self._guard, READ_RESOURCE, {"uri": str(uri)}, run)

    async def get_prompt(self, name: str, arguments: dict[str, str] | None = None, **options: Any) -> Any:
        """As the client's own, with what may be passed and what may be seen.

        Raises:
            Blocked: it may not be asked for, or not be seen.
        """

        async def run(passed: dict[str, Any]) -> Any:
            return await self._client.get_prompt(passed["name"], passed["arguments"], **options)

        return await _called(self._guard, GET_PROMPT, {"name": name, "arguments": arguments}, run)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)


def guarded(client: Client | ClientSession, guard: AsyncGuard) -> GuardedClient:
    """The same client; what it calls and reads is judged in the session around it."""
    return GuardedClient(client, guard)


Run = Callable[[dict[str, Any]], Awaitable[Any]]


async def _judged(guard: AsyncGuard, name: str, arguments: Mapping[str, Any] | None, run: Run) -> Any:
    """A tool's result as it may be seen; a stop is a result too."""
    try:
        return await _called(guard, name, arguments or {}, run)
    except (Blocked, ToolFailed) as stopped:
        return CallToolResult(content=[TextContent(text=str(stopped))], is_error=True)


async def _called(guard: AsyncGuard, name: str, arguments: Mapping[str, Any], run: Run) -> Any:
    got: list[Any] = []

    async def judged(**passed: Any) -> Any:
        got.append(await run(passed))
        return _plain(got[0])

    seen = await guard.current().call(Tool(name), judged, **arguments)
    result = got[0]
    return result if seen == _plain(result) else type(result).model_validate(seen)


def _plain(result: Any) -> Any:
    """A result (a model of pydantic's) as it goes over the wire: content, structured content and all."""
    return result.model_dump(mode="json", by_alias=True, exclude_none=True)

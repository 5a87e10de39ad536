"""MCP: a server with the guard as an extension, a client behind the guard, both in memory."""

from typing import Any

import pytest
from mcp import Client
from mcp.server.mcpserver import MCPServer

from lawful.adapters.mcp import ServerGuard, guarded
from lawful.client import AsyncGuard, Blocked
from tests.adapters.conftest import Office
from tests.adapters.tools import NOTE, SEEN, WHO, Desk


def server(desk: Desk, *extensions: Any) -> MCPServer:
    """A server with both tools and one resource."""
    made = MCPServer("shop", extensions=list(extensions))
    made.tool()(desk.find_order)
    made.tool()(desk.send_mail)

    @made.resource("note://1")
    def note() -> str:
        return NOTE

    return made


def said(result: Any) -> str:
    """What the model reads."""
    return " ".join(part.text for part in result.content)


async def test_a_client_sends_and_sees_what_it_may(office: Office) -> None:
    """Arguments, text and structured content come redacted."""
    desk, guard = Desk(), office.async_guard()
    async with Client(server(desk)) as client:
        with guard.session(subject=WHO):
            result = await guarded(client, guard).call_tool("find_order", {"note": NOTE})
    assert desk.got == [SEEN]
    assert (said(result), result.is_error) == (f"1 order; {SEEN}", False)
    assert result.structured_content == {"result": f"1 order; {SEEN}"}


async def test_a_warning_changes_nothing(office: Office) -> None:
    """What is warned of passes as it is."""
    desk, guard = Desk(), office.async_guard("lenient")
    async with Client(server(desk)) as client:
        with guard.session(subject=WHO):
            result = await guarded(client, guard).call_tool("find_order", {"note": NOTE})
    assert (desk.got, said(result)) == ([NOTE], f"1 order; {NOTE}")


async def test_a_blocked_call_is_an_error_that_the_model_reads(office: Office) -> None:
    """The server is not asked."""
    desk, guard = Desk(), office.async_guard()
    async with Client(server(desk)) as client:
        with guard.session(subject=WHO):
            result = await guarded(client, guard).call_tool("send_mail", {"note": WHO.value})
    assert (desk.got, result.is_error) == ([], True)
    assert "consent_missing" in said(result)


async def test_no_verdict_in_time_is_a_block(async_silent: AsyncGuard) -> None:
    """Without an answer nobody is asked."""
    desk = Desk()
    async with Client(server(desk)) as client:
        result = await guarded(client, async_silent).call_tool("find_order", {"note": "x"})
    assert (desk.got, result.is_error) == ([], True)
    assert "no_verdict" in said(result)


async def test_a_resource_that_no_policy_lists_is_not_read(office: Office) -> None:
    """Resources are no way around the guard; what else the client can do is its own."""
    guard = office.async_guard()
    async with Client(server(Desk())) as client:
        behind = guarded(client, guard)
        with guard.session(subject=WHO), pytest.raises(Blocked, match="tool_not_declared"):
            await behind.read_resource("note://1")
        assert {tool.name for tool in (await behind.list_tools()).tools} == {"find_order", "send_mail"}


async def test_a_server_judges_whoever_calls(office: Office) -> None:
    """A client without a guard gets what it may see, and its tool what may be passed."""
    desk, guard = Desk(), office.async_guard()
    async with Client(server(desk, ServerGuard(guard))) as client:
        result = await client.call_tool("find_order", {"note": NOTE})
        stopped = await client.call_tool("send_mail", {"note": WHO.value})
    assert (desk.got, said(result)) == ([SEEN], f"1 order; {SEEN}")
    assert result.structured_content == {"result": f"1 order; {SEEN}"}
    assert stopped.is_error
    assert "nobody_to_consent" in said(stopped) or "consent_missing" in said(stopped)

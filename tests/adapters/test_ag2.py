"""AG2: an agent with the guard as middleware, and AG2's own scripted model."""

import json
from typing import Any

from ag2 import Agent
from ag2.events import ToolCallEvent
from ag2.testing import TestConfig, TrackingConfig

from lawful.adapters.ag2 import guarded
from lawful.client import AsyncGuard
from tests.adapters.conftest import Office
from tests.adapters.tools import NOTE, SEEN, WHO, Desk


async def ask_tracked(guard: AsyncGuard, desk: Desk, tool: str, note: str) -> tuple[Any, str]:
    """One tool call; the agent's reply, and all that the model read."""
    config = TrackingConfig(
        TestConfig(ToolCallEvent(tool, arguments=json.dumps({"note": note})), "done", raise_tool_errors=False)
    )
    agent = Agent("bot", config=config, tools=[desk.find_order, desk.send_mail], middleware=[guarded(guard)])
    with guard.session(subject=WHO):
        reply = await agent.ask("hello")
    return reply, str(config.mock.call_args_list)


async def ask(guard: AsyncGuard, desk: Desk, *turns: Any, said: str = "hello") -> Any:
    """One question to an agent with both tools, about one person."""
    config = TestConfig(*turns, raise_tool_errors=False)
    agent = Agent("bot", config=config, tools=[desk.find_order, desk.send_mail], middleware=[guarded(guard)])
    with guard.session(subject=WHO):
        return await agent.ask(said)


async def test_a_call_runs_redacted_and_its_result_is_seen_redacted(office: Office) -> None:
    """The tool gets what may be passed, the model reads what may be seen."""
    desk = Desk()
    reply, read = await ask_tracked(office.async_guard(), desk, "find_order", NOTE)
    assert (desk.got, await reply.content()) == ([SEEN], "done")
    assert f"1 order; {SEEN}" in read


async def test_a_warning_changes_nothing(office: Office) -> None:
    """What is warned of passes as it is."""
    desk = Desk()
    _, read = await ask_tracked(office.async_guard("lenient"), desk, "find_order", NOTE)
    assert desk.got == [NOTE]
    assert f"1 order; {NOTE}" in read


async def test_a_blocked_call_is_a_tool_error_that_the_model_reads(office: Office) -> None:
    """The tool does not run; the error says why."""
    desk = Desk()
    _, read = await ask_tracked(office.async_guard(), desk, "send_mail", WHO.value)
    assert desk.got == []
    assert "consent_missing" in read


async def test_no_verdict_in_time_is_a_block(async_silent: AsyncGuard) -> None:
    """Without an answer the turn does not begin, and the agent says why."""
    desk = Desk()
    reply = await ask(async_silent, desk, "done")
    assert "no_verdict" in str(await reply.content())


async def test_what_the_user_said_reaches_the_model_as_it_may(office: Office) -> None:
    """Redacted, like what the model answers."""
    desk, guard = Desk(), office.async_guard()
    config = TrackingConfig(TestConfig(f"you said {NOTE}"))
    agent = Agent("bot", config=config, middleware=[guarded(guard)])
    with guard.session(subject=WHO):
        reply = await agent.ask(NOTE)
    assert await reply.content() == f"you said {SEEN}"
    read = str(config.mock.call_args_list)
    assert SEEN in read
    assert NOTE not in read
    assert desk.got == []

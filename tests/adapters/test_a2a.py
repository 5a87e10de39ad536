"""A2A: a client and an agent of the real SDK over JSON-RPC, in one process, the guard on either side."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from a2a.client import Client, ClientConfig, ClientFactory, minimal_agent_card
from a2a.helpers import (
    get_stream_response_text,
    new_data_part,
    new_message,
    new_raw_part,
    new_text_message,
    new_text_part,
)
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import Message, Role, SendMessageRequest
from google.protobuf.json_format import MessageToDict
from starlette.applications import Starlette

from lawful.adapters.a2a import ClientGuard, guarded
from lawful.client import AsyncGuard, Blocked
from tests.adapters.conftest import Office
from tests.adapters.tools import NOTE, SEEN, WHO

URL = "http://agent.example"


class Echo(AgentExecutor):
    """Notes what it is told and answers with a phone number."""

    def __init__(self) -> None:
        self.heard: list[Any] = []

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        """One request."""
        assert context.message is not None
        self.heard += [MessageToDict(part) for part in context.message.parts]
        await event_queue.enqueue_event(new_text_message(f"noted; {NOTE}"))

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        """There is nothing to end."""


@asynccontextmanager
async def talking(executor: AgentExecutor, *interceptors: Any) -> AsyncIterator[Client]:
    """A client of this agent."""
    card = minimal_agent_card(URL, ["JSONRPC"])
    card.name = "echo"
    handler = DefaultRequestHandler(agent_executor=executor, task_store=InMemoryTaskStore(), agent_card=card)
    app = Starlette(routes=create_jsonrpc_routes(handler, "/"))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app)) as http:
        config = ClientConfig(httpx_client=http, streaming=False)
        yield ClientFactory(config).create(card, interceptors=list(interceptors))


async def tell(client: Client, *parts: Any) -> str:
    """What the agent answers."""
    message = new_message(list(parts), role=Role.ROLE_USER)
    assert isinstance(message, Message)
    answers = [each async for each in client.send_message(SendMessageRequest(message=message))]
    return " ".join(get_stream_response_text(each) for each in answers)


async def test_a_client_tells_and_hears_what_it_may(office: Office) -> None:
    """Text and data reach the agent redacted, and its answer the caller."""
    echo, guard = Echo(), office.async_guard()
    async with talking(echo, ClientGuard(guard)) as client:
        with guard.session(subject=WHO):
            heard = await tell(client, new_text_part(NOTE), new_data_part({"more": NOTE, "n": 1}))
            await tell(client, new_text_part("nothing special"))
    assert echo.heard == [{"text": SEEN}, {"data": {"more": SEEN, "n": 1}}, {"text": "nothing special"}]
    assert heard == f"noted; {SEEN}"


async def test_a_warning_changes_nothing(office: Office) -> None:
    """What is warned of passes as it is."""
    echo, guard = Echo(), office.async_guard("lenient")
    async with talking(echo, ClientGuard(guard)) as client:
        with guard.session(subject=WHO):
            assert await tell(client, new_text_part(NOTE)) == f"noted; {NOTE}"
    assert echo.heard == [{"text": NOTE}]


async def test_what_may_not_be_told_is_not_sent(office: Office, async_silent: AsyncGuard) -> None:
    """A purpose without consent, no verdict in time, and bytes that nobody can read."""
    echo, guard = Echo(), office.async_guard()
    async with talking(echo, ClientGuard(guard)) as client:
        with guard.session(subject=WHO, purposes=["marketing"]), pytest.raises(Blocked, match="consent_missing"):
            await tell(client, new_text_part(WHO.value))
        with guard.session(subject=WHO), pytest.raises(Blocked, match="content_not_readable"):
            await tell(client, new_raw_part(b"\x00"))
    async with talking(echo, ClientGuard(async_silent)) as client:
        with pytest.raises(Blocked, match="no_verdict"):
            await tell(client, new_text_part("hello"))
    assert echo.heard == []


async def test_an_agent_behind_a_guard_hears_and_says_what_it_may(office: Office) -> None:
    """Whoever calls, with or without a guard."""
    echo, guard = Echo(), office.async_guard()
    async with talking(guarded(echo, guard)) as client:
        heard = await tell(client, new_text_part(NOTE))
    assert (echo.heard, heard) == ([{"text": SEEN}], f"noted; {SEEN}")


async def test_an_agent_behind_a_guard_answers_why_not(office: Office) -> None:
    """The agent does not run; the caller reads which rule and why."""
    echo, guard = Echo(), office.async_guard()
    session = lambda _: guard.session(subject=WHO, purposes=["marketing"])  # noqa: E731 - reads best here
    async with talking(guarded(echo, guard, session)) as client:
        heard = await tell(client, new_text_part(WHO.value))
    assert echo.heard == []
    assert "consent_missing" in heard

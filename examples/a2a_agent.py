"""A2A: an agent behind a guard; it hears and says what it may."""

import asyncio

from a2a.client import minimal_agent_card
from a2a.helpers import get_message_text, new_text_message
from a2a.server.agent_execution import AgentExecutor
from a2a.server.context import ServerCallContext
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import Role, SendMessageRequest
from local import transport

from lawful.adapters.a2a import guarded
from lawful.client import AsyncGuard


class Clerk(AgentExecutor):
    """Answers with more than it should."""

    async def execute(self, _, queue):
        await queue.enqueue_event(new_text_message("Carl Fox, date of birth 1990-02-03"))

    async def cancel(self, _, __): ...


async def main(guard: AsyncGuard) -> None:
    """Another agent asks; the answer leaves out what the purpose does not need."""
    agent = guarded(Clerk(), guard)
    card = minimal_agent_card("http://localhost")
    handler = DefaultRequestHandler(agent_executor=agent, task_store=InMemoryTaskStore(), agent_card=card)
    asked = SendMessageRequest(message=new_text_message("Who is the customer?", role=Role.ROLE_USER))
    print(get_message_text(await handler.on_message_send(asked, ServerCallContext())))


if __name__ == "__main__":
    asyncio.run(main(AsyncGuard(transport(), agent="clerk", policy="shopper")))

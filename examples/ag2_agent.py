"""AG2: an agent with the guard as middleware."""

import asyncio
import json

from ag2 import Agent
from ag2.events import ToolCallEvent
from ag2.testing import TestConfig
from local import MAIL, SHOPPER, get_user_details, send_marketing_email, transport

from lawful.adapters.ag2 import guarded
from lawful.client import AsyncGuard


async def main(guard: AsyncGuard) -> None:
    """A scripted model asks for an offer that nobody consented to, and answers with what it read."""
    call = ToolCallEvent("send_marketing_email", arguments=json.dumps(MAIL))
    config = TestConfig(call, "No offer was sent.", raise_tool_errors=False)
    tools = [get_user_details, send_marketing_email]
    agent = Agent("shop-bot", config=config, tools=tools, middleware=[guarded(guard)])
    with guard.session(subject=("customer_id", SHOPPER)):
        print(await (await agent.ask("Any news?")).content())


if __name__ == "__main__":
    asyncio.run(main(AsyncGuard(transport(), agent="shop-bot", policy="shopper")))

"""AG2: an agent with the guard as middleware."""

import asyncio
import json

from ag2 import Agent
from ag2.events import ToolCallEvent, ToolResultsEvent
from ag2.testing import TestConfig
from local import MAIL, SHOPPER, get_user_details, send_marketing_email, transport

from lawful.adapters.ag2 import guarded
from lawful.client import AsyncGuard


async def main(guard: AsyncGuard) -> None:
    """What a model reads of two tools that it asked for; a script stands in for it here."""
    asked = {"get_user_details": {"user_id": SHOPPER}, "send_marketing_email": MAIL}
    calls = [ToolCallEvent(name, arguments=json.dumps(args)) for name, args in asked.items()]
    config = TestConfig(*calls, "Done.", raise_tool_errors=False)
    agent = Agent("bot", config=config, tools=[get_user_details, send_marketing_email], middleware=[guarded(guard)])
    with guard.session(subject=("customer_id", SHOPPER)):
        reply = await agent.ask("Any news?")
        answers = [each for each in await reply.history.get_events() if isinstance(each, ToolResultsEvent)]
        print(*[part.content for each in answers for one in each.results for part in one.result.parts], sep="\n")


if __name__ == "__main__":
    asyncio.run(main(AsyncGuard(transport(), agent="shop-bot", policy="shopper")))

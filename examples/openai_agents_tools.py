"""OpenAI Agents SDK: an agent whose function tools and whose two ends are guarded."""

import asyncio
import json

from agents import Agent, function_tool
from agents.tool_context import ToolContext
from local import MAIL, SHOPPER, get_user_details, send_marketing_email, transport

from lawful.adapters.openai_agents import ends, guarded
from lawful.client import AsyncGuard


async def main(guard: AsyncGuard) -> None:
    """What the model would read after asking for two tools; no provider is called here."""
    tools = guarded(guard, [function_tool(get_user_details), function_tool(send_marketing_email)])
    agent = Agent(name="shop-bot", tools=[*tools], **ends(guard))
    with guard.session(subject=("customer_id", SHOPPER)):
        for tool, asked in zip(agent.tools, [{"user_id": SHOPPER}, MAIL], strict=True):
            raw = json.dumps(asked)
            context = ToolContext(None, tool_name=tool.name, tool_call_id="1", tool_arguments=raw)
            print(await tool.on_invoke_tool(context, raw))


if __name__ == "__main__":
    asyncio.run(main(AsyncGuard(transport(), agent="shop-bot", policy="shopper")))

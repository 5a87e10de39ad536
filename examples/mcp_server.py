"""MCP: a server that judges whoever calls it."""

import asyncio

from local import MAIL, SHOPPER, get_user_details, send_marketing_email, transport
from mcp import Client
from mcp.server.mcpserver import MCPServer

from lawful.adapters.mcp import ServerGuard
from lawful.client import AsyncGuard


async def main(guard: AsyncGuard) -> None:
    """A client without a guard of its own asks for two tools."""
    server = MCPServer("shop", extensions=[ServerGuard(guard)])
    for function in (get_user_details, send_marketing_email):
        server.tool()(function)
    with guard.session(subject=("customer_id", SHOPPER)):
        async with Client(server) as client:
            for name, asked in (("get_user_details", {"user_id": SHOPPER}), ("send_marketing_email", MAIL)):
                print(*[part.text for part in (await client.call_tool(name, asked)).content])


if __name__ == "__main__":
    asyncio.run(main(AsyncGuard(transport(), agent="shop-bot", policy="shopper")))

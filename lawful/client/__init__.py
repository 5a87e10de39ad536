"""The guard: what an agent's own process needs, and nothing of the pipeline."""

from lawful.client.blocked import Blocked
from lawful.client.guard import AsyncGuard, Guard
from lawful.client.tools import Tool, ToolFailed
from lawful.client.transport import Transport

__all__ = ["AsyncGuard", "Blocked", "Guard", "Tool", "ToolFailed", "Transport"]

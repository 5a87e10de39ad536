"""How a verdict names what an agent said, without repeating what it should not have said.

Purposes and tool names are the agent's own words: an agent may well put an address into one. Only
what looks like a name of the kind is shown.

Messages follow one grammar: what was done; why that is wrong; what would be right.
"""

import re

_KEY = re.compile(r"[a-z][a-z_]{0,31}(\.[a-z][a-z_]{0,31}){0,7}")
_TOOL = re.compile(r"[A-Za-z][A-Za-z_-]{0,47}([.:/][A-Za-z][A-Za-z_-]{0,47}){0,3}")


def purpose_or_none(purpose: str) -> str | None:
    """The purpose, if it looks like one: dotted words in lower case, without digits."""
    return purpose if _KEY.fullmatch(purpose) else None


def quoted_purpose(purpose: str) -> str:
    """The purpose in quotes, or words that stand for it."""
    return f"'{purpose}'" if purpose_or_none(purpose) else "(not a dotted key)"


def quoted_tool(tool: str) -> str:
    """The tool's name in quotes, or words that stand for it."""
    return f"'{tool}'" if _TOOL.fullmatch(tool) else "(an unusual name)"

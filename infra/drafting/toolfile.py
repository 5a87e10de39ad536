"""Tool definitions as people have them: OpenAI's, the bare form, MCP's `tools/list`, Anthropic's."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lawful.schemas.errors import ConfigurationError

MOST_TOOLS = 500
_LONGEST_NAME = 128
_SCHEMAS = ("parameters", "inputSchema", "input_schema")
_EXPECTED = 'a list of {"type": "function", "function": {...}}, of {"name": ...}, or an object with "tools"'


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as its author describes it.

    Attributes:
        schema: JSON Schema of its arguments, where given.
    """

    name: str
    description: str = ""
    schema: Mapping[str, Any] | None = None


def read_tools(text: str, file: str) -> tuple[Tool, ...]:
    """The tools of a JSON text, in its order.

    Raises:
        ConfigurationError: it holds no tools, or one of them is not described as tools are; says which.
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        message = f"{file}:{error.lineno}:{error.colno}: this is not JSON: {error.msg}"
        raise ConfigurationError(message, hint=f"expected {_EXPECTED}") from None
    except RecursionError:
        raise ConfigurationError(f"{file}: nested too deeply", hint=f"expected {_EXPECTED}") from None
    entries = _entries(data, file)
    if not 0 < len(entries) <= MOST_TOOLS:
        raise ConfigurationError(f"{file} has {len(entries)} tools", hint=f"1 to {MOST_TOOLS} can be drafted for")
    tools = tuple(_tool(entry, f"{file}: tool {number}") for number, entry in enumerate(entries, 1))
    _refuse_doubles(tools, file)
    return tools


def _entries(data: Any, file: str) -> Sequence[Any]:
    """The list within what surrounds it: a request's `tools`, a JSON-RPC `result`, or nothing."""
    if isinstance(data, Mapping) and isinstance(data.get("result"), Mapping):
        data = data["result"]
    if isinstance(data, Mapping):
        found = next((data[key] for key in ("tools", "functions") if isinstance(data.get(key), list)), None)
        data = found if found is not None else [data] if "name" in data or "function" in data else None
    if not isinstance(data, list):
        raise ConfigurationError(f"{file} holds no tool definitions", hint=f"expected {_EXPECTED}")
    return data


def _tool(entry: Any, where: str) -> Tool:
    if not isinstance(entry, Mapping):
        raise ConfigurationError(f"{where} is no JSON object", hint=f"expected {_EXPECTED}")
    if entry.get("type") not in (None, "function", "custom"):
        raise ConfigurationError(f"{where} is of a type other than 'function'", hint="leave built-in tools out")
    said = entry.get("function", entry)
    if not isinstance(said, Mapping):
        raise ConfigurationError(f"{where}: 'function' is no JSON object", hint=f"expected {_EXPECTED}")
    name = said.get("name")
    if not isinstance(name, str) or not name.strip() or len(name) > _LONGEST_NAME or not name.isprintable():
        raise ConfigurationError(f"{where} has no usable 'name'", hint=f"a text of 1 to {_LONGEST_NAME} characters")
    description = said.get("description") or ""
    if not isinstance(description, str):
        raise ConfigurationError(f"{where} ('{name}'): 'description' is no text")
    schema = next((said[key] for key in _SCHEMAS if said.get(key) is not None), None)
    if schema is not None and not isinstance(schema, Mapping):
        raise ConfigurationError(f"{where} ('{name}'): its parameters are no JSON Schema object")
    return Tool(name, " ".join(description.split()), schema)


def _refuse_doubles(tools: Sequence[Tool], file: str) -> None:
    names = [tool.name for tool in tools]
    double = next((name for name in names if names.count(name) > 1), None)
    if double is not None:
        raise ConfigurationError(f"{file} defines the tool '{double}' twice", hint="keep one of them")

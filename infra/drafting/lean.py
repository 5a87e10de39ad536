"""A tool's JSON Schema as a policy should hold it: what validates, without prose and examples.

Examples and defaults in tool definitions hold people's real data now and then, and a policy is no
place for that.
"""

from collections.abc import Mapping
from typing import Any

from lawful.policies.toolschemas import check_tool_schema
from lawful.schemas.yamltree import Tree

_PROSE = frozenset({"description", "title", "examples", "example", "default", "$comment", "$schema", "$id"})
_MAPS = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
_VALUES = frozenset({"enum", "const", "required", "dependentRequired"})
_DEEPEST = 24
_LONGEST_NAME = 200


def lean_schema(schema: Mapping[str, Any] | None) -> tuple[Mapping[str, Any] | None, str]:
    """The schema without prose; or nothing, and why."""
    if schema is None:
        return None, "its definition has no parameters"
    try:
        lean = _lean(schema, 0)
    except RecursionError:
        return None, "its parameters are nested too deeply"
    if "type" not in lean and ("properties" in lean or not lean):
        lean = {"type": "object", **lean}
    problem = next(check_tool_schema(Tree("tools"), (), lean), None)
    return (lean, "") if problem is None else (None, f"its parameters cannot be used: {problem.message}")


def _lean(schema: Any, depth: int) -> Any:
    if depth > _DEEPEST:
        raise RecursionError
    if isinstance(schema, list):
        return [_lean(each, depth + 1) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    return {key: _member(str(key), value, depth + 1) for key, value in schema.items() if key not in _PROSE}


def _member(key: str, value: Any, depth: int) -> Any:
    if len(key) > _LONGEST_NAME:
        raise RecursionError
    if key in _VALUES:
        return value
    if key in _MAPS and isinstance(value, Mapping):
        # Here the members are names of the author's own: one may well be called `description`.
        return {name: _lean(each, depth + 1) for name, each in value.items() if len(name) <= _LONGEST_NAME}
    return _lean(value, depth)

"""Structured actions drafted from what agents and tools say of themselves, for a person to review.

Each tool, or skill of an A2A agent card, becomes an action with its schema and a predicate for temporal
rules. Prose, defaults and examples stay behind, as they do in drafts of policies.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from lawful.infra.drafting.lean import lean_schema
from lawful.infra.drafting.toolfile import Tool, read_tools
from lawful.policies.mfotl.signature import Argument, Signature, Type
from lawful.schemas.errors import ConfigurationError

_OTHER: Final = re.compile(r"[^a-z0-9]+")
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_TYPES: Final[Mapping[str, Type]] = {"string": "string", "integer": "int"}
_LONGEST: Final = 60


@dataclass(frozen=True, slots=True)
class DraftAction:
    """An action as the draft has it.

    Attributes:
        arguments: members that rules can speak of, and their types.
        review: what somebody has to look at.
    """

    name: str
    schema: Mapping[str, Any]
    arguments: tuple[tuple[str, Type], ...]
    review: str = ""


def draft_actions(text: str, file: str) -> tuple[DraftAction, ...]:
    """The actions in tool definitions, or in an A2A agent card.

    Raises:
        ConfigurationError: there are none, or two come to the same name.
    """
    drafted = tuple(_action(tool) for tool in _skills(text) or read_tools(text, file))
    names = [each.name for each in drafted]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ConfigurationError(f"{file}: two of them come to the name '{twice}'", hint="rename one of them")
    return drafted


def write_actions(actions: tuple[DraftAction, ...]) -> str:
    """The draft as a part of a policy file."""
    return "\n".join([*_structured(actions), *_predicates(actions), ""])


def signature(actions: tuple[DraftAction, ...]) -> Signature:
    """The words that temporal rules get by the draft."""
    return {each.name: tuple(Argument(name, type_) for name, type_ in each.arguments) for each in actions}


def _skills(text: str) -> tuple[Tool, ...]:
    """The skills of an agent card; they have no schemas."""
    try:
        card = json.loads(text)
    except (ValueError, RecursionError):
        return ()
    skills = card.get("skills") if isinstance(card, dict) else None
    named = [each for each in skills if isinstance(each, dict)] if isinstance(skills, list) else []
    return tuple(Tool(str(each.get("id") or each.get("name") or "skill")) for each in named)


def _action(tool: Tool) -> DraftAction:
    schema, lacks = lean_schema(tool.schema)
    members = dict(schema or {"type": "object"})
    properties = {key: each for key, each in (members.get("properties") or {}).items() if key != "action"}
    if properties:
        members = {**members, "properties": properties}
        members.setdefault("additionalProperties", False)
    if isinstance(members.get("required"), list):
        members["required"] = [key for key in members["required"] if key != "action"]
    arguments = tuple(
        (key, type_)
        for key, each in properties.items()
        if (type_ := _type(each)) is not None and key.isidentifier() and key[0] != "_"
    )
    return DraftAction(_name(tool.name), members, arguments, lacks)


def _type(schema: Any) -> Type | None:
    """The type of a member that rules can speak of."""
    said = schema.get("type") if isinstance(schema, Mapping) else None
    return _TYPES.get(said) if isinstance(said, str) else None


def _name(name: str) -> str:
    plain = _OTHER.sub("_", _CAMEL.sub("_", name).lower()).strip("_")[:_LONGEST]
    return plain if plain[:1].isalpha() else f"action_{plain}".rstrip("_")


def _structured(actions: tuple[DraftAction, ...]) -> Iterator[str]:
    yield "structured:"
    for each in actions:
        yield f"  # review: {each.review or 'may agents ask this of each other, and is this all that it takes?'}"
        yield f"  {each.name}: {{schema: {json.dumps(each.schema, ensure_ascii=True)}}}"


def _predicates(actions: tuple[DraftAction, ...]) -> Iterator[str]:
    yield "predicates:"
    for each in actions:
        args = {name: {"path": f"/text/{name}", "type": type_} for name, type_ in each.arguments}
        yield f"  {each.name}: {{message: agent, action: {each.name}, args: {json.dumps(args)}}}"

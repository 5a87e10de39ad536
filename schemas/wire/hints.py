"""What a type hint and a schema node say about each other."""

import types
import typing
from enum import Enum, StrEnum
from typing import Any, Final

_OTHER_NAMES: Final = {"MergeMark": "MergeFact"}
"""Records whose class has another name: the schemas are not recursive where the classes are."""


def kind(schema: Any) -> str:
    """`string`, `record`, `union`, ...: the node's Avro type."""
    while isinstance(schema, dict) and not isinstance(schema["type"], str):
        schema = schema["type"]
    if isinstance(schema, list):
        return "union"
    return str(schema["type"] if isinstance(schema, dict) else schema)


def item_of(hint: Any) -> Any:
    """`X` of `tuple[X, ...]`."""
    return typing.get_args(hint)[0]


def without_none(hint: Any) -> Any:
    """`X` of `X | None`, where `X` is one type."""
    return next(member for member in members(hint) if member is not types.NoneType)


def members(hint: Any) -> tuple[Any, ...]:
    """The types that a union is made of; a type that is no union is its only member."""
    return typing.get_args(hint) if typing.get_origin(hint) in (types.UnionType, typing.Union) else (hint,)


def class_of(hint: Any, schema: Any) -> Any:
    """The class, among a union's, that a branch of it writes."""
    name = _OTHER_NAMES.get(short(schema), short(schema))
    return next(member for member in members(hint) if member.__name__ == name)


def symbol(member: Enum) -> str:
    """The word for an enum's member in Avro: its value if that is a word, else its name."""
    return str(member.value) if isinstance(member, StrEnum) else member.name.lower()


def short(schema: Any) -> str:
    """The name of a record or enum without its namespace."""
    return str(schema["name"]).rpartition(".")[2]


def indented(lines: list[str]) -> list[str]:
    """The lines, one level deeper."""
    return [f"    {line}" for line in lines]

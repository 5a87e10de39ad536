"""Small readers of foreign JSON: the value if it has the expected type, else a plain complaint."""

import json
import re
from typing import Any

from lawful.infra.ingest.report import UnreadableTrace

_NOT_A_WORD = re.compile(r"[^a-z0-9_.-]+")


def an_object(value: object, what: str) -> dict[str, Any]:
    """The value as an object, or `UnreadableTrace` saying what should have been one."""
    if isinstance(value, dict):
        return value
    raise UnreadableTrace(f"{what} should be an object, not {kind_of(value)}")


def a_list(value: object, what: str) -> list[Any]:
    """The value as a list (`None`: an empty one), or `UnreadableTrace`."""
    if value is None:
        return []
    if isinstance(value, list):
        return value
    raise UnreadableTrace(f"{what} should be a list, not {kind_of(value)}")


def a_text(value: object, what: str) -> str:
    """The value as text that is not empty, or `UnreadableTrace`."""
    if isinstance(value, str) and value:
        return value
    raise UnreadableTrace(f"{what} should be text that is not empty, not {kind_of(value)}")


def first_text(record: dict[str, Any], *names: str) -> str | None:
    """The first of these members that is text and not empty."""
    for name in names:
        value = record.get(name)
        if isinstance(value, str) and value:
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
    return None


def as_json(value: object) -> str:
    """Compact JSON, or the text itself where the value already is text."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def slug(name: str) -> str:
    """A name as an id of an agent: lower case, words joined by hyphens."""
    return _NOT_A_WORD.sub("-", name.casefold()).strip("-") or "agent"


def kind_of(value: object) -> str:
    """The JSON type of a value, for messages that must not quote it."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "text" if value else "empty text"
        case list():
            return "a list"
        case _:
            return "an object"

"""A payload as addressed fields: every text, every JSON leaf and every JSON key, with what surrounds it.

Paths are RFC 6901 pointers into the payload; JSON carried as text is addressed as if it were
nested (`/arguments/to/0`), also where a string within JSON holds it. Keys are fields of their own:
one that names a person makes its whole container personal, since a path that holds a name could
not be written down.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from lawful.extractors.keynames import normalise_key
from lawful.extractors.port import Limits
from lawful.schemas.event import (
    AgentMessage,
    AssistantMessage,
    MemoryRead,
    MemoryWrite,
    Payload,
    ToolCall,
    ToolResult,
    UserMessage,
)
from lawful.schemas.strict_json import Number, Unreadable, escape, literal, nested, parse
from lawful.schemas.view import ExtractionStatus

_LONE: Final = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Field:
    """One text of the payload and its surroundings; a key may name somebody as well as a text, so neither is in `repr`.

    Attributes:
        path: where it stands; of a key: its container.
        text: what it says; of a leaf that is not a string: its JSON.
        keys: normalised names on the way to it, the nearest last; an array's elements have the array's.
        siblings: normalised names beside it, its own included.
        is_string: false for numbers, booleans and null, which are replaced whole or not at all.
        is_key: the text is an object's key.
        is_json: it stands in JSON, not in a plain message.
        below: of a key: the path of its value.
        within: the path of the string of JSON that holds it as text, where one does.
    """

    path: str = field(repr=False)
    text: str = field(repr=False)
    keys: tuple[str, ...] = field(default=(), repr=False)
    siblings: frozenset[str] = field(default=frozenset(), repr=False)
    is_string: bool = True
    is_key: bool = False
    is_json: bool = False
    below: str = field(default="", repr=False)
    within: str = field(default="", repr=False)

    @property
    def key(self) -> str:
        """The nearest name, or nothing."""
        return self.keys[-1] if self.keys else ""


@dataclass(frozen=True, slots=True)
class Document:
    """A payload's fields, and the arguments of a tool call as JSON (numbers as `Number`)."""

    fields: tuple[Field, ...] = ()
    arguments: Any = field(default=None, repr=False)


def read(payload: Payload, limits: Limits) -> Document:
    """Every field of a payload, in its order.

    Raises:
        Unreadable: too large, too deep, too many fields, ambiguous, or arguments that are no JSON.
    """
    match payload:
        case UserMessage(text) | AssistantMessage(text):
            _check_size(limits, text)
            return Document(_bounded([Field("/text", _sound(text))], limits))
        case AgentMessage(text):
            return _text_or_json("/text", text, limits)
        case ToolCall(arguments=arguments):
            return _arguments(arguments, limits)
        case ToolResult(content=content):
            return _text_or_json("/content", content, limits)
        case MemoryWrite(key, content) | MemoryRead(key, content):
            rest = _text_or_json("/content", content, limits, key)
            return Document((Field("/key", _sound(key)), *rest.fields))
        case _:  # facts about subjects carry no free text
            return Document()


def _arguments(text: str, limits: Limits) -> Document:
    _check_size(limits, text)
    is_json, value = parse(text)
    if not is_json or not isinstance(value, dict):
        raise Unreadable(ExtractionStatus.FAILED, "arguments_not_json")
    return Document(_bounded(_walk(value, _Place("/arguments", limits.max_depth)), limits), value)


def _text_or_json(path: str, text: str, limits: Limits, *others: str) -> Document:
    _check_size(limits, text, *others)
    held = nested(text)
    fields = [Field(path, _sound(text))] if held is None else _walk(held[0], _Place(path, limits.max_depth - held[1]))
    return Document(_bounded(fields, limits))


def _check_size(limits: Limits, *texts: str) -> None:
    if sum(len(text.encode(errors="surrogatepass")) for text in texts) > limits.max_bytes:
        raise Unreadable(ExtractionStatus.OVERSIZED, "payload_too_large")


def _bounded(fields: Iterator[Field] | list[Field], limits: Limits) -> tuple[Field, ...]:
    kept: list[Field] = []
    for one in fields:
        if len(kept) == limits.max_fields:
            raise Unreadable(ExtractionStatus.OVERSIZED, "too_many_fields")
        kept.append(one)
    return tuple(one for one in kept if one.text)


class _Place(NamedTuple):
    """Where a value stands, and how much deeper it may go."""

    path: str
    depth: int
    keys: tuple[str, ...] = ()
    siblings: frozenset[str] = frozenset()
    within: str = ""

    def item(self, index: int) -> "_Place":
        return _Place(f"{self.path}/{index}", self.depth - 1, self.keys, self.siblings, self.within)

    def member(self, key: str, name: str, siblings: frozenset[str]) -> "_Place":
        return _Place(f"{self.path}/{escape(key)}", self.depth - 1, (*self.keys, name), siblings, self.within)


def _walk(value: Any, place: _Place) -> Iterator[Field]:
    if isinstance(value, (dict, list)) and place.depth <= 0:
        raise Unreadable(ExtractionStatus.OVERSIZED, "too_deep")
    if isinstance(value, dict):
        yield from _walk_object(value, place)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _walk(item, place.item(index))
    elif isinstance(value, str) and not isinstance(value, Number):
        yield from _walk_string(value, place)
    else:
        text = literal(value)
        yield Field(place.path, text, place.keys, place.siblings, is_string=False, is_json=True, within=place.within)


def _walk_object(members: dict[str, Any], place: _Place) -> Iterator[Field]:
    names = {key: normalise_key(key) for key in members}
    siblings = frozenset(names.values())
    for key, item in members.items():
        below = place.member(key, names[key], siblings)
        yield Field(
            place.path,
            _sound(key),
            place.keys,
            siblings,
            is_key=True,
            is_json=True,
            below=below.path,
            within=place.within,
        )
        yield from _walk(item, below)


def _walk_string(text: str, place: _Place) -> Iterator[Field]:
    held = nested(text)
    if held is None:
        yield Field(place.path, _sound(text), place.keys, place.siblings, is_json=True, within=place.within)
    else:
        value, layers = held
        yield from _walk(value, place._replace(depth=place.depth - 1 - layers, within=place.within or place.path))


def _sound(text: str) -> str:
    """The text with lone surrogates replaced one for one: spans stay, and no library stumbles."""
    if text.isascii():
        return text
    return _LONE.sub("\ufffd", text)

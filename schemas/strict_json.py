"""JSON read strictly, because two readers that disagree about a document are a way around a guard.

Duplicate keys, halves of surrogate pairs in keys, `NaN` and `Infinity` are refused, numbers keep
the text they were written in, and nesting is bounded. RFC 8259 leaves all of these to the reader;
the one that acts on the payload may choose differently from the one that judged it. Whoever judges
and whoever redacts reads by this one. JSON that stands in a string of JSON is read as well: agents
hand on what they were given as text.
"""

import json
import re
from functools import cache
from typing import Any, Final, NoReturn

from lawful.schemas.view import ExtractionStatus


class Unreadable(Exception):
    """The payload cannot be analysed; it is withheld whole.

    Args:
        status: why, as a class.
        reason: why, as a stable code.
    """

    def __init__(self, status: ExtractionStatus, reason: str) -> None:
        self.status = status
        self.reason = reason
        super().__init__(reason)


_MOST_LAYERS: Final = 8
_SPACE: Final = " \t\r\n"
_LONE: Final = re.compile("[\ud800-\udfff]")


class Number(str):
    """A JSON number as it was written: `1.0`, `1e400`, or ten thousand digits."""

    __slots__ = ()


class _NotJson(ValueError):
    """The text is not JSON as RFC 8259 has it."""


def parse(text: str) -> tuple[bool, Any]:
    """Whether `text` is JSON, and its value with every number as `Number`.

    Raises:
        Unreadable: it is JSON, but ambiguous (duplicate keys, or such as nobody can write) or nested beyond reason.
    """
    try:
        value = _decoder().decode(text)
    except RecursionError:
        raise Unreadable(ExtractionStatus.OVERSIZED, "too_deep") from None
    except ValueError:
        return False, None
    return True, value


@cache
def _decoder() -> json.JSONDecoder:
    """Made once: making it costs more than reading a short text with it."""
    return json.JSONDecoder(object_pairs_hook=_object, parse_int=Number, parse_float=Number, parse_constant=_refuse)


def parse_container(text: str) -> tuple[bool, Any]:
    """As `parse`, for what only counts as JSON when it is an object or an array."""
    if not text.lstrip(_SPACE).startswith(("{", "[")):
        return False, None
    is_json, value = parse(text)
    return (True, value) if is_json and isinstance(value, (dict, list)) else (False, None)


def nested(text: str) -> tuple[Any, int] | None:
    """The object or array that a text holds, and how many strings of JSON it is wrapped in.

    `{"a": 1}` holds one in no string, its `json.dumps` as a text holds it in one.

    Raises:
        Unreadable: it is JSON, but ambiguous, or nested or wrapped beyond reason.
    """
    for layers in range(_MOST_LAYERS):
        is_json, value = parse_container(text)
        if is_json:
            return value, layers
        stripped = text.strip(_SPACE)
        if not (stripped.startswith('"') and stripped.endswith('"') and any(char in stripped for char in "{[")):
            return None
        is_json, value = parse(stripped)
        if not is_json:
            return None
        text = value
    raise Unreadable(ExtractionStatus.OVERSIZED, "too_deep")


def rewrapped(text: str, layers: int) -> str:
    """A text in as many strings of JSON as it was taken out of."""
    for _ in range(layers):
        text = json.dumps(text, ensure_ascii=False)
    return text


def literal(value: object) -> str:
    """The JSON text of a leaf that is not a string."""
    if isinstance(value, Number):
        return str(value)
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else "null"


def plain(value: Any) -> Any:
    """The document with numbers as numbers, for a JSON Schema validator.

    Raises:
        Unreadable: a number that no reader can hold.
    """
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, Number):
        try:
            return json.loads(str(value))
        except ValueError:
            raise Unreadable(ExtractionStatus.FAILED, "number_too_long") from None
    return value


def escape(key: str) -> str:
    """A key as a reference token of RFC 6901."""
    return key.replace("~", "~0").replace("/", "~1")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Unreadable(ExtractionStatus.FAILED, "duplicate_keys")
    # What is found is named by the keys above it, and half of a surrogate pair cannot be written to Kafka.
    if any(not key.isascii() and _LONE.search(key) for key in members):
        raise Unreadable(ExtractionStatus.FAILED, "lone_surrogate")
    return members


def _refuse(_constant: str) -> NoReturn:
    raise _NotJson

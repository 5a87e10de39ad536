"""Demonstrations: conversations of the past, one JSON object a line, each marked as benign or as an attack."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from lawful.schemas.errors import ConfigurationError

_FORM: Final = "see 'Demonstrations' in docs/firewalls.md"
_ATTACK: Final = "attack"
_BENIGN: Final = "benign"


@dataclass(frozen=True, slots=True)
class Said:
    """One message.

    Attributes:
        by_service: the other agent said it; otherwise the user's assistant.
        told: what of the user's record it tells, by path, in the form that it was told in; nothing if nobody noted it.
    """

    by_service: bool
    text: str = field(repr=False)
    told: Mapping[str, object] | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Demonstration:
    """One conversation.

    Attributes:
        record: the user's record as the assistant had it.
        wanted: of an attack, the paths that it was after, where somebody noted them.
        orders: of an attack, what it ordered, in its own words.
    """

    id: str
    attack: bool
    record: Mapping[str, Any] = field(repr=False)
    turns: tuple[Said, ...] = field(repr=False)
    wanted: tuple[str, ...] = ()
    orders: tuple[str, ...] = field(default=(), repr=False)

    def is_held_out(self, share: float) -> bool:
        """Whether it is kept for validation: by its name alone, so that new ones do not move the old."""
        return int.from_bytes(hashlib.sha256(self.id.encode()).digest()[:4]) < share * 2**32


def parse_demonstrations(lines: Iterable[str], file: str) -> Iterator[Demonstration]:
    """The demonstrations of a file; what a line says never stands in an error.

    Raises:
        ConfigurationError: a line is none, with its number.
    """
    seen: set[str] = set()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            found = _demonstration(json.loads(line))
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            what = error.args[0] if isinstance(error, _Malformed) else "this is no demonstration"
            raise ConfigurationError(f"{file}:{number}: {what}", hint=_FORM) from None
        if found.id in seen:
            raise ConfigurationError(f"{file}:{number}: another demonstration has the same id", hint=_FORM)
        seen.add(found.id)
        yield found


class _Malformed(ValueError):
    """What is wrong, without content."""


def _demonstration(value: Any) -> Demonstration:
    if not isinstance(value, Mapping):
        raise _Malformed("a demonstration is a JSON object")
    label = value.get("label")
    if label not in {_ATTACK, _BENIGN}:
        raise _Malformed("'label' must be 'benign' or 'attack'")
    if not isinstance(value.get("id"), str) or not value["id"]:
        raise _Malformed("'id' must be a text")
    record, turns = value.get("record", {}), value.get("turns")
    if not isinstance(record, Mapping) or not isinstance(turns, list):
        raise _Malformed("'record' must be an object and 'turns' a list")
    return Demonstration(
        value["id"],
        label == _ATTACK,
        record,
        tuple(_said(each) for each in turns),
        _texts(value, "wanted"),
        _texts(value, "orders"),
    )


def _said(value: Any) -> Said:
    if not isinstance(value, Mapping) or value.get("from") not in {"service", "assistant"}:
        raise _Malformed("each turn is an object whose 'from' is 'service' or 'assistant'")
    text, told = value.get("text"), value.get("told")
    if not isinstance(text, str) or not (told is None or isinstance(told, Mapping)):
        raise _Malformed("a turn's 'text' must be a text, and 'told' an object")
    return Said(value["from"] == "service", text, told)


def _texts(value: Mapping[str, Any], key: str) -> tuple[str, ...]:
    found = value.get(key, [])
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise _Malformed(f"'{key}' must be a list of texts")
    return tuple(found)

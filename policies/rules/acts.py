"""From a payload to what it does, in the policy's predicates.

INVARIANT: an event of a predicate's kind does it, whatever its arguments look like. One that is
missing or of another type is unreadable: it meets no rule, and breaks those that compare or join it
(`judging`), so that nobody escapes a rule by the way an argument is written, or by leaving it out.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, Final

from lawful.policies.rules.model import Kind, Parameter, Predicate
from lawful.schemas.event import PayloadKind
from lawful.schemas.history import Act, ActArgument

Digest = Callable[[str, str], str]
"""The keyed digest of a scheme and a text."""

EACH: Final = "*"
"""The reference token that stands for every item of an array."""

MOST: Final = 256
_BOUND: Final = 2**63
_WHOLE: Final = re.compile(r"([+-]?)0*([0-9]+)")
_DIGITS: Final = 19


class TooManyActs(Exception):
    """An event does more things at once than rules are asked about; it is withheld."""


def acts_of(
    kind: PayloadKind, tool: str | None, payload: Mapping[str, Any], predicates: Iterable[Predicate], digest: Digest
) -> tuple[Act, ...]:
    """What an event does.

    Args:
        kind: of its payload.
        tool: which is called or answers.
        payload: the payload with JSON read: `{"arguments": {...}}`, `{"content": ...}` or `{"text": ...}`.
        predicates: the policy's own.
        digest: hides what strings say.

    Raises:
        TooManyActs: an array has more items than rules are asked about.
    """
    found = [
        act
        for predicate in predicates
        if predicate.payload is kind and predicate.tool in (None, tool)
        for act in _acts(predicate, payload, digest)
    ]
    if len(found) > MOST:
        raise TooManyActs
    return tuple(found)


def _acts(predicate: Predicate, payload: Any, digest: Digest) -> Iterator[Act]:
    every = [list(_values(each, payload, digest)) for each in predicate.parameters]
    return (Act(predicate.name, arguments) for arguments in product(*every))


def _values(parameter: Parameter, payload: Any, digest: Digest) -> Iterator[ActArgument]:
    none = True
    for number, (path, value) in enumerate(_at(payload, parameter.path, "")):
        if number >= MOST:
            raise TooManyActs
        none = False
        yield _argument(parameter, path, value, digest)
    if none:
        yield ActArgument(pointer(parameter.path))


def _at(value: Any, path: Sequence[str], here: str) -> Iterator[tuple[str, Any]]:
    if not path:
        yield here, value
    elif path[0] == EACH and isinstance(value, list):
        for index, item in enumerate(value):
            yield from _at(item, path[1:], f"{here}/{index}")
    elif isinstance(value, Mapping) and path[0] in value:
        yield from _at(value[path[0]], path[1:], f"{here}/{_token(path[0])}")
    elif isinstance(value, list) and path[0].isdecimal() and int(path[0]) < len(value):
        yield from _at(value[int(path[0])], path[1:], f"{here}/{path[0]}")


def _argument(parameter: Parameter, path: str, value: Any, digest: Digest) -> ActArgument:
    if parameter.kind is Kind.INT:
        return ActArgument(path, number=_number(value))
    text = _text(value)
    if text is None:
        return ActArgument(path)
    if parameter.kind is Kind.SYMBOL:
        known = {word.casefold(): word for word in parameter.values}
        return ActArgument(path, known.get(" ".join(text.split()).casefold()))
    return ActArgument(path, digest(parameter.scheme, text))


def _number(value: Any) -> int | None:
    """A whole number, however it is written; one that no state can hold is the bound it is beyond."""
    if isinstance(value, str):
        written = _WHOLE.fullmatch(value)
        if written is None:
            return None
        sign, digits = written.groups()
        number = int(digits) if len(digits) <= _DIGITS else _BOUND
        value = -number if sign == "-" else number
    if isinstance(value, bool) or not isinstance(value, int | float) or not _is_whole(value):
        return None
    return max(-_BOUND, min(int(value), _BOUND - 1))


def _is_whole(value: float) -> bool:
    return isinstance(value, int) or value.is_integer()


def _text(value: Any) -> str | None:
    """A scalar as text; a number that stands for a string is the same value as that string."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, int | float) else None


def pointer(path: Iterable[str]) -> str:
    """A path as RFC 6901 writes it."""
    return "".join(f"/{_token(each)}" for each in path)


def _token(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")

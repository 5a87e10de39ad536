"""Turns what was found for one setting into its type, or says what was expected instead."""

import re
from collections.abc import Mapping
from enum import EnumType
from pathlib import Path
from typing import Any

from lawful.schemas.errors import ConfigurationError

_UNITS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000}
_WORDS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
_LEAST_KEY = 16


class _Unfit(Exception):
    """Internal: what was expected."""


def parse(name: str, kind: Any, metadata: Mapping[str, Any], value: Any, origin: str) -> Any:
    """The value of a setting in its own type.

    Raises:
        ConfigurationError: with the setting, where the value came from and what was expected.
    """
    try:
        result = _convert(name, kind, value)
        _check(result, metadata)
    except _Unfit as expected:
        shown = "" if "secret" in metadata else f"{value!r}, "
        raise ConfigurationError(
            f"setting {name!r} from {origin}: {shown}expected {expected}", hint=metadata.get("help", "")
        ) from None
    return result


def _convert(name: str, kind: Any, value: Any) -> Any:
    if kind is bool:
        return _truth(value)
    if kind is int:
        return _milliseconds(value) if name.endswith("_ms") else _number(int, value, "a whole number")
    if kind is float:
        return _number(float, value, "a number")
    if kind is bytes:
        return _key(value)
    if isinstance(kind, EnumType):
        return _member(kind, value)
    if kind in (Path, Path | None):
        return Path(_text(value)).expanduser()
    return _text(value)


def _member(kind: Any, value: Any) -> Any:
    return kind(_one_of(str(value), [str(member) for member in kind]))


def _check(result: Any, metadata: Mapping[str, Any]) -> None:
    least, most = metadata.get("least"), metadata.get("most")
    if least is not None and result < least:
        raise _Unfit(f"at least {least}")
    if most is not None and result > most:
        raise _Unfit(f"at most {most}")
    if (choices := metadata.get("choices")) is not None:
        _one_of(result, choices)
    if (pattern := metadata.get("pattern")) is not None and not re.fullmatch(pattern, result):
        raise _Unfit(f"something that matches {pattern}")


def _truth(value: Any) -> bool:
    truth = value if isinstance(value, bool) else _WORDS.get(str(value).strip().lower())
    if truth is None:
        raise _Unfit("true or false")
    return truth


def _number(kind: type[int] | type[float], value: Any, expected: str) -> int | float:
    if isinstance(value, bool):
        raise _Unfit(expected)
    try:
        number = kind(str(value).strip())
    except ValueError:
        raise _Unfit(expected) from None
    if number != number:  # noqa: PLR0124 - only NaN differs from itself, and it passes every bound
        raise _Unfit(expected)
    return number


def _milliseconds(value: Any) -> int:
    match = re.fullmatch(r"(\d+)\s*(ms|s|m|h)?", str(value).strip())
    if match is None:
        raise _Unfit("a duration such as 250ms, 10s, 5m, or a number of milliseconds")
    return int(match[1]) * _UNITS[match[2] or "ms"]


def _key(value: Any) -> bytes:
    key = value if isinstance(value, bytes) else _text(value).encode()
    if len(key) < _LEAST_KEY:
        raise _Unfit(f"at least {_LEAST_KEY} bytes, found {len(key)}")
    return key


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            raise _Unfit("text in UTF-8") from None
    if isinstance(value, str | int | float | Path) and not isinstance(value, bool):
        return str(value)
    raise _Unfit("text")


def _one_of(value: str, choices: Any) -> str:
    if value not in choices:
        raise _Unfit("one of " + ", ".join(repr(str(choice)) for choice in choices))
    return value

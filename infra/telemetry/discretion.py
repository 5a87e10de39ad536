"""Keeps people out of log lines, whoever writes them.

Our own messages hold no personal data by contract; libraries made no such promise, and what an
exception says may quote what it choked on. So an exception is told by its class and its place in
the code, never by its words; an object by its class; and what looks like an address, a phone
number, an account or a card in any text is replaced. A name alone cannot be told from a word:
that is why no foreign sentence that stands in an argument is kept at all.
"""

import logging
import re
from collections.abc import Mapping
from enum import Enum
from pathlib import PurePath
from traceback import extract_tb
from types import TracebackType
from typing import Any, Final

from lawful.schemas.errors import LawfulError

OURS: Final = "lawful"
_READ, _KEPT, _FRAMES, _DEPTH = 4_000, 2_000, 6, 4
_PERSONAL: Final = re.compile(
    r"""
    # Ids, digests and times of day are nobody's.
    (?P<keep> \b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b
            | \b[0-9a-fA-F]{32,128}\b
            | \b\d{4}-\d\d-\d\d[T\ ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)? )
  | (?P<email> [^\s@<>"'(),;:&?\[\]{}=/\\]{1,64} (?:@|%40) [^\s@<>"'(),;:&?\[\]{}=/\\]{1,255} )
  | (?P<number> (?<![\w.]) \d{3}-\d{2}-\d{4} (?![\w.]) )
  | (?P<phone> \+\d[\d\s().-]{6,18}\d
            | (?<![\w.:-]) 0\d[\d\s()/-]{6,18}\d (?![\w.:-])
            | (?<![\w.-]) \(?\d{3}\)?[-.\ ]\d{3}[-.\ ]\d{4} (?![\w.-]) )
  | (?P<iban> \b[A-Z]{2}\d{2}(?:\ ?[A-Z0-9]{4}){2,7}(?:\ ?[A-Z0-9]{1,4})?\b )
  | (?P<card> (?<![\w.]) \d(?:[\ -]?\d){12,18} (?![\w.]) )
    """,
    re.VERBOSE,
)


class _Word(str):
    """Stands for a value; `%r` shows it as `%s` does."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def scrubbed(text: str) -> str:
    """The text without what points to somebody, as one line of bounded length."""
    clean = _PERSONAL.sub(_replacement, text[:_READ])
    # A line of somebody else's making must not look like one of the log's.
    return "".join(each if each.isprintable() else " " for each in clean)[:_KEPT]


def _replacement(match: re.Match[str]) -> str:
    kind, found = match.lastgroup or "", match[0]
    if kind == "keep" or (kind == "card" and not _luhn(found)):
        return found
    return f"[{kind}]"


def _luhn(text: str) -> bool:
    """Whether the digits could be a card's: offsets and times are as long, and mostly are not."""
    digits = [int(each) for each in text if each.isdecimal()]
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def message(record: logging.LogRecord) -> str:
    """What a log record says, without anybody in it."""
    ours = record.name.partition(".")[0] == OURS
    template = record.msg if isinstance(record.msg, str) else str(shown(record.msg, ours=ours))
    arguments = record.args
    if not arguments:
        return scrubbed(template)
    safe: Any
    if isinstance(arguments, Mapping):
        safe = {name: shown(value, ours=ours) for name, value in arguments.items()}
    else:
        safe = tuple(shown(value, ours=ours) for value in arguments)
    try:
        return scrubbed(template % safe)
    except (TypeError, ValueError, KeyError):
        return scrubbed(template)


def shown(value: object, *, ours: bool, depth: int = _DEPTH) -> object:
    """A value as it may stand in a log: numbers as they are, text scrubbed, anything else by its class.

    Args:
        value: an argument of a log message.
        ours: whether our own code wrote it, whose sentences may be kept.
        depth: how deep to look into lists and the like.
    """
    match value:
        case None | bool() | int() | float():
            return value
        case LawfulError():
            return _Word(scrubbed(str(value)))
        case BaseException():
            return _Word(type(value).__name__)
        case Enum():
            return shown(value.value, ours=ours)
        case str():
            return scrubbed(value) if ours or len(value.split()) <= 1 else _Word(f"<text of {len(value)}>")
        case bytes() | bytearray() | memoryview():
            return _Word(f"<{len(value)} bytes>")
        case PurePath():
            return _Word(scrubbed(str(value)))
        case Mapping() if depth:
            pairs = (
                (shown(key, ours=ours, depth=0), shown(each, ours=ours, depth=depth - 1)) for key, each in value.items()
            )
            return _Word("{" + ", ".join(f"{key}: {each}" for key, each in pairs) + "}")
        case list() | tuple() | set() | frozenset() if depth:
            return _Word("[" + ", ".join(str(shown(each, ours=ours, depth=depth - 1)) for each in value) + "]")
        case _:
            return _Word(f"<{type(value).__name__}>")


def errors(error: BaseException | None) -> list[str]:
    """The classes of an exception and of what led to it, outermost first."""
    found: list[str] = []
    while error is not None and len(found) < _FRAMES:
        found.append(type(error).__name__)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return found


def places(at: TracebackType | None) -> list[str]:
    """Where in the code it happened, innermost last: file, line and function, never the line itself."""
    frames = extract_tb(at)[-_FRAMES:]
    return [f"{PurePath(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]

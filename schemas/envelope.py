"""Envelope strings that hold a person's identifier: how they are noticed.

Agents put e-mail addresses into session ids and phone numbers into recipient ids. Views, audit
rows and guard reports carry those strings, so both the workers and the guard look at them with
this one function. It errs on the side of noticing: a false alarm costs a readable id, a miss
puts a person into the audit trail.
"""

import re
from collections.abc import Collection, Iterable
from typing import Protocol

from lawful.schemas.pseudonym import legible

_UUID = re.compile(r"(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
_TIME = re.compile(r"\b\d{4}-\d{2}-\d{2}(?:[T_ ]\d{2}:?\d{2}(?::?\d{2})?(?:\.\d+)?Z?)?(?!\d|[ .\-]\d)")
_HEX = re.compile(r"(?i)\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*[0-9])[0-9a-f]{16,}\b")
_MAIL = re.compile(r"[^\s@/:]+(?:@|%40)[^\s@/:]+")
_NUMBER = re.compile(r"\d(?:[ ().\-+]{0,3}\d){8,}")

PURPOSE_KEY = re.compile(r"[a-z0-9_]+(?:\.[a-z0-9_]+)*")
"""The shape of a purpose or category key; anything else may hold anything."""

MAX_LENGTH = 256
"""Longer envelope strings are no names of anything; they are treated as if they held a person."""


class Searching(Protocol):
    """A compiled pattern, or what behaves like one."""

    def search(self, text: str, /) -> object:
        """Something if the pattern is, or may be, in the text."""
        ...


def holds_identifier(text: str, known: Collection[str] = (), patterns: Iterable[Searching] = ()) -> bool:
    """Whether an envelope string holds, or may hold, a personal identifier.

    Args:
        text: the string, e.g. a session id.
        known: identifier values that the event itself names, compared without case.
        patterns: the policy's own identifier patterns (order or customer numbers).
    """
    return may_identify(text, patterns) or names_one_of(text, folded(known))


def may_identify(text: str, patterns: Iterable[Searching] = ()) -> bool:
    """Whether the look of an envelope string alone says that it may hold a personal identifier."""
    if len(text) > MAX_LENGTH:
        return True
    text = legible(text)
    # Nearly every event's own id is just a UUID: nothing else needs to be looked for in one.
    suspect = not _UUID.fullmatch(text) and _is_suspect(text) and _is_suspect(without_ids(text))
    return suspect or any(p.search(text) for p in patterns)


def folded(known: Collection[str]) -> tuple[str, ...]:
    """Identifier values as `names_one_of` takes them; blank ones are left out."""
    return tuple(each for each in (legible(value).casefold() for value in known) if each.strip())


def names_one_of(text: str, known: Iterable[str]) -> bool:
    """Whether an envelope string holds one of these `folded` values."""
    said = legible(text).casefold()
    return any(value in said for value in known)


def _is_suspect(text: str) -> bool:
    return bool(_MAIL.search(text) or _NUMBER.search(text))


def without_ids(text: str) -> str:
    """The string without UUIDs, times and hex digests, which have digits and name nobody."""
    return _HEX.sub("/", _TIME.sub("/", _UUID.sub("/", text)))

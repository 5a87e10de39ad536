"""What passes through the incoming firewall, and why something does not: the words of both, without content."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from lawful.schemas.legible import legible
from lawful.schemas.strict_json import Number

Scalar = str | int | float | bool
Value = Scalar | list[Scalar]
"""What a field holds once it is accepted."""

LONGEST_VALUE: Final = 500
"""Characters of one value; no form needs more."""


class Reason(StrEnum):
    """Why something was dropped."""

    UNKNOWN_KEY = "unknown_key"
    NOT_UNDERSTOOD = "not_understood"
    WRONG_TYPE = "wrong_type"
    NOT_A_CHOICE = "not_a_choice"
    OUT_OF_RANGE = "out_of_range"
    WRONG_UNIT = "wrong_unit"
    AMBIGUOUS = "ambiguous"
    REPEATED = "repeated"
    TOO_MANY = "too_many"
    TOO_LONG = "too_long"
    UNREADABLE = "unreadable"
    CONVERTER_FAILED = "converter_failed"


class Refused(Exception):
    """A value is none of its field's.

    Args:
        reason: why, as a code; what the value was is never said.
    """

    def __init__(self, reason: Reason) -> None:
        self.reason = reason
        super().__init__(reason.value)


@dataclass(frozen=True, slots=True, order=True)
class Dropped:
    """Something that did not come through, or did not go out.

    Attributes:
        key: the file's own word for the field; empty where it has none.
        reason: a stable code.
        count: how often.
    """

    key: str
    reason: str
    count: int

    def as_json(self) -> dict[str, Any]:
        """As commands print it."""
        return {"key": self.key, "reason": self.reason, "count": self.count}


def tallied(counts: Mapping[tuple[str, str], int]) -> tuple[Dropped, ...]:
    """Counts by key and reason, in a stable order."""
    return tuple(sorted(Dropped(key, reason, count) for (key, reason), count in counts.items() if count))


def text_of(raw: object) -> str:
    """A leaf of JSON, or a text, as one line of text.

    Raises:
        Refused: it is neither, or longer than any form needs.
    """
    if isinstance(raw, bool):
        return "true" if raw else "false"
    if isinstance(raw, int | float):
        raw = Number(repr(raw))
    if not isinstance(raw, str):
        raise Refused(Reason.WRONG_TYPE)
    if len(raw) > LONGEST_VALUE:
        raise Refused(Reason.TOO_LONG)
    return raw if isinstance(raw, Number) else " ".join(legible(raw).split())

"""What a regular expression cannot match without, as one that RE2 can search for in linear time.

Every match of the original is, from the same place on, a match of the condition; what RE2 cannot
say (what stands before and behind, what was captured) is left out of it, which only makes it
match more. Texts that are ASCII get a narrower condition than others: there, RE2's classes and
word boundaries are Python's. All other characters are one byte to RE2 (`linear.shadow`).
"""

import re
from collections.abc import Iterable
from re import _constants as codes  # type: ignore[attr-defined] # the grammar of `re`, which has no public name
from re import _parser as grammar  # type: ignore[attr-defined]
from typing import Any, Final

_MOST: Final = 8  # repetitions that RE2 is asked to count: each costs it states
_ASCII_CLASSES: Final = {
    codes.CATEGORY_DIGIT: "0-9",
    codes.CATEGORY_NOT_DIGIT: r"\x00-\x2f\x3a-\x{ff}",
    codes.CATEGORY_WORD: "0-9A-Z_a-z",
    codes.CATEGORY_NOT_WORD: r"\x00-\x2f\x3a-\x40\x5b-\x5e\x60\x7b-\x{ff}",
    codes.CATEGORY_SPACE: r"\t-\r\x1c-\x20",
    codes.CATEGORY_NOT_SPACE: r"\x00-\x08\x0e-\x1b\x21-\x{ff}",
}
# Where `regex` means something by what `re` reads as letters: errors that are let through, POSIX classes.
_FOREIGN: Final = re.compile(r"\{[^}0-9,]|\[:\^?\w+:|\[\[")
_OTHER: Final = r"\x{ff}"
_FOLDED: Final = "iIkKsS"  # letters with a relative outside of ASCII
_LAST_ASCII: Final = 0x7F


class _Unsaid(Exception):
    """A part of the expression has no condition that RE2 could check."""


def necessary(pattern: str, flags: int, *, ascii_only: bool) -> str | None:
    """A condition in RE2's syntax, or nothing where there is none worth checking.

    Args:
        pattern: as `re` and, without what is its own, `regex` read it.
        flags: of `re`.
        ascii_only: of texts that hold nothing else.
    """
    if _FOREIGN.search(pattern):
        return None
    try:
        parsed = grammar.parse(pattern, flags & (re.IGNORECASE | re.DOTALL | re.MULTILINE | re.VERBOSE))
        if parsed.getwidth()[0] == 0:
            return None
        condition = _Writer(ascii_only=ascii_only).sequence(
            parsed, ignore_case=bool(parsed.state.flags & re.IGNORECASE)
        )
    except (_Unsaid, re.error, RecursionError, OverflowError):
        return None
    return condition or None


class _Writer:
    def __init__(self, *, ascii_only: bool) -> None:
        self._ascii = ascii_only
        self._groups: dict[int, str] = {}

    def sequence(self, items: Iterable[Any], *, ignore_case: bool) -> str:
        return "".join(self._item(code, value, ignore_case) for code, value in items)

    def _item(self, code: Any, value: Any, ignore_case: bool) -> str:  # noqa: FBT001, C901 - one line per kind
        match code:
            case codes.LITERAL:
                return _case(self._literal(value, ignore_case), ignore_case)
            case codes.NOT_LITERAL:
                return f"[^{_char(value)}]" if value <= _LAST_ASCII else r"(?s:.)"
            case codes.ANY:
                return r"(?s:.)"
            case codes.IN:
                return self._class(value, ignore_case)
            case codes.BRANCH:
                return f"(?:{'|'.join(self.sequence(one, ignore_case=ignore_case) for one in value[1])})"
            case codes.SUBPATTERN:
                return self._group(*value, ignore_case=ignore_case)
            case codes.GROUPREF if value in self._groups:
                return self._groups[value]  # what it captured has the group's form
            case codes.ATOMIC_GROUP:
                return f"(?:{self.sequence(value, ignore_case=ignore_case)})"
            case codes.MAX_REPEAT | codes.MIN_REPEAT | codes.POSSESSIVE_REPEAT:
                return f"(?:{self.sequence(value[2], ignore_case=ignore_case)}){_times(*value[:2])}"
            case codes.AT:
                return r"\b" if value is codes.AT_BOUNDARY and self._ascii else ""
            case codes.ASSERT | codes.ASSERT_NOT:
                return ""
            case _:
                raise _Unsaid

    def _group(self, number: int | None, add: int, remove: int, inner: Any, *, ignore_case: bool) -> str:
        folds = (ignore_case or bool(add & re.IGNORECASE)) and not remove & re.IGNORECASE
        written = f"(?:{self.sequence(inner, ignore_case=folds)})"
        if number is not None:
            self._groups[number] = written
        return written

    def _literal(self, char: int, ignore_case: bool) -> str:  # noqa: FBT001 - handed on
        # An i without a dot, or with one, a long s and Kelvin's sign are these letters to `regex`.
        if ignore_case and char > _LAST_ASCII:
            return f"[{_OTHER}{_FOLDED}]"
        folds = ignore_case and not self._ascii and chr(char) in _FOLDED
        return f"[{chr(char)}{_OTHER}]" if folds else _char(char)

    def _class(self, items: list[Any], ignore_case: bool) -> str:  # noqa: FBT001 - handed on
        negated = bool(items) and items[0][0] is codes.NEGATE
        parts = "".join(self._member(code, value, negated) for code, value in items[negated:])
        if negated:
            return f"[^{parts}]" if parts else r"(?s:.)"
        if ignore_case:
            parts += _FOLDED if _OTHER in parts else "" if self._ascii else _OTHER
        return _case(f"[{parts}]", ignore_case)

    def _member(self, code: Any, value: Any, negated: bool) -> str:  # noqa: FBT001 - handed on
        match code:
            case codes.LITERAL:
                return "" if negated and value > _LAST_ASCII else _char(value)
            case codes.RANGE:
                return _range(*value, negated=negated)
            case codes.CATEGORY if value in _ASCII_CLASSES:
                other = "" if self._ascii else _OTHER
                # Of a class that is negated, only that part counts which is in it whatever Unicode says.
                known = _ASCII_CLASSES[value]
                return known.replace(r"\x{ff}", r"\x7f") if negated and not self._ascii else known + other
            case _:
                raise _Unsaid


def _char(code: int) -> str:
    return rf"\x{{{code:x}}}" if code <= _LAST_ASCII else _OTHER


def _range(first: int, last: int, *, negated: bool) -> str:
    if first > _LAST_ASCII:
        return "" if negated else _OTHER
    plain = f"{_char(first)}-{_char(min(last, _LAST_ASCII))}"
    return plain if negated or last <= _LAST_ASCII else plain + _OTHER


def _case(text: str, ignore_case: bool) -> str:  # noqa: FBT001 - handed on
    return f"(?i:{text})" if ignore_case else text


def _times(least: int, most: Any) -> str:
    if most is codes.MAXREPEAT or most > _MOST:
        return f"{{{min(least, _MOST)},}}"
    return f"{{{least},{most}}}"

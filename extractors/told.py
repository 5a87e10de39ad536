"""A policy's own field names in prose: `the credit score is 718`, `internal notes: call later`.

What a policy says of a field named `credit_score` holds as well when an agent tells it in words. Only
names that the policy lists are looked for, so that nothing else is read into a text.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from lawful.extractors.candidate import Candidate, Strength, Surroundings
from lawful.extractors.fields import Field
from lawful.extractors.hints import key_table
from lawful.extractors.keynames import normalise_key
from lawful.extractors.placeholders import is_placeholder
from lawful.extractors.port import KeyHint

_IS: Final = r"(?:is|are|was|were|reads|equals|of(?=[ ][$€£]?\d))"
_WHOSE: Final = r"(?P<whose>\b(?:the|my|your|his|her|their|our|whose)[ ]|['\u2019]s[ ])"
# What may stand around a name and be no part of it: quotation marks, and what makes it bold.
_MARK: Final = r"[\"'*]{0,2}"
# Which of several. Where nobody says whose, it has to be a number: `the current pay is 50`, no `original name is x`.
_WHICH: Final = (
    r"(?P<which>(?:(?:actual|annual|average|base|current|desired|estimated|expected|final|former|gross|initial|last|latest|monthly|net|new"
    r"|old|original|present|previous|prior|proposed|recent|requested|starting|total|updated|weekly|yearly)[ ]){0,2})"
)
_OF_NOBODY: Final = ("the", "our")
_NUMBER: Final = re.compile(r"[$€£]?\d")
_STILL: Final = ("now", "still")
# Where a value ends at the latest; a full stop within a number does not end it.
_END: Final = re.compile(
    r"[.!?](?=\s|$)|,?\s(?:and|but|while|with)\s(?:the|my|your|his|her|their|our|its|an?)\b"
    r"|,\s(?:the|my|your|his|her|their|our)\b"
)
# `The result is ready` tells no result.
# fmt: off
_NO_VALUE: Final = frozenset({
    "a", "an", "at", "available", "back", "being", "confidential", "correct", "due", "fine", "good", "here",
    "in", "missing", "needed", "not", "now", "ok", "on", "pending", "private", "ready", "required", "still",
    "that", "the", "there", "this", "to", "unchanged", "wrong",
})
# fmt: on
_SCORE: Final = 0.8
_STEPS: Final = 10  # per value

Names = tuple[tuple[str, str], ...]


class Told:
    """Finds values that prose gives to a policy's field names."""

    name = "told"

    def find(self, field: Field, around: Surroundings) -> list[Candidate]:
        """The values behind the policy's names."""
        hints = around.spec.key_hints
        if field.is_key or not field.is_string or " " not in field.text or not hints:
            return []
        names = _names(hints)
        return [
            Candidate(start, end, category, self.name, "1", _SCORE, Strength.PATTERN)
            for start, end, category in around.budget.each(_told(names, field.text) if names else (), _STEPS)
        ]


@lru_cache(maxsize=256)
def _names(hints: tuple[KeyHint, ...]) -> Names:
    """Name and category; what names a person's identifier is a pattern's business."""
    return tuple((normalise_key(hint.key), hint.category) for hint in hints if hint.scheme is None)


@lru_cache(maxsize=256)
def _pattern(names: Names) -> re.Pattern[str]:
    several = _any(name for name, _ in names if "_" in name)
    alone = _any(name for name, _ in names if "_" not in name)
    behind = _MARK + r"[ ]{0,2}(?:[:=]|[ ]" + _IS + r"\b:?)[ \"'*]{0,3}"
    return re.compile(
        rf"(?:(?<!\w)(?P<several>{several}){behind}|{_WHOSE}{_WHICH}(?P<alone>{alone}){behind}"
        rf"|(?<!\w)(?P<marked>{alone})[\"']?[ ]{{0,2}}[:=][ \"']{{0,3}})(?P<value>[^\n\r|;]{{1,300}})",
        re.IGNORECASE,
    )


def _any(names: Iterator[str]) -> str:
    spelt = sorted({re.escape(name).replace("_", r"[ _\-]") for name in names}, key=len, reverse=True)
    return "|".join(spelt) or r"(?!)"


def _told(names: Names, text: str) -> Iterator[tuple[int, int, str]]:
    categories, position = dict(names), 0
    pattern = _pattern(names)
    while (match := pattern.search(text, position)) is not None:
        # The value may hold the next name: go on right behind this one's.
        position = start = match.start("value")
        stop = _END.search(text, start, match.end("value"))
        end = start + len(text[start : stop.start() if stop else match.end("value")].rstrip(" ,.'\"*"))
        label = match["several"] or match["alone"] or match["marked"]
        if match["which"] and match["whose"].strip().casefold() in _OF_NOBODY and not _NUMBER.match(text, start):
            continue
        if _is_value(text[start:end], is_marked=text[match.start() : start].rstrip(" \"'*")[-1:] in ":="):
            yield start, end, categories[normalise_key(label)]


def _is_value(value: str, *, is_marked: bool) -> bool:
    if not value or is_placeholder(value) or value.casefold() in key_table().empty:
        return False
    first, _, rest = value.partition(" ")
    first = first.strip(",.").casefold()
    return is_marked or first not in _NO_VALUE or (first in _STILL and bool(_NUMBER.match(rest)))

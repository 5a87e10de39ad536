"""What a parser could not turn into events, so that nothing is swallowed.

Paths and counts only: a value from a trace may be personal data and is never quoted.
"""

from collections import Counter
from dataclasses import dataclass, field

from lawful.schemas.errors import LawfulError, Place


class UnreadableTrace(LawfulError):
    """This document is not of the format it was read as; the rest of the file goes on."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One document that was left out, and why."""

    place: Place
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


@dataclass(slots=True)
class Report:
    """Collects what one or more files held besides events.

    Attributes:
        problems: documents that could not be read, each with its place.
        unknown: fields that no parser knows, by path.
        left_out: fields that are known and are no part of an event (a benchmark's answers,
            say), by path.
    """

    problems: list[Problem] = field(default_factory=list)
    unknown: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)

    def problem(self, place: Place, message: str) -> None:
        """Note a document that was left out."""
        self.problems.append(Problem(place, message))

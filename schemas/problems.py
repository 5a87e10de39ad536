"""What is wrong with a file that somebody wrote by hand, where, and what would be right."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from lawful.schemas.errors import ConfigurationError, Place


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong."""

    place: Place
    message: str
    hint: str = ""

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" + (f" ({self.hint})" if self.hint else "")


class InvalidFile(ConfigurationError):
    """A file that cannot be used. Its text is the first problem; `problems` has all of them.

    Args:
        problems: at least one, in any order.
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(problems, key=lambda each: (each.place.file, each.place.line, each.place.column)))
        first = self.problems[0]
        more = len(self.problems) - 1
        hint = "; ".join(part for part in (first.hint, f"and {more} more" if more else "") if part)
        super().__init__(first.message, place=first.place, hint=hint)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A suggestion, or nothing where nothing is near."""
    near = get_close_matches(word, sorted(known), n=1, cutoff=0.6)
    return f"did you mean '{near[0]}'?" if near else ""

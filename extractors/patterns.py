"""A policy's own patterns: what they match, in bounded time and for so many steps.

They are written in the grammar of `regex`, whose searches can be ended; whatever a pattern costs
beside its matches is its author's choice, and ends with the event's time.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

import regex  # type: ignore[import-untyped] # ships no types

from lawful.extractors.budget import FREE, Budget, TimeUp
from lawful.extractors.candidate import Surroundings
from lawful.schemas.errors import ConfigurationError

_PER_MATCH: Final = 5  # steps
_PER_STEP: Final = 64  # characters that a pattern is looked for in
_CODE: Final = re.compile(r"[\d_]")  # what has neither is a word, and case tells words from codes


@lru_cache(maxsize=1_024)
def compiled(pattern: str, *, any_case: bool = False) -> Any:
    """A policy's pattern, compiled.

    Args:
        pattern: as the policy has it.
        any_case: whether case counts only where the pattern itself says so, with `(?-i:...)`.

    Raises:
        ConfigurationError: it is not a regular expression.
    """
    try:
        return regex.compile(pattern, regex.IGNORECASE if any_case else 0)
    except regex.error as error:
        raise ConfigurationError(f"a pattern of the policy's extraction is wrong: {error}") from error


def of_people(pattern: str, text: str, seconds: float, budget: Budget = FREE) -> Iterator[Any]:
    """Matches of a pattern for identifiers of people: as it is written, and codes in any case.

    Their pseudonyms know no case. A code has a digit or an underscore; of other words, case may be all
    that tells an identifier from a word (`[A-Z]{6}`).

    Args:
        pattern: as the policy has it.
        text: where to look.
        seconds: that each of two looks may take.
        budget: of steps.

    Raises:
        TimeoutError: it takes longer.
        TooMuchWork: there are too many.
    """
    written = set()
    for match in finditer(pattern, text, seconds, budget):
        written.add(match.span())
        yield match
    if _CODE.search(text):
        for match in finditer(pattern, text, seconds, budget, any_case=True):
            if match.span() not in written and _CODE.search(match.group()):
                yield match


def finditer(pattern: str, text: str, seconds: float, budget: Budget, *, any_case: bool = False) -> Iterator[Any]:
    """Every match, each paid for; raises `TimeoutError` and `TooMuchWork`."""
    budget.spend(len(text) // _PER_STEP)
    return budget.each(compiled(pattern, any_case=any_case).finditer(text, timeout=seconds), _PER_MATCH)


def matches(pattern: str, text: str, around: Surroundings) -> Iterator[Any]:
    """Every match of a pattern as it is written, within the time and the work that are left.

    Raises:
        TimeUp: it takes longer.
        TooMuchWork: there are too many.
    """
    return in_time(finditer(pattern, text, around.budget.remaining(), around.budget))


def in_time(found: Iterator[Any]) -> Iterator[Any]:
    """The same matches; raises `TimeUp` where they take too long."""
    try:
        yield from found
    except TimeoutError:
        raise TimeUp from None


def matches_whole(pattern: str, text: str, around: Surroundings) -> bool:
    """Whether a pattern, as it is written, matches a whole text; raises `TimeUp`."""
    try:
        return compiled(pattern).fullmatch(text, timeout=around.budget.remaining()) is not None
    except TimeoutError:
        raise TimeUp from None

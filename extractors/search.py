"""One look at a text by RE2 that says which patterns could match it at all, and then where.

Nearly all patterns match in nearly no text. All their necessary conditions are searched for at
once, in time linear in the text; only those that are met are confirmed, with the pattern itself
and only around the places that RE2 names.
"""

import re
from collections import defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from re import _parser as grammar  # type: ignore[attr-defined] # the grammar of `re`, which has no public name
from typing import Any, Final

import re2  # type: ignore[import-not-found, import-untyped, unused-ignore] # ships no types
import regex  # type: ignore[import-untyped] # ships no types

from lawful.extractors.budget import FREE, Budget, TimeUp
from lawful.extractors.lately import lately
from lawful.extractors.linear import Conditions, options, shadow
from lawful.extractors.necessary import necessary
from lawful.extractors.outline import outline, outlined

_LONG: Final = 1_000  # shorter texts are searched whole, and for all conditions at once
_WIDE: Final = 400  # wider patterns too
_MARGIN: Final = 64  # for what a pattern looks at behind its match
_MOST_PLACES: Final = 200
_PER_WINDOW: Final = 15  # steps
_PER_STEP: Final = 32  # characters of a window


class _Condition:
    """What a pattern cannot match without: where to look for it in a long text."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.forms = tuple(_usable(necessary(pattern, flags, ascii_only=narrow)) for narrow in (False, True))
        self._width = _width(pattern, flags)
        self._compiled: dict[bool, Any] = {}
        self._sets: dict[bool, Conditions] = {}

    def may_match(self, seen: bytes, *, ascii_only: bool) -> bool:
        """Whether it is met in a shadow of a text."""
        form = self.forms[ascii_only]
        if form is None:
            return True
        if ascii_only not in self._sets:
            self._sets[ascii_only] = Conditions([form])
        return bool(self._sets[ascii_only].met(seen))

    def windows(self, text: str) -> Iterator[tuple[int, int]]:
        """Stretches outside of which no match starts, and in which each ends; disjoint."""
        if self.forms[text.isascii()] is None or self._width is None:
            yield 0, len(text)
            return
        start = end = 0
        for count, place in enumerate(self._places(text)):
            first, last = place.start(), min(place.end() + self._width + _MARGIN, len(text))
            if first > end:
                if end:
                    yield start, end
                start = first
            end = last
            if count == _MOST_PLACES:
                end = len(text)
                break
        if end:
            yield start, end

    def _places(self, text: str) -> Iterator[Any]:
        narrow = text.isascii()
        if narrow not in self._compiled:
            self._compiled[narrow] = re2.compile(str(self.forms[narrow]).encode(), options())
        found: Iterator[Any] = self._compiled[narrow].finditer(shadow(text))
        return found


class Search:
    """One pattern in the grammar of `regex`, which a user may have written: it ends in time.

    Args:
        pattern: a regular expression.
        flags: of `regex`.
        linear: one of our own, in the grammar of `re`, that cannot take long: it needs no clock,
            which costs ten times what the match does.
    """

    def __init__(self, pattern: str, flags: int = 0, *, linear: bool = False) -> None:
        self.condition = _Condition(pattern, flags)
        self._compiled: Any = re.compile(pattern, _flags_of_re(flags)) if linear else regex.compile(pattern, flags)
        self._linear = linear

    def matches(self, text: str, seconds: float, budget: Budget = FREE) -> Iterator[Any]:
        """What `finditer` gives, in that order.

        Args:
            text: where to look.
            seconds: that it may take.
            budget: of steps; a look at a part of the text costs some.

        Raises:
            TimeUp: it takes longer.
            TooMuchWork: there are too many parts to look at.
        """
        places = self.condition.windows(text) if len(text) >= _LONG else ((0, len(text)),)
        if self._linear:
            for start, end in places:
                budget.spend(_PER_WINDOW + (end - start) // _PER_STEP)
                yield from self._compiled.finditer(text, start, end)
            return
        try:
            for start, end in places:
                budget.spend(_PER_WINDOW + (end - start) // _PER_STEP)
                yield from self._compiled.finditer(text, start, end, timeout=seconds)
        except TimeoutError:
            raise TimeUp from None

    def spans(self, text: str, budget: Budget) -> Iterator[tuple[int, int]]:
        """Where it matches.

        Raises:
            TimeUp: the budget is used up.
        """
        return (match.span() for match in self.matches(text, budget.remaining(), budget))


class Finder:
    """One pattern of our own, in the grammar of `re`: `finditer` where it hardly ever matches.

    Args:
        pattern: a regular expression.
        flags: of `re`.
        beside: finders that are asked about the same texts.
    """

    def __init__(self, pattern: str, flags: int = 0, beside: "Together | None" = None) -> None:
        self._compiled = re.compile(pattern, flags)
        self.condition = _Condition(pattern, flags | self._compiled.flags)
        self.together = PROSE if beside is None else beside
        self.number = self.together.join(self)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """What the pattern's own gives."""
        if self.number not in self.together.met(text):
            return iter(())
        return self._compiled.finditer(text) if len(text) < _LONG else self._through_windows(text)

    def _through_windows(self, text: str) -> Iterator[re.Match[str]]:
        for start, end in self.condition.windows(text):
            yield from self._compiled.finditer(text, start, end)

    def search(self, text: str) -> re.Match[str] | None:
        """The first match, where there is one."""
        return next(self.finditer(text), None)


class Prefilter:
    """Many patterns at once.

    What a short text could match is known from one automaton for all conditions. A long one could
    drive that through more states than RE2 can keep, so there each condition has its own.

    Args:
        searches: the patterns; those without a condition are always let through.
        told_by_outline: they are forms rather than words, so that a text's outline tells most of them.
    """

    def __init__(self, searches: Sequence[Search | Finder], *, told_by_outline: bool = True) -> None:
        self._searches = tuple(searches)
        self.unfiltered = frozenset(place for place, one in enumerate(searches) if None in one.condition.forms)
        self._numbers = tuple(place for place in range(len(searches)) if place not in self.unfiltered)
        self._looks = tuple(
            _Look({n: str(searches[n].condition.forms[narrow]) for n in self._numbers}, told_by_outline=told_by_outline)
            for narrow in (False, True)
        )

    def met(self, text: str) -> frozenset[int]:
        """The numbers of the patterns that could match a text."""
        ascii_only = text.isascii()
        if len(text) < _LONG:
            return self.unfiltered.union(self._looks[ascii_only].met(text))
        seen = shadow(text)
        return self.unfiltered.union(
            place for place in self._numbers if self._searches[place].condition.may_match(seen, ascii_only=ascii_only)
        )


class Together:
    """Finders that are asked about the same texts: one look tells for all of them. They join as they are made.

    Args:
        told_by_outline: see `Prefilter`.
    """

    def __init__(self, *, told_by_outline: bool = False) -> None:
        self._told_by_outline = told_by_outline
        self._finders: list[Finder] = []
        self._prefilter: Prefilter | None = None
        self.met = lately(self._look)
        """The numbers of the finders that could match a text."""

    def join(self, finder: Finder) -> int:
        """One more, and the number under which it is known."""
        self._finders.append(finder)
        self._prefilter = None
        self.met = lately(self._look)
        return len(self._finders) - 1

    def _look(self, text: str) -> Container[int]:
        if self._prefilter is None:
            self._prefilter = Prefilter(self._finders, told_by_outline=self._told_by_outline)
        return self._prefilter.met(text) if len(text) < _LONG else _Met(self._finders, text)


class AnyOf:
    """Some finders that are asked about the same texts."""

    def __init__(self, *finders: Finder) -> None:
        self._together = finders[0].together
        self._numbers = frozenset(one.number for one in finders)

    def may_match(self, text: str) -> bool:
        """Whether any of them could match a text."""
        met = self._together.met(text)
        if isinstance(met, frozenset):
            return not self._numbers.isdisjoint(met)
        return any(number in met for number in self._numbers)


class _Met:
    """The finders that could match a long text, each looked at when it is first asked about."""

    def __init__(self, finders: Sequence[Finder], text: str) -> None:
        self._finders, self._seen, self._narrow = finders, shadow(text), text.isascii()
        self._answers: dict[int, bool] = {}

    def __contains__(self, number: object) -> bool:
        if not isinstance(number, int):
            return False
        if number not in self._answers:
            self._answers[number] = self._finders[number].condition.may_match(self._seen, ascii_only=self._narrow)
        return self._answers[number]


PROSE: Final = Together()
"""What is looked for in each text that may be prose."""


class _Look:
    """Conditions by number: those that an outline can tell, and those that need the text.

    Args:
        conditions: in RE2's syntax.
        told_by_outline: see `Prefilter`.
    """

    def __init__(self, conditions: Mapping[int, str], *, told_by_outline: bool) -> None:
        by_outline, by_text = defaultdict[str, list[int]](list), defaultdict[str, list[int]](list)
        for number, condition in conditions.items():
            told = outlined(condition) if told_by_outline else None
            (by_outline[told] if told is not None else by_text[condition]).append(number)
        # Several patterns have one outline: RE2 is asked once.
        self._parts = [
            (tuple(owners.values()), Conditions(list(owners)), seen)
            for owners, seen in ((by_outline, outline), (by_text, shadow))
            if owners
        ]

    def met(self, text: str) -> list[int]:
        """The numbers of those that a text could meet."""
        found: list[int] = []
        for owners, conditions, seen in self._parts:
            for place in conditions.met(seen(text)):
                found += owners[place]
        return found


def _usable(condition: str | None) -> str | None:
    """The condition, unless RE2 cannot take it or it matches everything."""
    if condition is None:
        return None
    try:
        return None if re2.compile(condition.encode(), options()).search(b"") else condition
    except re2.error:
        return None


def _flags_of_re(flags: int) -> int:
    return flags & (re.IGNORECASE | re.DOTALL | re.MULTILINE | re.VERBOSE)


def _width(pattern: str, flags: int) -> int | None:
    """How long a match can be, where that is bounded."""
    try:
        width = int(grammar.parse(pattern, _flags_of_re(flags)).getwidth()[1])
    except (re.error, OverflowError, RecursionError):
        return None
    return width if width <= _WIDE else None

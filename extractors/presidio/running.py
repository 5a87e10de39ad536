"""One of Presidio's recognisers, run the short way where that gives the same.

A `PatternRecognizer` that does not say otherwise is its patterns, a validation and a score: that
much is done here, without the explanations that Presidio writes for every match. Whatever
overrides `analyze` is asked as Presidio would ask it.
"""

import copy
import itertools
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from presidio_analyzer import EntityRecognizer, PatternRecognizer

from lawful.extractors.budget import Budget, DetectorFailed, TimeUp, TooMuch
from lawful.extractors.config import EntityRule
from lawful.extractors.presidio.context import Words
from lawful.extractors.presidio.graded import GradedRecogniser
from lawful.extractors.presidio.hit import Hit, distinct
from lawful.extractors.search import Search
from lawful.schemas.errors import ConfigurationError

_NOW: Final = threading.local()
_PER_MATCH, _PER_WEIGHING = 14, 20  # steps
_UNLIKELY: Final = 0.1


class Running:
    """A recogniser.

    Args:
        recogniser: Presidio's, ours or a user's; it is left as it is.
        entities: what its entities are; others are left out.
        version: of Presidio.
    """

    def __init__(self, recogniser: Any, entities: Mapping[str, EntityRule], version: str) -> None:
        _check(recogniser)
        self.name: str = recogniser.name
        self.supported: list[str] = list(recogniser.supported_entities)
        self._entities = entities
        self._version = version
        patterns = recogniser.patterns if _is_patterns(recogniser) else []
        flags = getattr(recogniser, "global_regex_flags", 0)
        self.context = tuple(word.lower() for word in recogniser.context or ())
        self._grades = isinstance(recogniser, GradedRecogniser)
        self._unless = recogniser.unless if isinstance(recogniser, GradedRecogniser) else frozenset[str]()
        self.searches = [Search(pattern.regex, flags, linear=self._grades) for pattern in patterns]
        self._is_plain = self._grades or _is_plain(recogniser)
        rule = entities.get(self.supported[0])
        self._lost = [rule is None or _is_lost(recogniser, each, rule) for each in patterns]
        self._recogniser = recogniser if self._is_plain else _bounded(recogniser, self.searches, flags)
        # What is graded or asked in Presidio's way is asked even where no pattern of its own could match.
        if not self._is_plain:
            self.searches = []

    @property
    def reads_artifacts(self) -> bool:
        """Whether it is asked with what spaCy makes of the text."""
        return not self._is_plain

    def hits(self, text: str, words: Words, met: Sequence[int], budget: Budget, artifacts: Any) -> list[Hit]:
        """Its hits in a text, each weighed by the words beside it.

        Args:
            text: the text.
            words: of the text and around it.
            met: the numbers of those of its patterns whose conditions are met.
            budget: the time left.
            artifacts: what spaCy makes of the text, where it reads that.

        Raises:
            DetectorFailed: it raised.
            TimeUp: the budget is used up.
            TooMuch: there are more than an event may hold.
        """
        found = self.unweighed(text, words, met, budget, artifacts)
        if not self.context:
            return found
        return [self._weighed(hit, words) for hit in budget.each(found, _PER_WEIGHING)]

    def _weighed(self, hit: Hit, words: Words) -> Hit:
        """With its context, unless it is as sure without and no context is asked for."""
        is_sure = hit.score >= 1 and not self._entities[hit.entity].context_only
        weighed = hit if is_sure else words.weighed(hit, self.context)
        if self._unless and not weighed.has_context and not self._unless.isdisjoint(words.beside(hit.start)):
            return replace(weighed, score=_UNLIKELY)
        return weighed

    def unweighed(self, text: str, words: Words, met: Sequence[int], budget: Budget, artifacts: Any) -> list[Hit]:
        """As `hits`, with the scores that the patterns alone give."""
        try:
            if self._is_plain:
                return distinct(_at_most(budget.most, self._matched(text, words, met, budget)))
            return list(self._analysed(text, budget, artifacts))
        except (TimeUp, TooMuch):
            raise
        except Exception as error:  # noqa: BLE001 - a foreign library, and its message may hold the text
            raise DetectorFailed(f"presidio.{self.name}", type(error).__name__) from None

    def _matched(self, text: str, words: Words, met: Sequence[int], budget: Budget) -> Iterator[Hit]:
        if self.supported[0] not in self._entities:
            return
        for number in sorted(met):
            if not self._lost[number] or words.may_hold(self.context):
                pattern = self._recogniser.patterns[number]
                for start, end in self.searches[number].spans(text, budget):
                    budget.spend(_PER_MATCH + (end - start) // 2)
                    yield from self._graded(pattern, text, start, end)

    def _graded(self, pattern: Any, text: str, start: int, end: int) -> Iterator[Hit]:
        if self._grades:
            graded = self._recogniser.graded(text, start, end)
        else:
            graded = ((start, end, self._score(pattern, text[start:end])),)
        for first, last, score in graded:
            if score > 0:
                yield self._hit(self.supported[0], first, last, score, pattern.name)

    def _score(self, pattern: Any, match: str) -> float:
        if not match:
            return 0.0
        is_valid = self._recogniser.validate_result(match)
        score = float(pattern.score) if is_valid is None else float(bool(is_valid))
        return 0.0 if self._recogniser.invalidate_result(match) else score

    def _analysed(self, text: str, budget: Budget, artifacts: Any) -> Iterator[Hit]:
        _NOW.budget = budget
        try:
            results = self._recogniser.analyze(text, self.supported, artifacts) or []
        finally:
            _NOW.budget = None
        for result in results:
            if not 0 <= result.start < result.end <= len(text) or not 0 <= result.score <= 1:
                raise ValueError
            if result.entity_type in self._entities:
                explanation = getattr(result, "analysis_explanation", None)
                pattern = getattr(explanation, "pattern_name", None) or ""
                yield self._hit(result.entity_type, result.start, result.end, float(result.score), pattern)

    def _hit(self, entity: str, start: int, end: int, score: float, pattern: str) -> Hit:
        return Hit(entity, start, end, round(score, 4), f"presidio.{self.name}", self._version, pattern)


def _at_most(count: int, hits: Iterator[Hit]) -> list[Hit]:
    found = list(itertools.islice(hits, count + 1))
    if len(found) > count:
        raise TooMuch
    return found


class _BoundedRegex:
    """A compiled pattern whose matching ends with the event's budget, loudly.

    Presidio passes over a pattern that times out, which fails open.
    """

    def __init__(self, search: Search) -> None:
        self._search = search

    def finditer(self, text: str, timeout: float) -> Iterator[Any]:
        """As the pattern's own, within the event's time."""
        return self._search.matches(text, min(timeout, _NOW.budget.remaining()))


def _check(recogniser: Any) -> None:
    if not isinstance(recogniser, EntityRecognizer):
        raise ConfigurationError(f"{type(recogniser).__name__} is not a Presidio recogniser")


def _is_patterns(recogniser: Any) -> bool:
    return isinstance(recogniser, PatternRecognizer)


def _is_plain(recogniser: Any) -> bool:
    return _is_patterns(recogniser) and type(recogniser).analyze is PatternRecognizer.analyze


def _is_lost(recogniser: Any, pattern: Any, rule: EntityRule) -> bool:
    """Whether a match cannot count without a word beside it."""
    validates = type(recogniser).validate_result is not PatternRecognizer.validate_result
    is_validated = isinstance(recogniser, GradedRecogniser) or validates
    return rule.context_only or (pattern.score < rule.min_score and not is_validated)


def _bounded(recogniser: Any, searches: list[Search], flags: int) -> Any:
    """A copy whose patterns are bounded: Presidio shares pattern objects between instances."""
    mine = copy.copy(recogniser)
    if _is_patterns(recogniser):
        pairs = zip(recogniser.patterns, searches, strict=True)
        mine.patterns = [_bounded_pattern(pattern, search, flags) for pattern, search in pairs]
    return mine


def _bounded_pattern(pattern: Any, search: Search, flags: int) -> Any:
    mine = copy.copy(pattern)
    mine.compiled_regex = _BoundedRegex(search)
    mine.compiled_with_flags = flags
    return mine

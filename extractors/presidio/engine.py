"""Presidio's recognisers over one text, each guarded, timed and named.

Presidio's `AnalyzerEngine.analyze` runs the same parts in the same order, but swallows what times
out and does not say which recogniser failed. Its parts are used here through their public
interface, so that a user's own recognisers plug in unchanged.
"""

import copy
import logging
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import metadata
from typing import Any

import regex  # type: ignore[import-untyped] # ships no types
import spacy
import tldextract
from presidio_analyzer import EntityRecognizer, PatternRecognizer, RecognizerResult, predefined_recognizers
from presidio_analyzer.context_aware_enhancers import LemmaContextAwareEnhancer
from presidio_analyzer.nlp_engine import NlpArtifacts, SpacyNlpEngine
from spacy.language import Language

from lawful.extractors.budget import Budget, DetectorFailed, TimeUp
from lawful.extractors.config import EntityConfig, RecogniserRule
from lawful.extractors.presidio.recognisers import OURS
from lawful.schemas.errors import ConfigurationError

LANGUAGE = "en"


@dataclass(frozen=True, slots=True)
class Hit:
    """A place that a recogniser of Presidio's names."""

    entity: str
    start: int
    end: int
    score: float
    detector: str
    version: str
    has_context: bool = False


class _Nlp(SpacyNlpEngine):
    """Presidio's view of a text: tokens, lower-cased for lemmas, so that no model is needed for context."""

    def __init__(self, nlp: Language) -> None:
        super().__init__()
        self.nlp: Any = {LANGUAGE: nlp}

    def _doc_to_nlp_artifact(self, doc: Any, language: str) -> NlpArtifacts:
        words = [token.lower_ for token in doc]
        artifacts = NlpArtifacts(
            entities=[],
            tokens=doc,
            tokens_indices=[token.idx for token in doc],
            lemmas=words,
            nlp_engine=self,
            language=language,
            scores=[],
        )
        # Presidio leaves out stop words, and spaCy takes `call` for one.
        artifacts.keywords = words
        return artifacts


class _BoundedRegex:
    """A compiled pattern whose matching ends with the event's budget, loudly.

    Presidio passes over a pattern that times out, which fails open.
    """

    def __init__(self, compiled: Any) -> None:
        self._compiled = compiled
        self.budget: Budget | None = None

    def finditer(self, text: str, timeout: float) -> Iterator[Any]:
        """As the pattern's own, within the smaller of both times."""
        if self.budget is not None:
            timeout = min(timeout, self.budget.remaining())
        try:
            yield from self._compiled.finditer(text, timeout=timeout)
        except TimeoutError:
            raise TimeUp from None


class Engine:
    """Presidio over one text. One caller at a time: spaCy's models are not safe to share.

    Args:
        config: which recognisers run, and the entities that count.
        extra: a user's own recognisers.
    """

    def __init__(self, config: EntityConfig, extra: Sequence[EntityRecognizer] = ()) -> None:
        _keep_off_the_network()
        _keep_out_of_logs()
        self._config = config
        self._nlp = spacy.blank(LANGUAGE)
        self._artifacts = _Nlp(self._nlp)
        built = [(_own_copy(_build(rule)), rule.needs) for rule in config.recognisers]
        self._needs = [*built, *((_own_copy(one), "") for one in extra)]
        self._recognisers = [one for one, _ in self._needs]
        _check_entities(self._recognisers, config)
        self._bounded = [
            pattern.compiled_regex for one in self._recognisers for pattern in getattr(one, "patterns", ())
        ]
        self._enhancer = LemmaContextAwareEnhancer(context_matching_mode="whole_word")
        self._lock = threading.Lock()

    @cached_property
    def version(self) -> str:
        """Of Presidio; findings of its recognisers carry it."""
        return metadata.version("presidio-analyzer")

    def hits(self, text: str, words: Sequence[str], budget: Budget) -> list[Hit]:
        """All hits in a text, in no order.

        Args:
            text: what to read.
            words: context from outside the text, such as a field's name.
            budget: the time left; it bounds every regular expression.

        Raises:
            DetectorFailed: a recogniser raised.
            TimeUp: the budget is used up.
        """
        with self._lock, self._nlp.memory_zone():
            for pattern in self._bounded:
                pattern.budget = budget
            artifacts = self._read(text)
            asked = (one for one, needs in self._needs if _may_hold(text, needs))
            results = [hit for one in asked for hit in self._run(one, text, artifacts, budget)]
            results = self._with_context(text, results, artifacts, words)
            return [self._hit(result) for result in results]

    def _read(self, text: str) -> NlpArtifacts:
        try:
            doc = self._nlp.make_doc(text)
            return self._artifacts._doc_to_nlp_artifact(doc, LANGUAGE)  # noqa: SLF001 - ours, above
        except Exception as error:  # noqa: BLE001 - a foreign library, and its message may hold the text
            raise DetectorFailed("spacy", type(error).__name__) from None

    def _run(self, recogniser: Any, text: str, artifacts: NlpArtifacts, budget: Budget) -> list[RecognizerResult]:
        budget.check()
        try:
            results = recogniser.analyze(text, recogniser.supported_entities, artifacts) or []
        except TimeUp:
            raise
        except Exception as error:  # noqa: BLE001 - a foreign library, and its message may hold the text
            raise DetectorFailed(f"presidio.{recogniser.name}", type(error).__name__) from None
        for result in results:
            result.recognition_metadata = {
                RecognizerResult.RECOGNIZER_NAME_KEY: recogniser.name,
                RecognizerResult.RECOGNIZER_IDENTIFIER_KEY: recogniser.id,
            }
        return [result for result in results if result.entity_type in self._config.entities]

    def _with_context(
        self, text: str, results: list[RecognizerResult], artifacts: NlpArtifacts, words: Sequence[str]
    ) -> list[RecognizerResult]:
        if not results:
            return []
        try:
            enhanced: list[RecognizerResult] = self._enhancer.enhance_using_context(
                text, results, artifacts, self._recognisers, list(words)
            )
        except Exception as error:  # noqa: BLE001 - a foreign library, and its message may hold the text
            raise DetectorFailed("presidio.context", type(error).__name__) from None
        return enhanced

    def _hit(self, result: RecognizerResult) -> Hit:
        name = result.recognition_metadata[RecognizerResult.RECOGNIZER_NAME_KEY]
        explanation = result.analysis_explanation
        has_context = bool(getattr(explanation, "supportive_context_word", ""))
        score = round(float(result.score), 4)
        return Hit(result.entity_type, result.start, result.end, score, f"presidio.{name}", self.version, has_context)


def _may_hold(text: str, needs: str) -> bool:
    """Whether a text can hold what a recogniser looks for: a necessary condition, and a cheap one."""
    if needs == "digit":
        return any(char.isdecimal() for char in text)
    return not needs or any(char in text for char in needs)


def _build(rule: RecogniserRule) -> EntityRecognizer:
    if rule.definition is not None:
        return PatternRecognizer.from_dict(dict(rule.definition))
    kind = OURS.get(rule.name) or getattr(predefined_recognizers, rule.name, None)
    if kind is None:
        raise ConfigurationError(f"no recogniser is called {rule.name!r}")
    recogniser: EntityRecognizer = kind()
    if rule.context is not None:
        recogniser.context = list(rule.context)
    return recogniser


def _own_copy(recogniser: Any) -> Any:
    """A copy whose patterns are bounded: Presidio shares pattern objects between instances."""
    if not isinstance(recogniser, EntityRecognizer):
        raise ConfigurationError(f"{type(recogniser).__name__} is not a Presidio recogniser")
    mine: Any = copy.copy(recogniser)
    if isinstance(recogniser, PatternRecognizer):
        mine.patterns = [_bounded_pattern(pattern, mine.global_regex_flags) for pattern in mine.patterns]
    return mine


def _bounded_pattern(pattern: Any, flags: int) -> Any:
    mine = copy.copy(pattern)
    mine.compiled_regex = _BoundedRegex(regex.compile(pattern.regex, flags))
    mine.compiled_with_flags = flags
    return mine


def _check_entities(recognisers: Sequence[Any], config: EntityConfig) -> None:
    for one in recognisers:
        for entity in one.supported_entities:
            if entity not in config.entities:
                raise ConfigurationError(
                    f"the recogniser {one.name!r} finds {entity!r}, which has no data category",
                    hint="give build_extractor a category for it, or add it to the entities of your YAML",
                )


def _keep_off_the_network() -> None:
    """The public-suffix list that Presidio asks for comes from the package, whoever asks."""
    tldextract.tldextract.TLD_EXTRACTOR.suffix_list_urls = ()


def _keep_out_of_logs() -> None:
    """Presidio logs what it reads (context words, texts that fail a checksum): none of it may appear."""
    logger = logging.getLogger("presidio-analyzer")
    if not any(isinstance(one, _Withhold) for one in logger.filters):
        logger.addFilter(_Withhold())


class _Withhold(logging.Filter):
    """Lets warnings through as the place they come from, and nothing else."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record passes, without its message."""
        record.msg, record.args = f"message withheld ({record.module}:{record.lineno})", ()
        record.exc_info = record.exc_text = None
        return record.levelno >= logging.WARNING

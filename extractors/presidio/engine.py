"""Presidio's recognisers over one text, each guarded, timed and named.

Presidio's `AnalyzerEngine.analyze` asks every recogniser about every text, swallows what times out
and does not say which recogniser failed. Here RE2 says first whose patterns could match at all.
Recognisers are used through their public interface, so that a user's own plug in unchanged.
"""

from collections import defaultdict
from collections.abc import Sequence
from importlib import metadata
from typing import Any, Final

from presidio_analyzer import EntityRecognizer, PatternRecognizer, predefined_recognizers

from lawful.extractors.budget import Budget, DetectorFailed
from lawful.extractors.config import EntityConfig, RecogniserRule
from lawful.extractors.lately import lately
from lawful.extractors.presidio.artifacts import Tokeniser
from lawful.extractors.presidio.context import Vocabulary, Words
from lawful.extractors.presidio.hit import Hit
from lawful.extractors.presidio.quiet import keep_quiet
from lawful.extractors.presidio.recognisers import OURS
from lawful.extractors.presidio.running import Running
from lawful.extractors.search import Prefilter
from lawful.schemas.errors import ConfigurationError

_PER_TEXT: Final = 4  # steps


class Engine:
    """Presidio over one text. Safe to share by threads.

    Args:
        config: which recognisers run, and the entities that count.
        extra: a user's own recognisers.

    Raises:
        ConfigurationError: a recogniser does not exist, is none, or finds what has no category.
    """

    def __init__(self, config: EntityConfig, extra: Sequence[EntityRecognizer] = ()) -> None:
        keep_quiet()
        self.version = metadata.version("presidio-analyzer")
        built = [*map(_build, config.recognisers), *extra]
        self.recognisers = [Running(one, config.entities, self.version) for one in built]
        _check_entities(self.recognisers, config)
        self._owners = [(one, number) for one in self.recognisers for number in range(len(one.searches))]
        self._met = lately(Prefilter([one.searches[number] for one, number in self._owners]).met)
        self._vocabulary = Vocabulary(word for one in self.recognisers for word in one.context)
        self._always = [one for one in self.recognisers if not one.searches]
        self._tokeniser = Tokeniser() if any(one.reads_artifacts for one in self.recognisers) else None

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
        met: dict[Running, list[int]] = defaultdict(list, {one: [] for one in self._always})
        for place in self._met(text):
            owner, number = self._owners[place]
            met[owner].append(number)
        if not met:
            return []
        budget.spend(_PER_TEXT)
        near = Words(text, words, self._vocabulary)
        artifacts = self._artifacts(text) if any(one.reads_artifacts for one in met) else None
        found = []
        for one, numbers in met.items():
            budget.check()
            found += one.hits(text, near, numbers, budget, artifacts)
        return found

    def _artifacts(self, text: str) -> Any:
        try:
            return self._tokeniser.read(text) if self._tokeniser else None
        except Exception as error:  # noqa: BLE001 - a foreign library, and its message may hold the text
            raise DetectorFailed("spacy", type(error).__name__) from None


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


def _check_entities(recognisers: Sequence[Running], config: EntityConfig) -> None:
    for one in recognisers:
        for entity in one.supported:
            if entity not in config.entities:
                raise ConfigurationError(
                    f"the recogniser {one.name!r} finds {entity!r}, which has no data category",
                    hint="give build_extractor a category for it, or add it to the entities of your YAML",
                )

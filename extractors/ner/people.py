"""Who and where, in prose: a model's guesses with the evidence that each needs, and listed names."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from lawful.extractors.candidate import Candidate, Strength, Surroundings
from lawful.extractors.chunks import chunks
from lawful.extractors.fields import Field
from lawful.extractors.names import LISTED, accept_guess, listed_names, name_table
from lawful.extractors.ner.model import Guess
from lawful.extractors.places import is_home, kind_of

DETECTOR = "spacy.ner"
_FEWEST_SPACES = 3  # what is shorter is a value, and left to the lists of names
_PLACE_SCORE = 0.6


class Guesser(Protocol):
    """What is needed of `model.Model`."""

    @property
    def version(self) -> str:
        """Of the model."""
        ...

    def guesses(self, texts: Sequence[str]) -> list[tuple[Guess, ...]]:
        """The names in each text."""
        ...


class People:
    """Finds names of people, and places where somebody lives.

    Args:
        model: guesses.
    """

    name = "people"

    def __init__(self, model: Guesser) -> None:
        self._model = model

    def find(self, field: Field, around: Surroundings) -> list[Candidate]:
        """Hits in a field. The model is asked where there can be prose: not for keys, numbers and codes."""
        found = set(self._listed(field))
        if field.is_string and not field.is_key and may_hold_names(field.text):
            found.update(self._guessed(field, around))
        return list(found)

    def _guessed(self, field: Field, around: Surroundings) -> Iterator[Candidate]:
        for chunk in chunks(field.text):
            around.budget.check()
            (guesses,) = self._model.guesses([chunk.text])
            for guess in guesses:
                yield from self._accepted(field.text, guess.start + chunk.start, guess.end + chunk.start, guess.entity)

    def _accepted(self, text: str, start: int, end: int, entity: str) -> Iterator[Candidate]:
        if entity == "PERSON":
            accepted = accept_guess(text, start, end)
            if accepted is not None:
                yield self._guess(*accepted, "user.name")
        elif is_home(text, start):
            yield self._guess(start, end, _PLACE_SCORE, kind_of(text[start:end]))

    def _guess(self, start: int, end: int, score: float, category: str) -> Candidate:
        return Candidate(start, end, category, DETECTOR, self._model.version, score, Strength.GUESS)

    def _listed(self, field: Field) -> list[Candidate]:
        if not field.is_string:
            return []
        version = name_table().version
        return [
            Candidate(start, end, "user.name", "names", version, LISTED, Strength.LEXICON)
            for start, end in listed_names(field.text)
        ]


def may_hold_names(text: str) -> bool:
    """Whether the model's guesses about a text could be accepted: it takes a few words, and a capital letter."""
    return text.count(" ") >= _FEWEST_SPACES and any(char.isupper() for char in text)

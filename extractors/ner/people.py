"""Who and where, in prose: a model's guesses with the evidence that each needs, and listed names."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Final

from lawful.extractors.budget import Budget
from lawful.extractors.candidate import Candidate, Strength, Surroundings
from lawful.extractors.cues import Spans
from lawful.extractors.fields import Field
from lawful.extractors.names import LISTED, accept_guess, listed_names, name_table
from lawful.extractors.ner.model import Guess
from lawful.extractors.ner.recase import recased
from lawful.extractors.ner.remembered import Guesser, Remembered
from lawful.extractors.ner.segments import Segment, telling
from lawful.extractors.places import is_home, kind_of
from lawful.extractors.port import ExtractionSpec

DETECTOR: Final = "spacy.ner"
_FEWEST_SPACES: Final = 3  # what is shorter is a value, and left to the lists of names
_PLACE_SCORE: Final = 0.6
_PER_TEXT: Final = 14  # steps
_PER_STEP: Final = 3  # characters that are looked at for names
_PER_PART, _PER_CHARACTER = 40, 4  # steps of the model
_CATEGORIES: Final = {"PERSON": "user.name", "LOCATION": "user.contact.address.city"}
_OBJECTIONS: Final = {
    "PERSON": "it has not the form of a name, or there is no evidence for one",
    "LOCATION": "nothing says that somebody lives there",
}


class People:
    """Finds names of people, and places where somebody lives.

    Args:
        model: guesses; one that remembers, if `ahead` is to be of use.
    """

    name = "people"

    def __init__(self, model: Guesser) -> None:
        self._model = model
        self._seen: dict[str, _Prose] = {}  # of the fields that are asked about next, with what reading them costs

    def ahead(self, fields: Sequence[tuple[Field, ExtractionSpec]]) -> None:
        """Asks the model about many fields at once: the same answers in a fraction of the time."""
        wanted = (field.text for field, spec in fields if spec.names and is_prose_field(field))
        self._seen = seen = {text: _prose(text) for text in wanted}
        texts = dict.fromkeys(part.text for prose in seen.values() for part in prose.parts)
        if texts:
            self._model.guesses(list(texts))

    def forget(self) -> None:
        """Lets go of what was guessed before; for measuring."""
        if isinstance(self._model, Remembered):
            self._model.forget()

    def find(self, field: Field, around: Surroundings) -> list[Candidate]:
        """Hits in a field. The model is asked where there can be prose: not for keys, numbers and codes."""
        if not field.is_string:
            return []
        if not (around.spec.names and is_prose_field(field)):
            return [_listed(span) for span in listed_names(field.text, around.budget)]
        prose = self._prose(field.text, around.budget)
        guessed = (hit for guess in self._guesses(prose, around) for hit in self._accepted(prose.text, guess))
        return list({*map(_listed, prose.listed), *guessed})

    def rejected(self, field: Field, around: Surroundings) -> list[tuple[Candidate, str]]:
        """See `lawful.extractors.explain.Weighs`."""
        if not (around.spec.names and is_prose_field(field)):
            return []
        prose = self._prose(field.text, around.budget)
        return [
            (self._guess(guess.start, guess.end, 0.0, _CATEGORIES[guess.entity]), _OBJECTIONS[guess.entity])
            for guess in self._guesses(prose, around)
            if not any(self._accepted(prose.text, guess))
        ]

    def _prose(self, text: str, budget: Budget) -> "_Prose":
        """Paid for whether it was read ahead or not: what an event costs depends on nothing but itself."""
        budget.spend(_PER_TEXT + len(text) // _PER_STEP)
        seen = self._seen.get(text)
        if seen is None:
            return _prose(text, budget)
        budget.spend(seen.steps)
        return seen

    def _guesses(self, prose: "_Prose", around: Surroundings) -> Iterator[Guess]:
        if not prose.parts:
            return
        around.budget.check()
        # As above: whether they were guessed before or not.
        around.budget.spend(sum(_PER_PART + _PER_CHARACTER * len(part.text) for part in prose.parts))
        texts = [part.text for part in prose.parts]
        for part, guesses in zip(prose.parts, self._model.guesses(texts), strict=True):
            yield from (Guess(one.start + part.start, one.end + part.start, one.entity) for one in guesses)

    def _accepted(self, text: str, guess: Guess) -> Iterator[Candidate]:
        start, end = guess.start, guess.end
        if guess.entity == "PERSON":
            accepted = accept_guess(text, start, end)
            if accepted is not None:
                yield self._guess(*accepted, "user.name")
        elif is_home(text, start):
            yield self._guess(start, end, _PLACE_SCORE, kind_of(text[start:end]))

    def _guess(self, start: int, end: int, score: float, category: str) -> Candidate:
        return Candidate(start, end, category, DETECTOR, self._model.version, score, Strength.GUESS)


def _listed(span: tuple[int, int]) -> Candidate:
    return Candidate(*span, "user.name", "names", name_table().version, LISTED, Strength.LEXICON)


@dataclass(frozen=True, slots=True)
class _Prose:
    """A text as a model reads it.

    Attributes:
        listed: where names stand that are found without a model.
        parts: that could hold another name.
        steps: what finding these cost.
    """

    text: str = dataclass_field(repr=False)
    listed: Spans
    parts: tuple[Segment, ...]
    steps: int


def _prose(text: str, budget: Budget | None = None) -> _Prose:
    budget = budget or Budget(lambda: 0.0, 1.0)
    before = budget.steps
    listed, cased = sorted(listed_names(text, budget)), recased(text, budget)
    parts = tuple(telling(cased, budget, listed))
    return _Prose(cased, listed, parts, before - budget.steps)


def is_prose_field(field: Field) -> bool:
    """Whether the model is of use for a field: it takes a few words."""
    return field.is_string and not field.is_key and field.text.count(" ") >= _FEWEST_SPACES

"""What Presidio and the language model find, as categories: with the evidence that each kind needs."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from lawful.extractors.budget import Budget
from lawful.extractors.candidate import Candidate, Strength, Surroundings
from lawful.extractors.chunks import Chunk, chunks
from lawful.extractors.config import EntityConfig
from lawful.extractors.fields import Field
from lawful.extractors.names import LISTED, accept_guess, listed_names, name_table
from lawful.extractors.places import is_home, kind_of
from lawful.extractors.presidio.engine import Hit
from lawful.schemas.event import Identifier
from lawful.schemas.pseudonym import Pseudonymiser

_FEWEST_SPACES = 3  # what is shorter is a value, and left to the lists of names


class Engine(Protocol):
    """What is needed of `presidio.engine.Engine`."""

    def hits(self, text: str, words: Sequence[str], budget: Budget, *, with_names: bool) -> list[Hit]:
        """All hits in a text."""
        ...


class Language:
    """Patterns and names in any text, keys included.

    Args:
        engine: Presidio.
        config: what its entities are.
        pseudonymiser: for entities whose text identifies a person.
    """

    name = "presidio"

    def __init__(self, engine: Engine, config: EntityConfig, pseudonymiser: Pseudonymiser) -> None:
        self._engine = engine
        self._config = config
        self._pseudonymiser = pseudonymiser

    def find(self, field: Field, around: Surroundings) -> list[Candidate]:
        """Hits in a field. The model is asked where there can be prose: not for keys, numbers and codes."""
        words = tuple(word for key in field.keys[-2:] for word in key.split("_"))
        with_names = field.is_string and not field.is_key and may_hold_names(field.text)
        found = {
            candidate
            for chunk in chunks(field.text)
            for candidate in self._in_chunk(field, chunk, words, around, with_names=with_names)
        }
        return [*found, *self._listed(field)]

    def _in_chunk(
        self, field: Field, chunk: Chunk, words: Sequence[str], around: Surroundings, *, with_names: bool
    ) -> list[Candidate]:
        around.budget.check()
        hits = self._engine.hits(chunk.text, words, around.budget, with_names=with_names)
        tenant = around.event.tenant_id
        shifted = (replace(hit, start=hit.start + chunk.start, end=hit.end + chunk.start) for hit in hits)
        return [candidate for hit in shifted if (candidate := self._accept(field, hit, tenant)) is not None]

    def _accept(self, field: Field, hit: Hit, tenant: str) -> Candidate | None:
        rule = self._config.entities[hit.entity]
        if hit.score < rule.min_score or (rule.context_only and not hit.has_context):
            return None
        if hit.entity == "PERSON" and hit.detector == "spacy.ner":
            span = accept_guess(field.text, hit.start, hit.end)
            return None if span is None else self._candidate(hit, *span, rule.category, Strength.GUESS)
        if hit.entity == "LOCATION" and hit.detector == "spacy.ner":
            if not is_home(field.text, hit.start):
                return None
            category = kind_of(field.text[hit.start : hit.end])
            return self._candidate(hit, hit.start, hit.end, 0.6, category, Strength.GUESS)
        subject = None
        if rule.scheme is not None:
            subject = self._pseudonymiser.of(tenant, Identifier(rule.scheme, field.text[hit.start : hit.end]))
        found = self._candidate(hit, hit.start, hit.end, hit.score, rule.category, Strength.PATTERN)
        return replace(found, subject=subject)

    def _candidate(  # noqa: PLR0913, PLR0917 - the parts of one record
        self, hit: Hit, start: int, end: int, score: float, category: str, strength: Strength
    ) -> Candidate:
        return Candidate(start, end, category, hit.detector, hit.version, score, strength)

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

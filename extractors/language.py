"""What Presidio's recognisers find, as categories: with the evidence that each kind needs."""

from collections.abc import Sequence
from typing import Protocol

from lawful.extractors.budget import Budget
from lawful.extractors.candidate import Candidate, Strength, Surroundings
from lawful.extractors.config import EntityConfig
from lawful.extractors.fields import Field
from lawful.extractors.presidio.hit import Hit
from lawful.schemas.event import Identifier
from lawful.schemas.pseudonym import Pseudonymiser


class Engine(Protocol):
    """What is needed of `presidio.engine.Engine`."""

    def hits(self, text: str, words: Sequence[str], budget: Budget) -> list[Hit]:
        """All hits in a text."""
        ...


class Language:
    """Patterns in any text, keys included.

    Args:
        engine: Presidio.
        config: what its entities are.
        pseudonymiser: for entities whose text identifies a person.
    """

    name = "presidio"
    reads_disguises = True

    def __init__(self, engine: Engine, config: EntityConfig, pseudonymiser: Pseudonymiser) -> None:
        self._engine = engine
        self._config = config
        self._pseudonymiser = pseudonymiser

    def find(self, field: Field, around: Surroundings) -> list[Candidate]:
        """Hits in a field."""
        tenant = around.event.tenant_id
        return [self._candidate(field, hit, tenant) for hit in self._hits(field, around) if not self._objection(hit)]

    def rejected(self, field: Field, around: Surroundings) -> list[tuple[Candidate, str]]:
        """See `lawful.extractors.explain.Weighs`."""
        tenant = around.event.tenant_id
        return [
            (self._candidate(field, hit, tenant), objection)
            for hit in self._hits(field, around)
            if (objection := self._objection(hit))
        ]

    def _hits(self, field: Field, around: Surroundings) -> list[Hit]:
        words = tuple(word for key in field.keys[-2:] for word in key.split("_"))
        return self._engine.hits(field.text, words, around.budget)

    def _objection(self, hit: Hit) -> str:
        """Why a hit does not count; nothing if it does."""
        rule = self._config.entities[hit.entity]
        if hit.score < rule.min_score:
            return f"{hit.entity} counts from a score of {rule.min_score} on"
        if rule.context_only and not hit.has_context:
            return f"{hit.entity} counts only beside a word that says so"
        return ""

    def _candidate(self, field: Field, hit: Hit, tenant: str) -> Candidate:
        rule = self._config.entities[hit.entity]
        subject = None
        if rule.scheme is not None:
            subject = self._pseudonymiser.of(tenant, Identifier(rule.scheme, field.text[hit.start : hit.end]))
        return Candidate(
            hit.start,
            hit.end,
            rule.category,
            hit.detector,
            hit.version,
            hit.score,
            Strength.PATTERN,
            subject,
            hit.has_context,
        )

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
        words = tuple(word for key in field.keys[-2:] for word in key.split("_"))
        hits = self._engine.hits(field.text, words, around.budget)
        tenant = around.event.tenant_id
        return [candidate for hit in hits if (candidate := self._accept(field, hit, tenant)) is not None]

    def _accept(self, field: Field, hit: Hit, tenant: str) -> Candidate | None:
        rule = self._config.entities[hit.entity]
        if hit.score < rule.min_score or (rule.context_only and not hit.has_context):
            return None
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

"""Puts the real extractor together: Presidio and its model, names of fields, identifiers, lexicons."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from lawful.extractors.cache import Cached
from lawful.extractors.config import EntityConfig, EntityRule, load_entities
from lawful.extractors.facts import Facts
from lawful.extractors.hints import KeyHints
from lawful.extractors.identifiers import DeclaredSubjects, PolicyPatterns
from lawful.extractors.labels import Labels
from lawful.extractors.language import Language
from lawful.extractors.lexicon import Lexicons
from lawful.extractors.pipeline import Pipeline
from lawful.extractors.places import Places
from lawful.extractors.port import Extractor
from lawful.extractors.presidio.engine import DEFAULT_MODEL, Engine
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.pseudonym import Pseudonymiser


def build(
    pseudonymiser: Pseudonymiser,
    clock: Callable[[], float],
    model: str | None,
    recognizers: Sequence[Any],
    categories: Mapping[str, str],
    config: Path | None,
) -> Extractor:
    """See `lawful.extractors.build_extractor`."""
    own = load_entities(config) if config else EntityConfig("0", (), {})
    added = EntityConfig("0", (), {entity: EntityRule(category) for entity, category in categories.items()})
    entities = load_entities().plus(own).plus(added) if config or categories else load_entities()
    _check_categories(entities)
    engine = Engine(entities, model or DEFAULT_MODEL, recognizers)
    language = Language(engine, entities, pseudonymiser)
    return Pipeline(
        [
            DeclaredSubjects(pseudonymiser),
            PolicyPatterns(pseudonymiser),
            KeyHints(pseudonymiser),
            Cached(language),
            Labels(),
            Places(),
            Facts(),
            Lexicons(),
        ],
        clock,
    )


def _check_categories(entities: EntityConfig) -> None:
    for entity, rule in entities.entities.items():
        if rule.category != "user" and not rule.category.startswith("user."):
            raise ConfigurationError(
                f"the entity {entity!r} has the category {rule.category!r}", hint="data categories start with `user`"
            )

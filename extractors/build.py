"""Puts the real extractor together: Presidio and its model, names of fields, identifiers, lexicons."""

import difflib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from lawful.extractors.config import EntityConfig, EntityRule, load_entities
from lawful.extractors.facts import Facts
from lawful.extractors.hints import KeyHints
from lawful.extractors.homes import Homes
from lawful.extractors.identifiers import DeclaredSubjects, PolicyPatterns
from lawful.extractors.intent import Intent
from lawful.extractors.labels import Labels
from lawful.extractors.language import Language
from lawful.extractors.lexicon import Lexicons
from lawful.extractors.national.recogniser import IssuedNumbers
from lawful.extractors.ner.model import Model
from lawful.extractors.ner.people import People
from lawful.extractors.ner.remembered import Remembered
from lawful.extractors.pipeline import Pipeline
from lawful.extractors.places import Places
from lawful.extractors.port import Extractor
from lawful.extractors.presidio.engine import Engine
from lawful.extractors.records import Records
from lawful.extractors.said import Said
from lawful.extractors.told import Told
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.pseudonym import Pseudonymiser
from lawful.schemas.taxonomy import categories


def build(  # noqa: PLR0913, PLR0917 - as its public face
    pseudonymiser: Pseudonymiser,
    clock: Callable[[], float],
    model: str | None,
    recognizers: Sequence[Any],
    entity_categories: Mapping[str, str],
    config: Path | None,
) -> Extractor:
    """See `lawful.extractors.build_extractor`."""
    own = load_entities(config) if config else EntityConfig("0", (), {})
    added = EntityConfig("0", (), {entity: EntityRule(category) for entity, category in entity_categories.items()})
    entities = load_entities().plus(own).plus(added) if config or entity_categories else load_entities()
    _check_categories(entities)
    engine = Engine(entities, recognizers)
    language = Language(engine, entities, pseudonymiser)
    return Pipeline(
        [
            DeclaredSubjects(pseudonymiser),
            PolicyPatterns(pseudonymiser),
            KeyHints(pseudonymiser),
            Records(pseudonymiser),
            language,
            People(Remembered(Model(model))),
            Labels(),
            Told(),
            Places(),
            Homes(),
            IssuedNumbers(),
            Said(),
            Intent(),
            Facts(),
            Lexicons(),
        ],
        clock,
    )


def _check_categories(entities: EntityConfig) -> None:
    for entity, rule in entities.entities.items():
        if rule.category not in categories():
            raise ConfigurationError(
                f"the entity {entity!r} has the category {rule.category!r}, which the taxonomy does not know",
                hint=_suggestion(rule.category),
            )


def _suggestion(category: str) -> str:
    near = difflib.get_close_matches(category, list(categories()), n=1)
    return f"did you mean {near[0]!r}?" if near else "see schemas/taxonomy/categories.yaml"

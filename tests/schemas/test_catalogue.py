"""The schema files, and the classes they belong to."""

from dataclasses import MISSING, fields
from enum import Enum
from typing import Any

import pytest

from lawful.schemas import audit, event, verdict, view
from lawful.schemas.catalogue import RECORDS, by_fingerprint, current, released, source_of
from lawful.schemas.foreign import foreign
from lawful.schemas.topics import TOPICS
from lawful.schemas.wire.hints import symbol

ENUMS = {
    name: thing
    for module in (audit, event, verdict, view)
    for name, thing in vars(module).items()
    if isinstance(thing, type) and issubclass(thing, Enum)
}
CLASSES = pytest.mark.parametrize("cls", list(RECORDS), ids=lambda cls: cls.__name__)


@CLASSES
def test_a_class_and_its_schema_have_the_same_fields(cls: type) -> None:
    """Nobody can add a field on one side only."""
    names = [field["name"] for field in source_of(RECORDS[cls])["fields"]]
    assert sorted(names) == sorted(field.name for field in fields(cls))


@CLASSES
def test_fields_with_a_default_in_the_class_have_one_in_the_schema(cls: type) -> None:
    """What may be left out in Python may be added to the schema's readers too."""
    schema = {field["name"]: field for field in source_of(RECORDS[cls])["fields"]}
    optional = [field.name for field in fields(cls) if field.default is not MISSING]
    assert [name for name in optional if "default" not in schema[name]] == []


@CLASSES
def test_every_enum_has_the_members_of_its_class(cls: type) -> None:
    """Nobody can add a member on one side only."""
    for name, symbols in _enums(source_of(RECORDS[cls])):
        assert symbols == [symbol(member) for member in ENUMS[name]]


@CLASSES
def test_no_schema_is_recursive(cls: type) -> None:
    """A crafted record of a recursive schema would overrun a reader's stack; a registry's is refused for it."""
    assert foreign((current(RECORDS[cls]).text,)).fingerprint == current(RECORDS[cls]).fingerprint


@CLASSES
def test_released_schemas_stay_readable(cls: type) -> None:
    """What any released version wrote is known by its fingerprint."""
    assert all(schema.fingerprint in by_fingerprint() for schema in released(RECORDS[cls]))


def test_every_topic_carries_records_of_the_bus() -> None:
    """Topics and schemas speak of the same classes."""
    carried = {cls for topic in TOPICS.all() for cls in topic.values}
    assert carried == set(RECORDS)


def _enums(node: Any) -> list[tuple[str, list[str]]]:
    if isinstance(node, list):
        return [found for item in node for found in _enums(item)]
    if not isinstance(node, dict):
        return []
    if "symbols" in node:
        return [(node["name"].rpartition(".")[2], node["symbols"])]
    return [found for value in node.values() for found in _enums(value)]

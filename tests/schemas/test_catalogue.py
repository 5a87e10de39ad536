"""The schema files, and the classes they belong to."""

import os
import subprocess
import sys
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from typing import Any

import pytest

from lawful.schemas import audit, event, history, state, verdict, view
from lawful.schemas.catalogue import RECORDS, by_fingerprint, current, released, source_of
from lawful.schemas.foreign import foreign
from lawful.schemas.topics import TOPICS
from lawful.schemas.wire.hints import short, symbol

MODULES = (audit, event, history, state, verdict, view)
ENUMS = {
    name: thing
    for module in MODULES
    for name, thing in vars(module).items()
    if isinstance(thing, type) and issubclass(thing, Enum)
}
CLASS_OF: dict[str, Any] = {
    **{name: thing for module in MODULES for name, thing in vars(module).items() if is_dataclass(thing)},
    **{name: cls for cls, name in RECORDS.items()},
    "MergedEntry": history.Entry,
    "MergeMark": history.MergeFact,
}
CLASSES = pytest.mark.parametrize("cls", list(RECORDS), ids=lambda cls: cls.__name__)


@CLASSES
def test_classes_and_their_schemas_have_the_same_fields(cls: type) -> None:
    """Nobody can add a field on one side only, also not in what a record is made of."""
    for name, schema in _named(source_of(RECORDS[cls]), "fields"):
        if name != "MergeMark":
            expected = [field.name for field in fields(CLASS_OF[name])]
            assert sorted(field["name"] for field in schema["fields"]) == sorted(expected)


@CLASSES
def test_fields_with_a_default_in_the_class_have_one_in_the_schema(cls: type) -> None:
    """What may be left out in Python may be missing in older records too."""
    for name, schema in _named(source_of(RECORDS[cls]), "fields"):
        optional = {field.name for field in fields(CLASS_OF[name]) if field.default is not MISSING}
        assert [f["name"] for f in schema["fields"] if f["name"] in optional and "default" not in f] == []


@CLASSES
def test_every_enum_has_the_members_of_its_class(cls: type) -> None:
    """Nobody can add a member on one side only."""
    for name, schema in _named(source_of(RECORDS[cls]), "symbols"):
        assert schema["symbols"] == [symbol(member) for member in ENUMS[name]]


@CLASSES
def test_no_schema_is_recursive(cls: type) -> None:
    """A crafted record of a recursive schema would overrun a reader's stack; a registry's is refused for it."""
    assert foreign((current(RECORDS[cls]).text,)).fingerprint == current(RECORDS[cls]).fingerprint


@CLASSES
def test_released_schemas_stay_readable(cls: type) -> None:
    """What any released version wrote is known by its fingerprint."""
    assert all(schema.fingerprint in by_fingerprint() for schema in released(RECORDS[cls]))


def test_a_schemas_text_is_the_same_in_every_process() -> None:
    """A registry compares texts, and a release must not change for nothing."""
    script = "from lawful.schemas.catalogue import current; print(current('Verdict').text)"
    environment = {**os.environ, "PYTHONHASHSEED": "1"}
    other = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert other.stdout.strip() == current("Verdict").text


def test_every_topic_carries_records_of_the_bus() -> None:
    """Topics and schemas speak of the same classes."""
    carried = {cls for topic in TOPICS.all() for cls in topic.values}
    assert carried == set(RECORDS)


def _named(node: Any, mark: str) -> list[tuple[str, Any]]:
    """All records (`fields`) or enums (`symbols`) of a schema, by short name."""
    if isinstance(node, list):
        return [found for item in node for found in _named(item, mark)]
    if not isinstance(node, dict):
        return []
    own = [(short(node), node)] if mark in node else []
    return own + [found for value in node.values() for found in _named(value, mark)]

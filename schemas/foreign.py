"""Schemas that someone else registered: checked before a record is read with one."""

import json
from typing import Any

from fastavro.schema import parse_schema

from lawful.schemas.catalogue import RECORDS, WriterSchema, current, writer_schema
from lawful.schemas.errors import InvalidRecord
from lawful.schemas.resolution import mismatches


def foreign(texts: tuple[str, ...]) -> WriterSchema:
    """A registry's schema, if the current one can read what it wrote.

    Args:
        texts: its JSON, last, after that of all schemas it refers to.

    Raises:
        InvalidRecord: it is no schema of a record of ours, is recursive, or writes what the
            current schema cannot read.
    """
    try:
        schema = writer_schema(_self_contained(texts))
    except InvalidRecord:
        raise
    except Exception as error:  # noqa: BLE001 - a broken schema may cause any error
        raise InvalidRecord(f"the registry's schema cannot be used ({type(error).__name__})") from None
    if schema.record not in RECORDS.values():
        raise InvalidRecord("the registry's schema is of no record of the bus")
    found = mismatches(schema.parsed, current(schema.record).parsed)
    if found:
        raise InvalidRecord(f"the registry's schema of {schema.record} does not fit: {found[0].field}: {found[0].what}")
    return schema


def _self_contained(texts: tuple[str, ...]) -> Any:
    named: dict[str, Any] = {}
    for text in texts[:-1]:
        parse_schema(json.loads(text), named_schemas=named, _write_hint=False)
    whole = parse_schema(json.loads(texts[-1]), named_schemas=named, expand=True, _write_hint=False)
    return _named_once(whole, frozenset(), set())


def _named_once(node: Any, inside: frozenset[str], seen: set[str]) -> Any:
    """Undoes the expansion of named types, from the second time on that one is used."""
    if isinstance(node, list):
        return [_named_once(item, inside, seen) for item in node]
    if not isinstance(node, dict):
        # INVARIANT: fastavro reads nested records on the C stack, and a crafted record of a
        # recursive schema would overrun it and take the process down.
        if node in inside:
            raise InvalidRecord("the registry's schema is recursive")
        return node
    name = node["name"] if node.get("type") in ("record", "error", "enum", "fixed") else None
    if name in seen:
        return name
    if name is not None:
        seen.add(name)
        inside |= {name}
    return {
        key: _named_once(value, inside, seen) if key in ("type", "items", "values", "fields") else value
        for key, value in node.items()
    }

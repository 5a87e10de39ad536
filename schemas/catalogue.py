"""Which Avro schema writes which class, and how to find the schema that wrote some bytes.

The `.avsc` files under `avsc/` are the contract; each named type is written down once and pulled
in by name. Released versions stay in `avsc/released/<record>/v<n>.avsc`, self-contained, so that
what they wrote stays readable for as long as it is on a topic.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from fastavro.repository import AbstractSchemaRepository, SchemaRepositoryError
from fastavro.schema import fingerprint, load_schema, parse_schema, to_parsing_canonical_form

from lawful.schemas.audit import Anchor, AuditRecord, DeadLetter, GuardReport
from lawful.schemas.event import AgentEvent
from lawful.schemas.history import History
from lawful.schemas.sealed import SealedEvent, SubjectKey
from lawful.schemas.state import LinkRow, Pending, Watermark
from lawful.schemas.verdict import Partial, Verdict
from lawful.schemas.view import View
from lawful.schemas.wire.hints import short

NAMESPACE = "lawful"

_KEYS = ("name", "type", "logicalType", "items", "values", "symbols", "default", "doc", "fields")

RECORDS: dict[type, str] = {
    AgentEvent: "AgentEvent",
    View: "AnnotatedView",
    Partial: "Partial",
    Verdict: "Verdict",
    AuditRecord: "AuditRecord",
    GuardReport: "GuardReport",
    DeadLetter: "DeadLetter",
    Anchor: "Anchor",
    History: "SubjectHistory",
    LinkRow: "LinkRow",
    Pending: "Pending",
    Watermark: "Watermark",
    SealedEvent: "SealedEvent",
    SubjectKey: "SubjectKey",
}
"""Every class that has bytes of its own, and the name of its Avro record."""


@dataclass(frozen=True, slots=True)
class WriterSchema:
    """A schema that some bytes were, or will be, written with.

    Attributes:
        record: name of the record without its namespace.
        version: number of the release; `None` for the one that the source files hold now.
        text: self-contained JSON, as a registry wants it.
        parsed: what fastavro reads and writes with; times stay integers.
        fingerprint: CRC-64-AVRO of the parsing canonical form, in single-object byte order.
    """

    record: str
    version: int | None
    text: str
    parsed: Any
    fingerprint: bytes


def writer_schema(source: Any, version: int | None = None) -> WriterSchema:
    """Prepares a self-contained schema, as parsed JSON, for reading and writing."""
    text = json.dumps(source, ensure_ascii=False)
    # Logical types would make fastavro build datetimes; our times are integer microseconds.
    parsed: Any = parse_schema(without(source, "logicalType", "doc"))
    canonical = to_parsing_canonical_form(parsed)
    return WriterSchema(short(parsed), version, text, parsed, bytes.fromhex(fingerprint(canonical, "CRC-64-AVRO")))


@cache
def current(record: str) -> WriterSchema:
    """The schema of a record as the source files have it now."""
    return writer_schema(source_of(record))


@cache
def released(record: str) -> tuple[WriterSchema, ...]:
    """All released schemas of a record, oldest first."""
    folder = _folder() / "released" / record
    found = folder.iterdir() if folder.is_dir() else ()
    numbered = {int(entry.name[1:-5]): entry for entry in found if entry.name.endswith(".avsc")}
    return tuple(writer_schema(json.loads(numbered[n].read_text("utf-8")), n) for n in sorted(numbered))


@cache
def by_fingerprint() -> dict[bytes, WriterSchema]:
    """Every schema that this version of the product can read, by its fingerprint."""
    known = [schema for record in RECORDS.values() for schema in (*released(record), current(record))]
    return {schema.fingerprint: schema for schema in known}


def source_of(record: str) -> Any:
    """A record's schema as plain JSON values, with every named type written out where first used."""
    loaded = load_schema(f"{NAMESPACE}.{record}", repo=_Folder())
    return _ordered(without(loaded, "__fastavro_parsed", "__named_schemas"))


def _ordered(node: Any) -> Any:
    """The same with keys in one order; fastavro's order changes from run to run."""
    if isinstance(node, dict):
        known = [key for key in _KEYS if key in node]
        return {key: _ordered(node[key]) for key in (*known, *sorted(node.keys() - set(known)))}
    return [_ordered(item) for item in node] if isinstance(node, list) else node


def without(node: Any, *keys: str) -> Any:
    """A copy of a JSON value in which no object has any of these keys."""
    if isinstance(node, dict):
        return {key: without(value, *keys) for key, value in node.items() if key not in keys}
    if isinstance(node, list):
        return [without(item, *keys) for item in node]
    return node


class _Folder(AbstractSchemaRepository):
    """Finds named types in the package's own folder."""

    def load(self, name: str) -> Any:
        short = name.removeprefix(f"{NAMESPACE}.")
        for place in (_folder() / f"{short}.avsc", _folder() / "types" / f"{short}.avsc"):
            if place.is_file():
                return json.loads(place.read_text("utf-8"))
        raise SchemaRepositoryError(f"no schema file for {name}: add schemas/avsc/types/{short}.avsc")


def _folder() -> Traversable:
    return files("lawful.schemas") / "avsc"

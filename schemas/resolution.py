"""Can one schema read what another wrote? Avro's schema resolution, decided before any record.

Avro specification 1.11, "Schema Resolution". Where the specification leaves it to the record (a
union's branch that the reader lacks), the answer here is no: a record that can't be read is one
too many.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from fastavro.schema import expand_schema

from lawful.schemas.wire.hints import kind, short

_PROMOTIONS: Final = {
    "int": {"long", "float", "double"},
    "long": {"float", "double"},
    "float": {"double"},
    "string": {"bytes"},
    "bytes": {"string"},
}


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One thing that stops the reader.

    Attributes:
        field: dotted path from the record, `[]` for items, e.g. `findings[].score`.
        what: what stops it.
        todo: what to do instead.
    """

    field: str
    what: str
    todo: str


def mismatches(writer: Any, reader: Any) -> list[Mismatch]:
    """Everything that stops `reader` from reading what `writer` wrote; empty if nothing does.

    Args:
        writer: a self-contained schema that is not recursive.
        reader: likewise.
    """
    return list(_walk(expand_schema(writer), expand_schema(reader), ""))


def _walk(writer: Any, reader: Any, at: str) -> Iterator[Mismatch]:
    match (kind(writer), kind(reader)):
        case ("union", _):
            for branch in writer:
                yield from _walk(branch, reader, at)
        case (_, "union"):
            yield from _into_union(writer, reader, at)
        case ("record", "record") | ("enum", "enum") if not _same_name(writer, reader):
            yield Mismatch(
                at,
                f"{short(writer)} was renamed to {short(reader)}",
                f'give {short(reader)} the alias "{short(writer)}", or keep the name',
            )
        case ("record", "record"):
            yield from _records(writer, reader, at)
        case ("enum", "enum"):
            yield from _enums(writer, reader, at)
        case ("array", "array"):
            yield from _walk(writer["items"], reader["items"], f"{at}[]")
        case ("map", "map"):
            yield from _walk(writer["values"], reader["values"], f"{at}{{}}")
        case (old, new) if old != new and new not in _PROMOTIONS.get(old, ()):
            yield Mismatch(at, f"{old} cannot be read as {new}", "keep the type and add a new optional field")


def _records(writer: Any, reader: Any, at: str) -> Iterator[Mismatch]:
    written = {field["name"]: field for field in writer["fields"]}
    for field in reader["fields"]:
        here = f"{at}.{field['name']}" if at else field["name"]
        source = next((written[name] for name in (field["name"], *field.get("aliases", ())) if name in written), None)
        if source is not None:
            yield from _walk(source["type"], field["type"], here)
        elif "default" not in field:
            yield Mismatch(
                here,
                "the reader needs this field, the writer does not have it, and there is no default",
                "give the field a default; never remove a field that has none",
            )


def _enums(writer: Any, reader: Any, at: str) -> Iterator[Mismatch]:
    unknown = [symbol for symbol in writer["symbols"] if symbol not in reader["symbols"]]
    if unknown and "default" not in reader:
        yield Mismatch(
            at,
            f"the reader does not know {', '.join(unknown)} of {short(writer)} and has no default symbol",
            f"give {short(writer)} a default symbol, and release that first",
        )


def _into_union(writer: Any, reader: list[Any], at: str) -> Iterator[Mismatch]:
    found = [list(_walk(writer, branch, at)) for branch in reader]
    if any(not problems for problems in found):
        return
    named = [problems for problems, branch in zip(found, reader, strict=True) if _same_name(writer, branch)]
    if named:
        yield from named[0]
        return
    word = short(writer) if isinstance(writer, dict) and "name" in writer else kind(writer)
    yield Mismatch(
        at,
        f"the reader's union has no branch for {word}",
        "add a new optional field beside the union instead of a branch",
    )


def _same_name(writer: Any, reader: Any) -> bool:
    if not (isinstance(writer, dict) and isinstance(reader, dict) and "name" in writer and "name" in reader):
        return False
    aliases = {alias.rpartition(".")[2] for alias in reader.get("aliases", ())}
    return short(writer) == short(reader) or short(writer) in aliases

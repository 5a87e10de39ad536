"""Which change of a schema lets which side still read the other."""

from typing import Any

import pytest

from lawful.schemas.resolution import mismatches


def record(*fields: dict[str, Any], name: str = "R") -> dict[str, Any]:
    """A record schema."""
    return {"type": "record", "name": name, "fields": list(fields)}


def field(name: str, kind: Any, **more: Any) -> dict[str, Any]:
    """A field of one."""
    return {"name": name, "type": kind, **more}


def enum(*symbols: str, **more: Any) -> dict[str, Any]:
    """An enum schema."""
    return {"type": "enum", "name": "E", "symbols": list(symbols), **more}


A = field("a", "string")


@pytest.mark.parametrize(
    ("writer", "reader"),
    [
        (record(A), record(A, field("b", ["null", "long"], default=None))),
        (record(A, field("b", "long")), record(A)),
        (record(field("a", "int")), record(field("a", "long"))),
        (record(field("a", "string")), record(field("a", ["null", "string"]))),
        (record(field("b", "string")), record(field("a", "string", aliases=["b"]))),
        (record(A, name="Old"), {**record(A), "aliases": ["Old"]}),
        (record(field("e", enum("x", "y"))), record(field("e", enum("x", default="x")))),
        (record(field("e", {"type": "array", "items": "int"})), record(field("e", {"type": "array", "items": "long"}))),
        (record(field("e", {"type": "map", "values": "int"})), record(field("e", {"type": "map", "values": "int"}))),
    ],
)
def test_what_can_be_read_has_no_mismatch(writer: Any, reader: Any) -> None:
    """Changes that Avro's schema resolution bridges are allowed."""
    assert mismatches(writer, reader) == []


@pytest.mark.parametrize(
    ("writer", "reader", "at", "what"),
    [
        (record(A), record(A, field("b", "long")), "b", "no default"),
        (record(field("a", "long")), record(field("a", "int")), "a", "long cannot be read as int"),
        (record(field("a", ["null", "string"])), record(field("a", "string")), "a", "null cannot be read as string"),
        (record(field("a", ["null", "long"])), record(field("a", ["null", "string"])), "a", "no branch for long"),
        (record(A, name="Old"), record(A), "", "Old was renamed to R"),
        (record(field("e", enum("x", "y"))), record(field("e", enum("x"))), "e", "does not know y of E"),
        (
            record(field("l", {"type": "array", "items": record(A, name="I")})),
            record(field("l", {"type": "array", "items": record(A, field("n", "int"), name="I")})),
            "l[].n",
            "no default",
        ),
        (
            record(field("m", {"type": "map", "values": "string"})),
            record(field("m", {"type": "map", "values": "int"})),
            "m{}",
            "string cannot be read as int",
        ),
        (
            record(field("u", ["null", record(A, name="I")])),
            record(field("u", ["null", record(A, field("n", "int"), name="I")])),
            "u.n",
            "no default",
        ),
    ],
)
def test_what_cannot_be_read_names_the_field_and_the_cause(writer: Any, reader: Any, at: str, what: str) -> None:
    """Each mismatch says where it is, what it is and what to do."""
    (found,) = mismatches(writer, reader)
    assert found.field == at
    assert what in found.what
    assert found.todo

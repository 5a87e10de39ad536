"""Whether a call survives redaction."""

from typing import Any

import pytest

from lawful.extractors.essential import EssentialCheck
from lawful.schemas.view import Finding

SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "to": {"type": "string"},
        "body": {"type": "string"},
        "note": {"type": "string"},
        "email": {"type": "string", "format": "email"},
        "code": {"type": "string", "pattern": "^[A-Z]{3}$"},
        "mood": {"enum": ["good", "bad"]},
        "age": {"type": "integer"},
        "amount": {"type": "number"},
        "cc": {"type": "array", "items": {"type": "string"}},
        "people": {
            "type": "array",
            "items": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}},
        },
        "extra": {"type": "object"},
    },
    "required": ["to", "amount", "people"],
}
ARGUMENTS: dict[str, Any] = {
    "to": "Jane Doe",
    "body": "Dear Jane Doe, hello",
    "note": "Jane Doe",
    "email": "jane@example.com",
    "code": "ABC",
    "mood": "good",
    "age": 34,
    "amount": 12.5,
    "cc": ["Jane Doe"],
    "people": [{"name": "Jane Doe"}],
    "extra": {"jane@example.com": 1},
}


def finding(path: str, start: int = 0, end: int = 8, category: str = "user.name") -> Finding:
    """A finding in the arguments."""
    return Finding(f"/arguments{path}", start, end, category, "d", "1", 1.0)


@pytest.mark.parametrize(
    ("found", "essential"),
    [
        (finding("/to"), True),
        (finding("/body", 5, 13), False),
        (finding("/note"), False),
        (finding("/email", 0, 16), True),
        (finding("/code", 0, 3), True),
        (finding("/mood", 0, 4), True),
        (finding("/age", 0, 2), False),
        (finding("/amount", 0, 4), True),
        (finding("/cc/0"), False),
        (finding("/people/0/name"), True),
        (finding("/extra", 0, 0), False),
        (finding("/people", 0, 0), True),
        (finding("", 0, 0), True),
    ],
)
def test_one_place(found: Finding, essential: bool) -> None:  # noqa: FBT001 - a table's column
    """Required whole values, required numbers, enumerations, patterns and formats are essential (A17)."""
    assert EssentialCheck(ARGUMENTS, SCHEMA).is_essential(found, [found]) is essential


def test_findings_that_together_leave_nothing() -> None:
    """First and last name of a required argument are essential together, not alone."""
    first, last = finding("/to", 0, 4), finding("/to", 5, 8)
    check = EssentialCheck(ARGUMENTS, SCHEMA)
    assert not check.is_essential(first, [first])
    assert check.is_essential(first, [first, last])


def test_the_only_item_of_a_required_array() -> None:
    """Where a required array holds nothing else, its item is essential."""
    schema = {"type": "object", "properties": {"to": {"type": "array"}}, "required": ["to"]}
    found = finding("/to/0")
    assert EssentialCheck({"to": ["Jane Doe"]}, schema).is_essential(found, [found])
    assert not EssentialCheck({"to": ["Jane Doe", "list@example.com"]}, schema).is_essential(found, [found])


def test_arguments_are_left_alone() -> None:
    """Trying a redaction changes nothing."""
    before = repr(ARGUMENTS)
    EssentialCheck(ARGUMENTS, SCHEMA).is_essential(finding("/people/0/name"), [])
    assert repr(ARGUMENTS) == before


@pytest.mark.parametrize(
    "schema", [{"type": "nonsense"}, {"$ref": "https://example.com/schema.json"}, {"$ref": "#/nowhere"}]
)
def test_a_schema_that_cannot_be_used_fails_closed(schema: dict[str, Any]) -> None:
    """A wrong schema, or one that lies elsewhere, makes every finding essential, and asks no network."""
    found = finding("/note")
    assert EssentialCheck(ARGUMENTS, schema).is_essential(found, [found])


def test_local_references_are_followed() -> None:
    """A schema may refer to its own definitions."""
    schema = {"$defs": {"s": {"type": "string"}}, "type": "object", "properties": {"note": {"$ref": "#/$defs/s"}}}
    found = finding("/note")
    assert not EssentialCheck(ARGUMENTS, schema).is_essential(found, [found])


@pytest.mark.parametrize(
    ("schema", "arguments", "how", "essential"),
    [
        ({"type": "string"}, "1985-03-15", "year", False),
        ({"type": "string", "format": "date"}, "1985-03-15", "year", False),
        ({"type": "string", "maxLength": 3}, "1985-03-15", "year", True),
        ({"type": "string"}, "long ago", "year", True),
        ({"type": "integer", "minimum": 18}, 34, "band", False),
        ({"type": "integer", "minimum": 31}, 34, "band", True),
        ({"type": "integer"}, 340, "band", True),
        ({"type": "boolean"}, True, "band", True),
    ],
)
def test_what_is_generalised_need_only_fit_the_schema(
    schema: dict[str, Any],
    arguments: object,
    how: str,
    essential: bool,  # noqa: FBT001 - a column of the table
) -> None:
    """A required value that keeps some of its meaning is not destroyed; one that is not understood is."""
    tool = {"type": "object", "properties": {"born": schema}, "required": ["born"]}
    one = finding("/born", 0, len(str(arguments)), "user.demographic.date_of_birth")
    check = EssentialCheck({"born": arguments}, tool, {"user.demographic.date_of_birth": how})
    assert check.is_essential(one, [one]) is essential

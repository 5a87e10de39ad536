"""Whether what a policy gives as a tool's JSON Schema is one, and stands on its own."""

from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from lawful.policies.problems import Problem
from lawful.schemas.yamltree import Path, Tree


def check_tool_schema(tree: Tree, path: Path, schema: dict[str, Any]) -> Iterator[Problem]:
    """What is wrong with the schema of a tool's arguments."""
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        yield Problem(tree.place((*path, *error.path)), f"this is no JSON Schema: {error.message}")
        return
    if schema.get("type") != "object":
        yield Problem(tree.place((*path, "type")), "a tool's arguments are a JSON object", "add 'type: object'")
    yield from _foreign_references(tree, path, schema)


def _foreign_references(tree: Tree, path: Path, schema: Any) -> Iterator[Problem]:
    """References out of the schema would be fetched from elsewhere while an agent waits."""
    items = schema.items() if isinstance(schema, dict) else enumerate(schema) if isinstance(schema, list) else ()
    for key, value in items:
        if key in ("$ref", "$dynamicRef") and isinstance(value, str) and not value.startswith("#"):
            yield Problem(tree.place((*path, key)), "a schema may only refer to itself", "copy the part in")
        yield from _foreign_references(tree, (*path, key), value)

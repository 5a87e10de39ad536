"""The arguments that a tool's JSON Schema allows, one by one: what could carry personal data into a call."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_DEEPEST = 8
_BRANCHES = ("anyOf", "oneOf", "allOf")
_MUTE = frozenset({"boolean", "null", "integer", "number"})


@dataclass(frozen=True, slots=True)
class Argument:
    """A place for a value in a call.

    Attributes:
        path: as people write it, `passengers[].dob`.
        name: the nearest member name.
        required: no valid call is without it (as far as its containers are there).
        free: it may hold any text; false for numbers, truth values and enumerations.
    """

    path: str
    name: str
    required: bool
    free: bool


def arguments_of(schema: Mapping[str, Any]) -> tuple[Argument, ...]:
    """The leaves of a schema, each path once, in the order of the schema."""
    found: dict[str, Argument] = {}
    for argument in _leaves(schema, schema, "", "", required=True, depth=0):
        found.setdefault(argument.path, argument)
    return tuple(found.values())


def _leaves(  # noqa: PLR0913 - a walk's state, by name
    root: Mapping[str, Any], schema: Any, path: str, name: str, *, required: bool, depth: int
) -> Iterator[Argument]:
    schema = _resolved(root, schema)
    if not isinstance(schema, Mapping) or depth > _DEEPEST:
        yield Argument(path, name, required, free=True)
        return
    inner = list(_inner(schema, path, name, required=required))
    for each, at, called, needed in inner:
        yield from _leaves(root, each, at, called, required=needed, depth=depth + 1)
    if not inner and path:
        yield Argument(path, name, required, _is_free(schema))


def _inner(schema: Mapping[str, Any], path: str, name: str, *, required: bool) -> Iterator[tuple[Any, str, str, bool]]:
    properties = schema.get("properties")
    if isinstance(properties, Mapping):
        must = schema.get("required")
        for member, each in properties.items():
            needed = required and isinstance(must, list) and member in must
            yield each, f"{path}.{member}" if path else str(member), str(member), needed
    if "items" in schema:
        yield schema["items"], f"{path}[]", name, required
    for word in _BRANCHES:
        branches = schema.get(word)
        for each in branches if isinstance(branches, list) else ():
            yield each, path, name, required


def _resolved(root: Mapping[str, Any], schema: Any) -> Any:
    """What a local reference points to; one step, since the walk's depth is bounded anyway."""
    reference = schema.get("$ref") if isinstance(schema, Mapping) else None
    if not isinstance(reference, str):
        return schema
    found: Any = root
    for token in reference.removeprefix("#").strip("/").split("/"):
        found = found.get(token.replace("~1", "/").replace("~0", "~")) if isinstance(found, Mapping) else None
    return found


def _is_free(schema: Mapping[str, Any]) -> bool:
    if "enum" in schema or "const" in schema:
        return False
    kinds = schema.get("type")
    return not _MUTE.issuperset(kinds if isinstance(kinds, list) else [kinds])

"""Personal data in the keys of JSON: the container that holds such a key is personal as a whole.

A finding's path goes into state and audit. A path that ran through `{"jane@example.com": ...}`
would carry the address there, so everything at or below such a key is found at its container. A key
needs no finding for that: whatever may hold somebody counts, and the policy's own names do not. Only
paths are kept from running through it: where nothing personal stands below it, it stays as it is.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from lawful.extractors.candidate import Surroundings
from lawful.extractors.fields import Field
from lawful.extractors.keynames import normalise_key
from lawful.extractors.members import is_member_name
from lawful.schemas.event import ToolCall
from lawful.schemas.view import Finding


def is_telling(key: Field, around: Surroundings) -> bool:
    """Whether a key may hold somebody, though no recogniser found anything in it."""
    return not is_member_name(key.text) and not _is_declared(key.text, around)


def lifted(
    findings: Iterable[Finding], keys: Mapping[str, Field], is_personal: Callable[[Field], bool]
) -> Iterator[Finding]:
    """Findings with every path that runs through a personal key cut back to the key's container.

    Args:
        findings: as they were found.
        keys: by the path of the value below each.
        is_personal: asked of each key that has a finding at or below it, once.
    """
    safe = dict[str, str]()
    for finding in findings:
        path = _safe_path(finding.path, keys, is_personal, safe) if keys else finding.path
        yield finding if path == finding.path else replace(finding, path=path, start=0, end=0)


def _safe_path(path: str, keys: Mapping[str, Field], is_personal: Callable[[Field], bool], safe: dict[str, str]) -> str:
    """The path up to the outermost personal key, without it; `safe` remembers it of every path above."""
    found = safe.get(path)
    if found is None:
        above = path.rpartition("/")[0]
        found = _safe_path(above, keys, is_personal, safe) if above else path
        if found == above:  # nothing personal so far
            found = keys[path].path if path in keys and is_personal(keys[path]) else path
        safe[path] = found
    return found


def _is_declared(key: str, around: Surroundings) -> bool:
    """Whether the policy or the tool's schema has a member of that name."""
    spec, payload, name = around.spec, around.event.payload, normalise_key(key)
    said = [*(hint.key for hint in spec.key_hints), *(rule.key for rule in spec.not_personal)]
    said += [word for mark in spec.marks for word in (mark.member, *mark.path)]
    if name and any(name == normalise_key(word) for word in said):
        return True
    tool = spec.tools.get(payload.tool) if isinstance(payload, ToolCall) else None
    return tool is not None and any(key in members for members in _properties(tool.schema, around))


def _properties(schema: Any, around: Surroundings) -> Iterator[Mapping[str, Any]]:
    """The members that a schema gives to objects, wherever in it."""
    around.budget.spend(1)
    if isinstance(schema, Mapping):
        properties = schema.get("properties")
        if isinstance(properties, Mapping):
            yield properties
        for part in schema.values():
            yield from _properties(part, around)
    elif isinstance(schema, (list, tuple)):
        for part in schema:
            yield from _properties(part, around)

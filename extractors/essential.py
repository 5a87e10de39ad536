"""Whether a tool call would survive the redaction of a finding.

Decided by doing it: the call's arguments are redacted at that one place and held against the
tool's JSON Schema. A required argument that would be wholly replaced is essential as well, even
where the schema would let a placeholder pass: the call would no longer mean anything. What is
generalised keeps some of its meaning, and need only fit the schema.
"""

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

from jsonschema import FormatChecker
from jsonschema.exceptions import SchemaError
from jsonschema.protocols import Validator
from jsonschema.validators import validator_for
from referencing import Registry
from referencing.exceptions import Unresolvable

from lawful.schemas.generalising import generalise, generalise_number
from lawful.schemas.view import Finding

_ROOT = "/arguments"
_EMPTY = {dict: {}, list: [], bool: False, int: 0, float: 0, type(None): None}


class EssentialCheck:
    """Answers for the findings of one call.

    Args:
        arguments: as plain JSON.
        schema: of the tool's arguments.
        generalised: how to generalise, by category.
    """

    def __init__(
        self, arguments: Any, schema: Mapping[str, Any], generalised: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        self._arguments = arguments
        self._validator = _validator(schema)
        self._generalised = generalised

    def is_essential(self, finding: Finding, others: Sequence[Finding]) -> bool:
        """Whether replacing what was found would break the call.

        Args:
            finding: the one in question.
            others: all findings at the same path; together they may leave nothing of the value.
        """
        tokens = _tokens(finding.path)
        if tokens is None or self._validator is None:
            return True
        if not tokens:
            return True  # all arguments at once
        leaf = _at(self._arguments, tokens)
        if coarser := list(_coarser(leaf, finding, self._generalised.get(finding.category))):
            return all(self._breaks(tokens, partial(_with_value, value)) for value in coarser)
        if not isinstance(leaf, str) or (finding.start, finding.end) == (0, 0):
            return self._breaks(tokens, _without)
        if self._breaks(tokens, lambda parent, key: _with_placeholder(parent, key, finding)):
            return True
        return _leaves_nothing(leaf, others) and self._is_required(tokens)

    def _is_required(self, tokens: Sequence[str]) -> bool:
        """Whether the value, or the array that holds nothing else, must be there."""
        parent = _at(self._arguments, tokens[:-1])
        if not isinstance(parent, list):
            return self._breaks(tokens, _without)
        return self._breaks(tokens, _without_item) or (len(parent) == 1 and self._is_required(tokens[:-1]))

    def _breaks(self, tokens: Sequence[str], change: Callable[[Any, Any], None]) -> bool:
        changed = _changed(self._arguments, tokens, change)
        try:
            return self._validator is None or not self._validator.is_valid(changed)
        except (Unresolvable, RecursionError):
            return True


def _validator(mapping: Mapping[str, Any]) -> Validator | None:
    """A validator that never reaches for the network; nothing when the schema is no schema."""
    schema = dict(mapping)
    kind = validator_for(schema)
    try:
        kind.check_schema(schema)
    except SchemaError:
        return None
    return kind(schema, registry=Registry(), format_checker=FormatChecker())


def _tokens(path: str) -> list[str] | None:
    if path != _ROOT and not path.startswith(f"{_ROOT}/"):
        return None
    return [token.replace("~1", "/").replace("~0", "~") for token in path.split("/")[2:]]


def _at(value: Any, tokens: Sequence[str]) -> Any:
    for token in tokens:
        value = value[int(token)] if isinstance(value, list) else value[token]
    return value


def _changed(value: Any, tokens: Sequence[str], change: Callable[[Any, Any], None]) -> Any:
    """The arguments changed at one place; only what lies on the way there is copied."""
    mine: Any = copy.copy(value)
    key: Any = int(tokens[0]) if isinstance(value, list) else tokens[0]
    if len(tokens) == 1:
        change(mine, key)
    else:
        mine[key] = _changed(value[key], tokens[1:], change)
    return mine


def _without(parent: Any, key: Any) -> None:
    """Members go; an array's items keep their place, emptied within their type."""
    if isinstance(parent, list):
        item = parent[key]
        parent[key] = "[redacted]" if isinstance(item, str) else copy.copy(_EMPTY[type(item)])
    else:
        del parent[key]


def _without_item(parent: Any, key: Any) -> None:
    del parent[key]


def _coarser(leaf: Any, finding: Finding, how: str | None) -> Iterator[Any]:
    """What generalising may leave: as a reader would have it, and as a schema may ask for it."""
    if not how or isinstance(leaf, bool | dict | list):
        return
    if isinstance(leaf, str):
        forms = (generalise(leaf[finding.start : finding.end], how, typed=typed) for typed in (False, True))
        yield from (f"{leaf[: finding.start]}{form}{leaf[finding.end :]}" for form in forms if form is not None)
    elif isinstance(leaf, int | float) and (number := generalise_number(leaf, how)) is not None:
        yield number


def _with_value(value: Any, parent: Any, key: Any) -> None:
    parent[key] = value


def _with_placeholder(parent: Any, key: Any, finding: Finding) -> None:
    text = parent[key]
    parent[key] = f"{text[: finding.start]}[{finding.category}]{text[finding.end :]}"


def _leaves_nothing(text: str, findings: Sequence[Finding]) -> bool:
    """Whether findings together cover every letter and digit of a text."""
    covered = {place for finding in findings for place in range(finding.start, finding.end)}
    return all(not char.isalnum() or place in covered for place, char in enumerate(text))

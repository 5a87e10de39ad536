"""Records in prose: JSON, lines of JSON, and what Python prints, in a text that is not JSON as a whole.

`Here is the row: {"patient": {"name": "Ada", "allergies": ["nuts"]}}` is no JSON to a strict reader.
Its values are held against the names of their fields as those of a document are. What is broken off
or malformed is read up to there: nothing is decided by what it means, only where something stands.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from lawful.extractors.budget import Budget
from lawful.extractors.candidate import Candidate, Strength, Surroundings
from lawful.extractors.fields import Field
from lawful.extractors.hints import KeyHints
from lawful.extractors.identifiers import is_exempt
from lawful.extractors.keynames import normalise_key
from lawful.schemas.pseudonym import Pseudonymiser

_START: Final = re.compile(r"""\{\s*+(?=\\?["'])""")
_AS_STRING: Final = '{\\"'
_COLON: Final = re.compile(r"\s*+:")
# A string is in quotes, or in escaped quotes where the record was itself written as a string.
_TOKEN: Final = re.compile(
    r"""\s*+(?:
        (?P<mark>[{}\[\],])
      | "(?P<double>[^"\\]*+(?:\\.[^"\\]*+)*+)"
      | '(?P<single>[^'\\]*+(?:\\.[^'\\]*+)*+)'
      | \\"(?P<escaped>[^"\\]*+(?:(?:\\\\\\"|\\(?!"))[^"\\]*+)*+)\\"
      | (?P<bare>-?[0-9][0-9.eE+\-]*+|true|false|null|True|False|None)(?!\w)
    )""",
    re.VERBOSE | re.DOTALL,
)
_LONGEST_KEY: Final = 480  # `normalise_key` looks at 80 characters, each of which may be `\u00e9`
_CLOSES: Final = {"}": True, "]": False}
# Steps.
_PER_TOKEN: Final = 2
_PER_VALUE: Final = 16
_NAMES_PER_STEP: Final = 32


@dataclass(slots=True)
class _Container:
    """An object or array that is being read.

    Attributes:
        keys: normalised names on the way to it.
        names: normalised names in it, if it is an object; of an array: those around it.
        key: the name whose value comes next.
    """

    is_object: bool
    keys: tuple[str, ...] = ()
    names: set[str] = field(default_factory=set)
    key: str | None = None

    @property
    def takes_value(self) -> bool:
        return not self.is_object or self.key is not None

    @property
    def below(self) -> tuple[str, ...]:
        return self.keys if self.key is None else (*self.keys, self.key)


@dataclass(frozen=True, slots=True)
class _Value:
    """A leaf, and where it stands in the text."""

    start: int
    end: int
    text: str
    is_string: bool
    keys: tuple[str, ...]
    names: set[str]


class Records:
    """Finds values by the names of their fields where a record stands in prose.

    Args:
        pseudonymiser: as `KeyHints` has it.
    """

    name = "records"

    def __init__(self, pseudonymiser: Pseudonymiser) -> None:
        self._hints = KeyHints(pseudonymiser)

    def find(self, field: Field, around: Surroundings) -> list[Candidate]:
        """Whole values, at their places in the text."""
        if field.is_key or not field.is_string or "{" not in field.text:
            return []
        values = _values(field.text, around.spec.limits.max_depth, around.budget)
        return [hit for value in values for hit in self._of(value, _as_field(field, value), around)]

    def _of(self, value: _Value, leaf: Field, around: Surroundings) -> Iterator[Candidate]:
        for hit in self._hints.find(leaf, around):
            if hit.strength is Strength.IDENTIFIER or not is_exempt(leaf, around):
                yield replace(hit, start=value.start, end=value.end)


def _as_field(around: Field, value: _Value) -> Field:
    return Field(around.path, value.text, value.keys, frozenset(value.names), value.is_string, is_json=True)


def _values(text: str, most: int, budget: Budget) -> Iterator[_Value]:
    """The leaves of all records, each once all names beside it are known, also those of a record in a string."""
    position = 0
    while (start := _START.search(text, position)) is not None:
        found: list[_Value] = []
        position = max(_read(text, start.start(), most, budget, found), start.end())
        for value in found:
            budget.spend(_PER_VALUE + len(value.names) // _NAMES_PER_STEP)
            if value.start < value.end:
                yield value
            if value.is_string and _AS_STRING in (raw := text[value.start : value.end]):
                # Ends here: in a string within this one, quotes have more than one escape.
                for one in _values(raw, most, budget):
                    yield replace(one, start=value.start + one.start, end=value.start + one.end)


def _read(text: str, position: int, most: int, budget: Budget, found: list[_Value]) -> int:
    """Reads one record as far as it is one; where it ends."""
    open_ones: list[_Container] = []
    while (token := _TOKEN.match(text, position)) is not None:
        budget.spend(_PER_TOKEN)
        end = _taken(text, token, open_ones, most, found)
        if end is None:
            return position
        position = end
        if not open_ones:
            return position
    return position


def _taken(text: str, token: re.Match[str], open_ones: list[_Container], most: int, found: list[_Value]) -> int | None:
    """What a token changes, and where reading goes on; `None` where it does not belong."""
    mark = token["mark"]
    inner = open_ones[-1] if open_ones else None
    if mark is None:
        return _leaf(text, token, inner, found) if inner is not None else None
    if mark == ",":
        return token.end() if inner is not None and inner.key is None else None
    if mark in _CLOSES:
        if inner is None or inner.is_object is not _CLOSES[mark] or (inner.is_object and inner.key is not None):
            return None
        open_ones.pop()
        return token.end()
    if len(open_ones) == most or (inner is not None and not inner.takes_value):
        return None
    open_ones.append(_opened(mark, inner))
    return token.end()


def _opened(mark: str, outer: _Container | None) -> _Container:
    if outer is None:
        return _Container(mark == "{")
    inner = _Container(mark == "{", outer.below, set() if mark == "{" else outer.names)
    outer.key = None
    return inner


def _leaf(text: str, token: re.Match[str], inner: _Container, found: list[_Value]) -> int | None:
    kind = token.lastgroup or "bare"
    start, end = token.span(kind)
    if inner.takes_value:
        value = _unescaped(token[kind], kind)
        found.append(_Value(start, end, value, kind != "bare", inner.below, inner.names))
        inner.key = None
        return token.end()
    colon = _COLON.match(text, token.end()) if kind != "bare" else None
    if colon is None:
        return None
    inner.key = normalise_key(_unescaped(token[kind][:_LONGEST_KEY], kind))
    inner.names.add(inner.key)
    return colon.end()


def _unescaped(raw: str, kind: str) -> str:
    """What a string says; as it is written where its escapes are not those of JSON."""
    if "\\" not in raw:
        return raw
    if kind == "single":
        raw = raw.replace("\\'", "'").replace('"', '\\"')
    for _ in range(2 if kind == "escaped" else 1):
        try:
            raw = str(json.loads(f'"{raw}"', strict=False))
        except ValueError:
            return raw
    return raw

"""In which form an assistant told something of its user's record: as it is, coarser, or not at all."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from lawful.firewalls.learning.demonstrations import Demonstration
from lawful.firewalls.words import fold, words
from lawful.schemas.generalising import generalise

EXACT: Final = ""
WAYS: Final[Mapping[str, int]] = {
    "month": 1,
    "year": 2,
    "decade": 3,
    "band 5": 1,
    "band 10": 2,
    "band 20": 3,
    "amount": 1,
    "region": 1,
    "coarse 2": 1,
    "coarse 1": 2,
    "coarse 0": 3,
    "network": 1,
}
"""Ways to generalise, each with how coarse it is beside the others for the same value."""
_CLAUSE: Final = re.compile(r"[;\n]|\.\s|,\s(?=[^\W\d])")
_SHORT: Final = 8


@dataclass(frozen=True, slots=True)
class Leaf:
    """A value of a record, with the path that leads to it."""

    path: str
    value: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Telling:
    """That something of a record was told.

    Attributes:
        way: in which form; `EXACT` for as it is.
    """

    path: str
    way: str

    @property
    def level(self) -> int:
        """How coarse the form is."""
        return level_of(self.way)


def level_of(way: str) -> int:
    """How coarse a form is beside others of the same value."""
    return 0 if way == EXACT else WAYS[way]


def leaves_of(record: Mapping[str, Any]) -> tuple[Leaf, ...]:
    """The values of a record; lists do not count in a path."""
    return tuple(Leaf(path, value) for path, value in _walk(record, ""))


def tellings(demonstration: Demonstration) -> frozenset[Telling]:
    """What the assistant told of the record in one conversation, the most exact form of each."""
    leaves, found = leaves_of(demonstration.record), dict[str, Telling]()
    for said in demonstration.turns:
        if said.by_service:
            continue
        noted = said.told if said.told is not None else _noted(said.text)
        here = _by_path(leaves, noted) if noted is not None else _in_prose(leaves, said.text)
        for each in here:
            known = found.get(each.path)
            if known is None or each.level < known.level:
                found[each.path] = each
    return frozenset(found.values())


def _walk(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            name = "_".join(words(str(key)).split())
            yield from _walk(inner, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        for inner in value:
            yield from _walk(inner, path)
    elif isinstance(value, bool):
        yield path, "true" if value else "false"
    elif isinstance(value, str | int | float):
        yield path, str(value)


def _noted(text: str) -> Mapping[str, Any] | None:
    """A message that is itself a part of the record."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, Mapping) else None


def _by_path(leaves: tuple[Leaf, ...], noted: Mapping[str, Any]) -> Iterator[Telling]:
    told = list(_walk(noted, ""))
    for leaf in leaves:
        for path, text in told:
            if path == leaf.path:
                yield from (Telling(leaf.path, way) for way, form in forms_of(leaf.value)[::-1] if form == fold(text))


def _in_prose(leaves: tuple[Leaf, ...], text: str) -> Iterator[Telling]:
    """A form of the value, in a clause that names its key."""
    clauses = [f" {fold(clause)} " for clause in _CLAUSE.split(text)]
    for leaf in leaves:
        key = f" {fold(leaf.path.rpartition('.')[2].replace('_', ' '))} "
        exact = fold(leaf.value)
        for clause in clauses:
            if key in clause:
                yield from (Telling(leaf.path, way) for way, form in forms_of(leaf.value) if f" {form} " in clause)
            # A range may be anybody's; only a long value as it is needs no name to be known.
            elif len(exact) > _SHORT and f" {exact} " in clause:
                yield Telling(leaf.path, EXACT)


@lru_cache(maxsize=4096)
def forms_of(value: str) -> tuple[tuple[str, str], ...]:
    """The forms of a value by their words, the most exact first."""
    forms = [(EXACT, fold(value))]
    for way in sorted(WAYS, key=level_of):
        coarser = generalise(value, way)
        if coarser is not None and coarser != value:
            forms.append((way, fold(coarser)))
    return tuple((way, form) for way, form in forms if form)

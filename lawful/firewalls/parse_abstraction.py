"""From a YAML file to an abstraction: what it may hold, and that its names mean something."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from lawful.firewalls.abstraction import (
    LONGEST_TEXT,
    Abstraction,
    Combination,
    Crowd,
    Derived,
    Excess,
    FieldRule,
    Path,
    Scope,
    path_of,
)
from lawful.firewalls.reading import KEY, Reader, read_tree
from lawful.firewalls.words import words
from lawful.schemas.event import RecipientKind
from lawful.schemas.generalising import HOW, parse_how
from lawful.schemas.problems import did_you_mean

if TYPE_CHECKING:
    from lawful.schemas.yamltree import Path as Place

_TOP: Final = ("abstraction", "version", "description", "fields", "derived", "combinations", "population")
_RULES: Final = ("allow", "block", "generalise")
_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,62}(\.[a-z][a-z0-9_]{0,62}){0,7}")
_DAYS: Final = {"days": 1, "weeks": 7}


def parse_abstraction(text: str, file: str = "abstraction.yaml") -> Abstraction:
    """The abstraction that a text describes.

    Raises:
        InvalidFile: it is none; lists every problem with its place.
    """
    reader = Reader(read_tree(text, file))
    reader.mapping((), _TOP, ("abstraction", "version", "fields"))
    fields = {name: _field(reader, ("fields", name), name) for name in reader.entries(("fields",), _NAME)}
    _distinct(reader, fields)
    if not fields:
        reader.wrong(("fields",), "no rule, so everything would be blocked", "add a field")
    abstraction = Abstraction(
        id=reader.text(("abstraction",), form=KEY),
        version=reader.text(("version",)),
        description=reader.text(("description",)),
        fields=fields,
        derived=tuple(_derived(reader, name, fields) for name in reader.entries(("derived",), _NAME)),
        combinations=tuple(_combinations(reader, fields)),
        crowd=_crowd(reader, fields),
        scope=Scope(reader.word(("population", "scope"), tuple(Scope), Scope.RECIPIENT)),
    )
    reader.finish()
    return abstraction


def _field(reader: Reader, path: "Place", name: str) -> FieldRule:
    said = reader.at(path)
    if isinstance(said, str):
        word = reader.word(path, ("allow", "block"))
        return FieldRule(name, ("",) if word == "allow" else ())
    given: Mapping[str, Any] = reader.mapping(path, (*_RULES, "then", "labels", "longest"))
    rules = [rule for rule in _RULES if rule in given]
    if len(rules) != 1:
        reader.wrong(path, f"'{name}' needs exactly one of {', '.join(_RULES)}", "for example {generalise: year}")
        return FieldRule(name)
    then = tuple(_how(reader, (*path, "then", index)) for index in range(len(reader.texts((*path, "then")))))
    first = {"allow": ("",), "block": ()}.get(rules[0]) or _first(reader, path, rules[0])
    if not first and then:
        reader.wrong((*path, "then"), "what is blocked has no coarser steps")
    return FieldRule(
        name,
        (*first, *then) if first else (),
        _values(reader, (*path, "allow")),
        reader.count((*path, "longest"), LONGEST_TEXT, 10_000),
        reader.texts((*path, "labels")),
    )


def _first(reader: Reader, path: "Place", rule: str) -> tuple[str, ...]:
    if rule == "generalise":
        return (_how(reader, (*path, rule)),)
    reader.flag((*path, rule))
    return ()


def _how(reader: Reader, path: "Place") -> str:
    how = reader.text(path)
    try:
        parse_how(how)
    except ValueError:
        hint = did_you_mean(how, HOW) or f"one of: {', '.join(HOW)}"
        reader.wrong(path, f"'{how}' is no way to generalise", hint)
    return how


def _values(reader: Reader, path: "Place") -> Mapping[str, str] | None:
    said = reader.at(path)
    if said is None or said is True:
        return None
    return {words(value): value for value in reader.texts(path)}


def _distinct(reader: Reader, fields: Mapping[str, FieldRule]) -> None:
    seen: dict[Path, str] = {}
    for name, rule in fields.items():
        for path in rule.paths:
            other = seen.setdefault(path, name)
            if other != name:
                reader.wrong(("fields", name), f"'{name}' and '{other}' are the same key", key=True)


def _derived(reader: Reader, name: str, fields: Mapping[str, FieldRule]) -> Derived:
    path: Place = ("derived", name)
    reader.mapping(path, ("from", "to", "unit"), ("from", "to"))
    start, end = (path_of(reader.text((*path, key), "x", _NAME)) for key in ("from", "to"))
    if not start[:-1] == end[:-1] == path_of(name)[:-1]:
        reader.wrong(path, f"'{name}', 'from' and 'to' must be keys of one object", key=True)
    if name in fields:
        reader.wrong(path, f"'{name}' is a field already", "give it another name", key=True)
    return Derived(name, start, end, _DAYS[reader.word((*path, "unit"), tuple(_DAYS), "days")])


def _combinations(reader: Reader, fields: Mapping[str, FieldRule]) -> list[Combination]:
    said = reader.at(("combinations",))
    if said is not None and not isinstance(said, list):
        reader.wrong(("combinations",), "this must be a list")
        return []
    return [_combination(reader, ("combinations", index), fields) for index in range(len(said or ()))]


def _combination(reader: Reader, path: "Place", fields: Mapping[str, FieldRule]) -> Combination:
    reader.mapping(path, ("name", "fields", "most", "to", "action"), ("name", "fields", "most"))
    names = _known(reader, (*path, "fields"), fields)
    most = reader.count((*path, "most"), 1, 100, least=0)
    if names and most >= len(set(names)):
        reader.wrong((*path, "most"), f"{most} of {len(set(names))} fields are never too many")
    return Combination(
        name=reader.text((*path, "name"), "combination", KEY),
        fields=frozenset(names),
        most=most,
        kinds=_kinds(reader, (*path, "to")),
        action=Excess(reader.word((*path, "action"), tuple(Excess), Excess.BLOCK)),
    )


def _kinds(reader: Reader, path: "Place") -> frozenset[RecipientKind] | None:
    if reader.at(path) is None:
        return None
    said = reader.texts(path)
    return frozenset(RecipientKind(reader.word((*path, at), tuple(RecipientKind), "agent")) for at in range(len(said)))


def _crowd(reader: Reader, fields: Mapping[str, FieldRule]) -> Crowd | None:
    if reader.at(("population",)) is None:
        return None
    reader.mapping(("population",), ("k", "fields", "scope"), ("k", "fields"))
    names = _known(reader, ("population", "fields"), fields)
    return Crowd(reader.count(("population", "k"), 2, 100_000, least=2), names)


def _known(reader: Reader, path: "Place", fields: Mapping[str, FieldRule]) -> tuple[str, ...]:
    names = reader.texts(path)
    for index, name in enumerate(names):
        if name not in fields:
            reader.wrong((*path, index), f"'{name}' is no field", did_you_mean(name, fields))
        elif not fields[name].steps:
            reader.wrong((*path, index), f"'{name}' is blocked anyway", "take it out")
    return names

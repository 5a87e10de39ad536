"""A protocol's vocabulary from benign conversations: which keys there are, which values, how often.

Attacks teach nothing here. A word that fewer than so many benign conversations share teaches nothing
either, so that a few poisoned ones among them cannot add a key or a choice of their own.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from lawful.firewalls.learning.demonstrations import Demonstration
from lawful.firewalls.learning.guessing import Guess, Seen, guess
from lawful.firewalls.learning.observing import Thing, observe
from lawful.firewalls.reading import KEY
from lawful.firewalls.words import words

_OVERLAP: Final = 2
"""So many labels in common make two things the same kind."""
_NO_KIND: Final = "entry"


@dataclass(frozen=True, slots=True)
class LearnedField:
    """A key.

    Attributes:
        support: benign conversations that had it, of so many.
        labels: what else it was called.
    """

    key: str
    labels: tuple[str, ...]
    guess: Guess
    support: int
    of: int


@dataclass(frozen=True, slots=True)
class LearnedRecord:
    """A kind of thing that a message may tell several of; `kind` is empty for what a message says once."""

    kind: str
    labels: tuple[str, ...]
    fields: tuple[LearnedField, ...]


@dataclass(frozen=True, slots=True)
class _Sighting:
    where: str
    thing: int
    label: str
    value: str


def learn_vocabulary(demonstrations: Iterable[Demonstration], least: int) -> tuple[LearnedRecord, ...]:
    """The kinds of things that benign conversations speak of, with their fields.

    Args:
        demonstrations: those of attacks are passed over.
        least: so many conversations must share a word.
    """
    things = [
        (each.id, thing)
        for each in demonstrations
        if not each.attack
        for said in each.turns
        if said.by_service
        for thing in observe(said.text)
    ]
    of = len({where for where, _ in things})
    kinds = _kinds(things, least)
    found: list[LearnedRecord] = []
    for kind, sightings in sorted(_sorted_by_kind(things, kinds).items()):
        fields = _fields(kind, sightings, least, of)
        if fields:
            found.append(LearnedRecord(_key(kind), _other_number(kind), fields))
    return tuple(found)


def _kinds(things: Sequence[tuple[str, Thing]], least: int) -> dict[str, set[str]]:
    """The kinds that enough conversations name, each with its labels."""
    named: dict[str, set[str]] = defaultdict(set)
    labels: dict[str, set[str]] = defaultdict(set)
    for where, thing in things:
        if thing.kind and KEY.fullmatch(_key(thing.kind)):
            named[thing.kind].add(where)
            labels[thing.kind] |= {pair.label for pair in thing.pairs}
    return {kind: labels[kind] for kind, where in named.items() if len(where) >= least}


def _sorted_by_kind(
    things: Sequence[tuple[str, Thing]], kinds: Mapping[str, set[str]]
) -> Mapping[str, list[_Sighting]]:
    """What was said, by kind; a thing without one belongs to the kind that it has most labels in common with."""
    found: dict[str, list[_Sighting]] = defaultdict(list)
    for number, (where, thing) in enumerate(things):
        kind = thing.kind if thing.kind in kinds else _nearest(thing, kinds)
        found[kind] += [_Sighting(where, number, pair.label, pair.value) for pair in thing.pairs]
    return found


def _nearest(thing: Thing, kinds: Mapping[str, set[str]]) -> str:
    labels = {pair.label for pair in thing.pairs}
    if not kinds:
        return _NO_KIND if len(labels) >= _OVERLAP else ""
    kind, shared = max(((kind, len(labels & known)) for kind, known in sorted(kinds.items())), key=lambda each: each[1])
    return kind if shared >= _OVERLAP else ""


def _fields(kind: str, sightings: Sequence[_Sighting], least: int, of: int) -> tuple[LearnedField, ...]:
    by_label: dict[str, list[_Sighting]] = defaultdict(list)
    for each in sightings:
        by_label[each.label].append(each)
    support = {label: len({each.where for each in seen}) for label, seen in by_label.items()}
    known = sorted((label for label in by_label if support[label] >= least), key=lambda each: (-support[each], each))
    category = _singular(_key(kind)) or "name"
    found: list[LearnedField] = []
    for group in _synonyms(kind, known, by_label, least):
        seen = [Seen(each.where, each.value) for label in group for each in by_label[label]]
        guessed = guess(seen, least, category)
        where = {each.where for each in seen}
        if KEY.fullmatch(_key(group[0])):
            found.append(LearnedField(_key(group[0]), tuple(group[1:]), guessed, len(where), of))
    return tuple(sorted(found, key=lambda each: each.key))


def _synonyms(
    kind: str, labels: Sequence[str], by_label: Mapping[str, Sequence[_Sighting]], least: int
) -> list[list[str]]:
    """Labels that mean the same: of one form, never said of the same thing, and alike in their words.

    A free text that a thing is called by is its name, whether the message calls it `name` or by its kind.
    """
    things = {label: {each.thing for each in by_label[label]} for label in labels}
    types = {label: _type(by_label[label], least) for label in labels}
    groups: list[list[str]] = []
    for label in labels:
        for group in groups:
            apart = all(things[label].isdisjoint(things[other]) for other in group)
            if apart and types[label] == types[group[0]] and _alike(kind, label, group, types[label]):
                group.append(label)
                break
        else:
            groups.append([label])
    return groups


def _type(seen: Sequence[_Sighting], least: int) -> str:
    guessed = guess([Seen(each.where, each.value) for each in seen], least, "name")
    return "number" if guessed.type in {"integer", "decimal"} else guessed.type


def _alike(kind: str, label: str, group: Sequence[str], form: str) -> bool:
    if form == "name":
        names = {"name", "title", kind, *_other_number(kind)}
        return label in names and group[0] in names
    return any(set(label.split()) & set(other.split()) for other in group)


def _other_number(kind: str) -> tuple[str, ...]:
    """`hotel` of `hotels` and the other way round."""
    if not kind or kind == _NO_KIND:
        return ()
    return (kind.removesuffix("s"),) if kind.endswith("s") else (f"{kind}s",)


def _singular(key: str) -> str:
    return key.removesuffix("s")


def _key(label: str) -> str:
    return "_".join(words(label).split())

"""An abstraction by contrast: what benign tasks needed, and in which form, against what only attacks got.

A field goes out in the coarsest form that all but very few benign conversations could do with. Very few
means fewer than would make a word of the protocol, so that some poisoned conversations cannot make
a rule more exact.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from lawful.firewalls.forms import DateForm
from lawful.firewalls.learning.demonstrations import Demonstration
from lawful.firewalls.learning.telling import EXACT, Telling, leaves_of, tellings
from lawful.firewalls.values import Refused
from lawful.firewalls.words import words

_SMALL: Final = 4
"""Of fewer conversations than so many, none is passed over."""
_CHOICES: Final = 40
_CHOICE_WORDS: Final = 3
_LONGEST: Final = 40


@dataclass(frozen=True, slots=True)
class Granted:
    """What becomes of a field.

    Attributes:
        way: `EXACT` for as it is, a way to generalise, or nothing: blocked.
        values: the only texts that pass as they are; nothing for numbers and dates, and where texts are free.
        benign: benign conversations that told it, of `of` that had it; `exact` of them as it is.
        attacks: attacks that got it as it is.
    """

    path: str
    way: str | None
    values: tuple[str, ...] | None
    benign: int
    exact: int
    of: int
    attacks: int


def contrast(demonstrations: Iterable[Demonstration], least: int) -> tuple[Granted, ...]:
    """A rule for every field of the records.

    Args:
        demonstrations: benign ones and attacks.
        least: so many benign conversations must have told a field before it goes out at all.
    """
    benign: dict[str, list[Telling]] = defaultdict(list)
    had: Counter[str] = Counter()
    attacked: Counter[str] = Counter()
    stored: dict[str, list[str]] = defaultdict(list)
    for each in demonstrations:
        leaves = leaves_of(each.record)
        told = tellings(each)
        if each.attack:
            attacked.update(telling.path for telling in told if telling.way == EXACT)
            had.update(dict.fromkeys({leaf.path for leaf in leaves}, 0))
            continue
        had.update({leaf.path for leaf in leaves})
        for telling in told:
            benign[telling.path].append(telling)
        exact = {telling.path for telling in told if telling.way == EXACT}
        for path in exact:
            stored[path] += sorted({leaf.value for leaf in leaves if leaf.path == path})
    return tuple(_granted(path, benign[path], stored[path], least, (had[path], attacked[path])) for path in sorted(had))


def _granted(path: str, told: Sequence[Telling], stored: Sequence[str], least: int, counts: tuple[int, int]) -> Granted:
    way = _coarsest(told, least) if len(told) >= least else None
    values = _closed(stored, least) if way == EXACT else None
    if way == EXACT and values == ():
        way, values = None, None
    exact = sum(telling.way == EXACT for telling in told)
    return Granted(path, way, values, len(told), exact, *counts)


def _coarsest(told: Sequence[Telling], least: int) -> str:
    """The coarsest form that is exact enough for all but very few."""
    few = min(least - 1, len(told) // _SMALL)
    levels = sorted({telling.level for telling in told}, reverse=True)
    level = next(each for each in levels if sum(telling.level < each for telling in told) <= few)
    ways = Counter(telling.way for telling in told if telling.level == level)
    return min(ways, key=lambda way: (-ways[way], way))


def _closed(stored: Sequence[str], least: int) -> tuple[str, ...] | None:
    """The texts that enough people share; nothing for numbers and dates, an empty list where texts are free."""
    if all(_is_number_or_day(value) for value in stored):
        return None
    counts = Counter(words(value) for value in stored)
    shared = {spelt for spelt, count in counts.items() if count >= least and 0 < len(spelt.split()) <= _CHOICE_WORDS}
    spellings: Mapping[str, str] = {words(value): value for value in sorted(stored)}
    if not shared or len(shared) > _CHOICES:
        return ()
    return tuple(sorted(spellings[spelt] for spelt in shared))


def _is_number_or_day(value: str) -> bool:
    if len(value) > _LONGEST:
        return False
    try:
        float(value)
    except ValueError:
        try:
            DateForm().read(value)
        except Refused:
            return value in {"true", "false"}
    return True

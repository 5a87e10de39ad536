"""From the values of a label to the form that they have: the narrowest one that reads nearly all of them.

Bounds are drawn from what was seen and then widened, so that a price that is somewhat higher than any
seen so far is still a price. Values that too few conversations share never become words of a protocol.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from lawful.firewalls.forms import BooleanForm, DateForm, DateTimeForm, Form, MoneyForm, NumberForm, TimeForm
from lawful.firewalls.forms.money import CODES
from lawful.firewalls.values import Refused
from lawful.firewalls.words import words

_MOST: Final = Decimal(10) ** 12
_NEARLY: Final = 0.9
_CHOICES: Final = 40
_CHOICE_WORDS: Final = 3
_TRIMMED: Final = 0.01
_PLACES: Final = 3
_NUMBER: Final = re.compile(r"(?P<number>[-+]?\d[\d.,' ]{0,20}?)\s*(?P<unit>[^\d\s.,'/-]\S{0,11})?")
_DIGIT: Final = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Seen:
    """A value, and the conversation in which it was seen."""

    where: str
    value: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Guess:
    """The form of a label's values.

    Attributes:
        spec: its keys, as a protocol has them.
        fits, of: so many of the values are read by it.
    """

    spec: Mapping[str, Any]
    fits: int
    of: int

    @property
    def type(self) -> str:
        """The form's name."""
        return str(self.spec["type"])


def guess(seen: Sequence[Seen], least: int, category: str) -> Guess:
    """The form that nearly all values have.

    Args:
        seen: the values.
        least: so many conversations must share a value, a unit or a currency before it is a word.
        category: what opaque names are called if the values are free text.
    """
    for way in (_boolean, _date, _datetime, _time, _money, _number):
        spec, fits = way(seen, least)
        if spec is not None and fits >= _NEARLY * len(seen):
            return Guess(spec, fits, len(seen))
    spec, fits = _choice(seen, least)
    if spec is not None and fits >= _NEARLY * len(seen):
        return Guess(spec, fits, len(seen))
    longest = max((len(each.value) for each in seen), default=1)
    return Guess(
        {"type": "name", "category": category, "longest": min(80, max(20, -(-longest // 20) * 20))},
        len(seen),
        len(seen),
    )


_Found = tuple[dict[str, Any] | None, int]


def _boolean(seen: Sequence[Seen], _: int) -> _Found:
    form = BooleanForm()
    return {"type": "boolean"}, sum(_reads(form, each.value) and not _DIGIT.search(each.value) for each in seen)


def _date(seen: Sequence[Seen], _: int) -> _Found:
    return _days("date", seen, lambda order: DateForm(order=order))


def _datetime(seen: Sequence[Seen], _: int) -> _Found:
    return _days("datetime", seen, lambda order: DateTimeForm(DateForm(order=order)))


def _days(kind: str, seen: Sequence[Seen], make: Callable[[Any], Form]) -> _Found:
    form = make(None)
    years = [int(str(form.read(each.value))[:4]) for each in seen if _reads(form, each.value)]
    if not years:
        return None, 0
    low, high = _trimmed([Decimal(each) for each in years])
    return {"type": kind, "earliest": f"{low - 1}-01-01", "latest": f"{high + 5}-12-31"}, len(years)


def _time(seen: Sequence[Seen], _: int) -> _Found:
    form = TimeForm()
    return {"type": "time"}, sum(_reads(form, each.value) for each in seen)


def _money(seen: Sequence[Seen], least: int) -> _Found:
    form = MoneyForm(tuple(sorted(CODES)), -_MOST, _MOST)
    sums = [(each.where, str(form.read(each.value)).split()) for each in seen if _reads(form, each.value)]
    shared = _shared(((where, currency) for where, (_, currency) in sums), least)
    values = [Decimal(number) for _, (number, currency) in sums if currency in shared]
    if not values:
        return None, 0
    return {"type": "money", "currencies": sorted(shared), **_bounds(values)}, len(values)


def _number(seen: Sequence[Seen], least: int) -> _Found:
    """A number, bare or with one unit."""
    split = [(each, _NUMBER.fullmatch(each.value)) for each in seen]
    shared = _shared(
        ((each.where, match["unit"].casefold()) for each, match in split if match and match["unit"]), least
    )
    unit = shared.most_common(1)[0][0] if shared else None
    form = NumberForm(-_MOST, _MOST, _PLACES, {unit: Decimal(1)} if unit else {})
    values = [Decimal(str(form.read(each.value))) for each, match in split if match and _reads(form, each.value)]
    if not values:
        return None, 0
    places = max(0, *(-int(each.normalize().as_tuple().exponent) for each in values))
    spec: dict[str, Any] = {"type": "decimal" if places else "integer", **_bounds(values)}
    return spec | ({"places": places} if places else {}) | ({"units": {unit: 1}} if unit else {}), len(values)


def _choice(seen: Sequence[Seen], least: int) -> _Found:
    short = [(each.where, words(each.value)) for each in seen]
    shared = _shared(((where, spelt) for where, spelt in short if 0 < len(spelt.split()) <= _CHOICE_WORDS), least)
    if not 1 < len(shared) <= _CHOICES:
        return None, 0
    return {"type": "choice", "values": sorted(shared)}, sum(spelt in shared for _, spelt in short)


def _shared(said: Iterator[tuple[str, str]], least: int) -> Counter[str]:
    """What at least so many conversations said, and how many."""
    counts = Counter(what for _, what in set(said))
    return Counter({what: count for what, count in counts.items() if count >= least})


def _bounds(values: Sequence[Decimal]) -> dict[str, int]:
    low, high = _trimmed(values)
    return {"min": 0 if low >= 0 else -_round(-2 * low), "max": _round(2 * high)}


def _trimmed(values: Sequence[Decimal]) -> tuple[Decimal, Decimal]:
    """The least and the greatest without the outermost hundredth."""
    ordered = sorted(values)
    cut = int(len(ordered) * _TRIMMED)
    return ordered[cut], ordered[len(ordered) - 1 - cut]


def _round(value: Decimal) -> int:
    """The next of 1, 2, 5, 10, 20, 50, ..."""
    step = 1
    while True:
        for factor in (1, 2, 5):
            if factor * step >= value:
                return factor * step
        step *= 10


def _reads(form: Form, text: str) -> bool:
    try:
        form.read(text)
    except Refused:
        return False
    return True

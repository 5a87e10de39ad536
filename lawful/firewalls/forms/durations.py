"""Lengths of time: `3 nights`, `2h 30m`, `PT45M`, as a whole number of the protocol's unit."""

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

from lawful.firewalls.forms.base import is_exact
from lawful.firewalls.values import Reason, Refused

_MINUTES: Final = {"minutes": 1, "hours": 60, "days": 1440, "weeks": 10080}
_MONTHS: Final = {"months": 1, "years": 12}
UNITS: Final = (*_MINUTES, *_MONTHS)

_WORDS: Final = {
    word: unit
    for unit, said in {
        "minutes": "minutes minute mins min m minuten",
        "hours": "hours hour hrs hr h stunden stunde",
        "days": "days day d nights night tage tag nächte nacht",
        "weeks": "weeks week wk w wochen woche",
        "months": "months month mo mos monate monat",
        "years": "years year yrs yr y jahre jahr",
    }.items()
    for word in said.split()
}
_UNIT: Final = "|".join(sorted(_WORDS, key=len, reverse=True))
_PART: Final = re.compile(rf"(?P<number>\d{{1,6}}(?:[.,]\d{{1,2}})?)[ -]?(?P<unit>{_UNIT})(?![^\W\d])", re.IGNORECASE)
_IN_PROSE: Final = re.compile(
    rf"(?<![\w.,])\d{{1,6}}(?:[.,]\d{{1,2}})?[ -]?(?:{_UNIT})(?![^\W\d])"
    rf"(?:(?: and|,)? ?\d{{1,6}}[ -]?(?:{_UNIT}))?(?!\w)",
    re.IGNORECASE,
)
_BETWEEN: Final = re.compile(r"(?: |,|and|und)*", re.IGNORECASE)
_ISO: Final = re.compile(
    r"P(?:(?P<years>\d{1,4})Y)?(?:(?P<months>\d{1,4})M)?(?:(?P<weeks>\d{1,4})W)?(?:(?P<days>\d{1,5})D)?"
    r"(?:T(?:(?P<hours>\d{1,5})H)?(?:(?P<minutes>\d{1,6})M)?)?"
)
_BARE: Final = re.compile(r"\d{1,9}(?:[.,]\d{1,2})?")


@dataclass(frozen=True)
class DurationForm:
    """A length of time.

    Attributes:
        unit: one of `UNITS`; days and months do not turn into each other.
    """

    unit: str
    low: int
    high: int

    @property
    def pattern(self) -> re.Pattern[str]:
        """A number with a unit of time."""
        return _IN_PROSE

    def read(self, text: str) -> int:
        """In the protocol's unit, rounded."""
        parts = _parts(text, self.unit)
        scale = _MINUTES if self.unit in _MINUTES else _MONTHS
        if not all(unit in scale for _, unit in parts):
            raise Refused(Reason.WRONG_UNIT)
        total = sum((number * scale[unit] for number, unit in parts), Decimal()) / scale[self.unit]
        value = int(total.to_integral_value(ROUND_HALF_UP))
        if not self.low <= value <= self.high:
            raise Refused(Reason.OUT_OF_RANGE)
        return value

    def holds(self, value: object) -> bool:
        """Whether it is a whole number within the bounds."""
        return isinstance(value, int) and not isinstance(value, bool) and self.low <= value <= self.high


def _parts(text: str, unit: str) -> list[tuple[Decimal, str]]:
    if is_exact(text) or _BARE.fullmatch(text):
        if not _BARE.fullmatch(text):
            raise Refused(Reason.WRONG_TYPE)
        return [(Decimal(text.replace(",", ".")), unit)]
    iso = _ISO.fullmatch(text)
    if iso is not None and any(iso.groups()):
        return [(Decimal(number), name) for name, number in iso.groupdict().items() if number]
    found = [(Decimal(each["number"].replace(",", ".")), _WORDS[each["unit"].lower()]) for each in _PART.finditer(text)]
    if not found or not _BETWEEN.fullmatch(_PART.sub("", text)):
        raise Refused(Reason.WRONG_TYPE)
    return found

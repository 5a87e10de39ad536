"""Numbers as people write them, with units; a number that can be read in two ways is read in none."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Final

from lawful.firewalls.forms.base import is_exact
from lawful.firewalls.values import Reason, Refused

NUMBER: Final = (
    r"[-+\u2212]?(?:\d{1,3}(?:[.,'\u2019 \u00a0]\d{3}){1,4}(?:[.,]\d{1,4})?|\d{1,15}(?:[.,]\d{1,8})?)(?![\d])"
)
"""A number in prose; bounded, so that no text makes it slow."""

_START: Final = r"(?<![\w.,])"
_OUT_OF: Final = re.compile(rf"(?P<number>{NUMBER})\s*(?:/|out of|von|of)\s*(?P<most>{NUMBER})(?P<unit>.*)")
_WHOLE: Final = re.compile(rf"(?P<number>{NUMBER})\s*(?P<unit>.*)")
_GROUPS: Final = re.compile(r"\d{1,3}(?P<mark>[.,'\u2019 \u00a0])\d{3}(?:(?P=mark)\d{3})*")
_PLAIN: Final = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?")


def readings(text: str) -> set[Decimal]:
    """All that a number can mean: `1.234` is a thousand to some and a little over one to others."""
    plain = text.replace("\u2212", "-").lstrip("+")
    if is_exact(text):
        return {Decimal(plain)} if _PLAIN.fullmatch(plain) else set()
    sign, plain = (-1, plain[1:]) if plain.startswith("-") else (1, plain)
    found: set[Decimal] = set()
    if _PLAIN.fullmatch(plain.replace(",", ".")):
        found.add(sign * Decimal(plain.replace(",", ".")))
    if _GROUPS.fullmatch(plain):
        found.add(sign * Decimal(re.sub(r"\D", "", plain)))
    both = re.fullmatch(r"(?P<whole>.*\d{3})(?P<point>[.,])(?P<part>\d{1,4})", plain)
    if both and _GROUPS.fullmatch(both["whole"]) and both["point"] not in both["whole"]:
        found.add(sign * Decimal(re.sub(r"\D", "", both["whole"]) + "." + both["part"]))
    return found


@dataclass(frozen=True)
class NumberForm:
    """A number within bounds, in the protocol's unit.

    Attributes:
        places: decimals that are kept; none makes it a whole number.
        units: words that may follow the number, each with what it is multiplied by.
    """

    low: Decimal
    high: Decimal
    places: int = 0
    units: Mapping[str, Decimal] = field(default_factory=dict)

    @property
    def pattern(self) -> re.Pattern[str]:
        """A number, with a unit where there are units."""
        return self._pattern

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        words = "|".join(re.escape(unit) for unit in sorted(self.units, key=len, reverse=True))
        tail = rf"(?:[ -]?(?:{words})(?!\w)|(?!\w))" if words else r"(?!\w)"
        return re.compile(rf"{_START}{NUMBER}(?:\s?/\s?\d{{1,3}})?{tail}", re.IGNORECASE)

    def read(self, text: str) -> int | float:
        """The number, in the protocol's unit, rounded."""
        match = _OUT_OF.fullmatch(text) if not is_exact(text) else None
        if match is not None:
            if self.high not in readings(match["most"]):
                raise Refused(Reason.WRONG_UNIT)
        else:
            match = _WHOLE.fullmatch(text)
        if match is None:
            raise Refused(Reason.WRONG_TYPE)
        number = text if is_exact(text) else match["number"]
        return self.bounded(readings(number), self._factor(match["unit"]))

    def bounded(self, found: set[Decimal], factor: Decimal) -> int | float:
        """The one of the readings that is within the bounds."""
        if not found:
            raise Refused(Reason.WRONG_TYPE)
        inside = {each for each in (self._rounded(one * factor) for one in found) if self.low <= each <= self.high}
        if len(inside) != 1:
            raise Refused(Reason.AMBIGUOUS if inside else Reason.OUT_OF_RANGE)
        (value,) = inside
        return int(value) if not self.places else float(value)

    def holds(self, value: object) -> bool:
        """Whether it is a number of this kind within the bounds, and not more exact."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        exact = Decimal(str(value))
        return isinstance(value, float if self.places else int) and (
            self.low <= exact <= self.high and self._rounded(exact) == exact
        )

    def _rounded(self, value: Decimal) -> Decimal:
        if not self.places and value != value.to_integral_value():
            raise Refused(Reason.WRONG_TYPE)
        return value.quantize(Decimal(1).scaleb(-self.places)) + 0

    def _factor(self, said: str) -> Decimal:
        unit = said.strip(" .-").casefold()
        if not unit:
            return Decimal(1)
        if unit not in self.units:
            raise Refused(Reason.WRONG_UNIT if self.units else Reason.WRONG_TYPE)
        return self.units[unit]

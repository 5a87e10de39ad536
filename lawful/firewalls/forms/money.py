"""Sums of money with their currency."""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Final

from lawful.firewalls.forms.base import is_exact
from lawful.firewalls.forms.numbers import NUMBER, readings
from lawful.firewalls.values import Reason, Refused

_NAMES: Final = {
    "€": "EUR", "euro": "EUR", "euros": "EUR", "$": "USD", "us$": "USD", "dollar": "USD", "dollars": "USD",
    "£": "GBP", "pound": "GBP", "pounds": "GBP", "¥": "JPY", "yen": "JPY", "fr.": "CHF", "sfr": "CHF",
    "franken": "CHF", "zł": "PLN", "₹": "INR", "rupees": "INR", "₺": "TRY",
}  # fmt: skip
_SCALES: Final = {"k": 10**3, "thousand": 10**3, "m": 10**6, "mio": 10**6, "million": 10**6}
_SCALE: Final = r"(?:\s?(?P<scale>k|thousand|m|mio|million)\b\.?)?"
_NUMBERS: Final = re.compile(rf"(?<![\w.,])(?P<number>{NUMBER}){_SCALE}", re.IGNORECASE)
_CENTS: Final = Decimal("0.01")
_CODE: Final = re.compile(r"(?<![A-Z])[A-Z]{3}(?![A-Z])")
_MORE: Final = "AED AUD BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HUF IDR ILS INR ISK JPY KES"
_EVEN_MORE: Final = "KRW MAD MXN MYR NGN NOK NZD PHP PKR PLN RON RSD RUB SAR SEK SGD THB TRY TWD UAH USD VND ZAR"
CODES: Final = frozenset(f"{_MORE} {_EVEN_MORE}".split(" "))
"""Codes that are told as currencies even where the protocol does not take them."""


@dataclass(frozen=True)
class MoneyForm:
    """A sum in one of some currencies.

    Attributes:
        currencies: ISO 4217; a sum without one is in the only one there is, or in none.
    """

    currencies: tuple[str, ...]
    low: Decimal
    high: Decimal

    @property
    def pattern(self) -> re.Pattern[str]:
        """A number with a currency in front of it or behind it."""
        return self._pattern

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        sign = self._sign.pattern
        return re.compile(
            rf"(?<![\w.,])(?:(?:{sign})\s?{NUMBER}(?:\s?(?:k|thousand|m|mio|million)\b)?"
            rf"|{NUMBER}(?:\s?(?:k|thousand|m|mio|million)\b)?\s?(?:{sign}))",
            re.IGNORECASE,
        )

    def read(self, text: str) -> str:
        """As `120.00 EUR`."""
        amounts = [("", text)] if is_exact(text) else [(each["scale"] or "", each["number"]) for each in _found(text)]
        if len(amounts) != 1:
            raise Refused(Reason.AMBIGUOUS if amounts else Reason.WRONG_TYPE)
        ((scale, number),) = amounts
        factor = _SCALES.get(scale.lower(), 1)
        # Three digits behind a mark are no cents: `1,450` is one number only.
        found = readings(number) if is_exact(text) else readings(number) - {_as_decimal(number)}
        return f"{self._bounded({each * factor for each in found})} {self._currency(text)}"

    def holds(self, value: object) -> bool:
        """Whether it is such a sum, in the one spelling."""
        if not isinstance(value, str):
            return False
        number, _, currency = value.partition(" ")
        if currency not in self.currencies or not re.fullmatch(r"-?[0-9]{1,15}\.[0-9]{2}", number):
            return False
        return self.low <= Decimal(number) <= self.high

    @cached_property
    def _sign(self) -> re.Pattern[str]:
        signs = sorted([*_NAMES, *self.currencies], key=len, reverse=True)
        return re.compile("|".join(_standing_alone(each) for each in signs), re.IGNORECASE)

    def _bounded(self, found: set[Decimal]) -> Decimal:
        inside = {each.quantize(_CENTS) for each in found if self.low <= each <= self.high}
        inside = {each + 0 for each in inside if self.low <= each <= self.high}
        if len(inside) != 1:
            raise Refused(Reason.AMBIGUOUS if inside else Reason.OUT_OF_RANGE if found else Reason.WRONG_TYPE)
        return inside.pop()

    def _currency(self, text: str) -> str:
        said: set[str] = {_NAMES.get(sign.lower()) or sign.upper() for sign in self._sign.findall(text)}
        said |= {each for each in _CODE.findall(text) if each in CODES}
        if not said and len(self.currencies) == 1:
            return self.currencies[0]
        if len(said) != 1 or not said <= set(self.currencies):
            raise Refused(Reason.WRONG_UNIT)
        return said.pop()


def _found(text: str) -> list[re.Match[str]]:
    return list(_NUMBERS.finditer(text)) or list(re.finditer(rf"(?P<number>{NUMBER}){_SCALE}", text, re.IGNORECASE))


def _standing_alone(sign: str) -> str:
    """A currency as an expression; `A$` is no `$`."""
    before, behind = r"(?<![A-Za-z])", r"(?!\w)" if sign[-1].isalpha() else ""
    return f"{before}{re.escape(sign)}{behind}"


def _as_decimal(number: str) -> Decimal | None:
    """What a number with three digits behind its only mark is, if the mark is a point."""
    match = re.fullmatch(r"[-+]?(\d{1,15})[.,](\d{3})", number)
    return Decimal(number.replace(",", ".")) if match is not None else None

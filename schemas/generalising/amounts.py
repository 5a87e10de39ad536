"""Sums of money, in bands whose ends are 1 or 5 times a power of ten."""

import re
from decimal import Decimal
from typing import Final

_DIGITS: Final = (
    r"\d{1,3}(?:(?P<mark>[.,'\u2019 \u00a0])\d{3})(?:(?P=mark)\d{3})*(?:[.,]\d{1,2})?(?!\d)|\d+(?:[.,]\d{1,2})?(?!\d)"
)
_ONE: Final = re.compile(rf"(?P<number>{_DIGITS})(?:\s?(?P<scale>k|K|m|M|million|thousand|bn)(?![A-Za-z]))?")
_BAND: Final = re.compile(r"(?P<low>\d+)-(?P<high>\d+)")
_SCALES: Final = {"k": 10**3, "thousand": 10**3, "m": 10**6, "million": 10**6, "bn": 10**9}
_MOST: Final = 10**12  # more is no sum of money but an account number


def band(text: str) -> str | None:
    """The text with its one number as a band: `$1,234.56` becomes `$1000-5000`."""
    done = _BAND.search(text)
    if done is not None and not re.search(r"\d", text[: done.start()] + text[done.end() :]):
        return text if _ends(Decimal(done["low"])) == (int(done["low"]), int(done["high"])) else None
    match = _ONE.search(text)
    if match is None or re.search(r"\d", text[: match.start()] + text[match.end() :]):
        return None
    value = _value(match["number"]) * _SCALES.get((match["scale"] or "").lower(), 1)
    if value >= _MOST:
        return None
    low, high = _ends(value)
    return f"{text[: match.start()]}{low}-{high}{text[match.end() :]}"


def number(value: float) -> float | None:
    """The lower end of an amount's band, as a number of the same type."""
    if isinstance(value, bool) or not -_MOST < value < _MOST:
        return None
    low = _ends(abs(Decimal(str(value))))[0]
    return type(value)(-low if value < 0 else low)


def _ends(value: Decimal) -> tuple[int, int]:
    """The band of an amount: 0-10, 10-50, 50-100, 100-500, and so on; the lower end belongs to it."""
    low, high = 0, 10
    while value >= high:
        low, high = high, high * (5 if str(high)[0] == "1" else 2)
    return low, high


def _value(text: str) -> Decimal:
    """A number as English or as the continent writes it."""
    plain = re.sub(r"['\u2019 \u00a0]", "", text)
    cents = re.search(r"[.,](\d{1,2})$", plain)
    whole = plain[: cents.start()] if cents else plain
    return Decimal(re.sub(r"[.,]", "", whole) + (f".{cents[1]}" if cents else ""))

"""Less exact, and still of use: a year for a date, a band for an age, a region for an address.

GDPR Art. 5(1)(c) asks for no more data than a purpose needs; often a purpose needs the decade and
not the day. Pure functions of a text, so that the one who judges and the one who delivers come to
the same; what they do not understand they give no answer for, and it is then replaced whole.

Each is idempotent: what has been generalised stays as it is.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from lawful.schemas.generalising import ages, amounts, dates, networks, places
from lawful.schemas.taxonomy import line

__all__ = ["HOW", "generalise", "generalise_number", "natural", "parse_how"]

Number = int | float


@dataclass(frozen=True, slots=True)
class _Way:
    """One way to generalise.

    Attributes:
        text: the coarser text, or nothing where it does not understand it.
        number: likewise, of a number in JSON.
        width: what its number means if none is given; 0 where it takes none.
        widths: which numbers it takes.
    """

    text: Callable[[str, int], str | None]
    number: Callable[[Number, int], Number | None]
    width: int = 0
    widths: range = range(0)


_WAYS: Final = {
    "month": _Way(lambda text, _: dates.coarser(text, "month"), lambda value, _: dates.number(value, "month")),
    "year": _Way(lambda text, _: dates.coarser(text, "year"), lambda value, _: dates.number(value, "year")),
    "decade": _Way(lambda text, _: dates.coarser(text, "decade"), lambda value, _: dates.number(value, "decade")),
    "band": _Way(ages.band, ages.number, 10, range(2, 51)),
    "amount": _Way(lambda text, _: amounts.band(text), lambda value, _: amounts.number(value)),
    "region": _Way(lambda text, _: places.region(text), lambda _value, _: None),
    "coarse": _Way(places.rounded, places.rounded_number, 1, range(4)),
    "network": _Way(lambda text, _: networks.network(text), lambda _value, _: None),
}

HOW: Final = tuple(_WAYS)
"""The ways there are: `month`, `year`, `decade` of dates; `band` of ages (`band 5`); `amount` of money;
`region` of addresses and postal codes; `coarse` of coordinates (`coarse 2`: decimals); `network` of IP addresses."""

# How a category is generalised if nobody says how; nothing for what has no coarser form.
_NATURAL: Final = {
    "user.demographic.date_of_birth": "year",
    "user.demographic.age_range": "band",
    "user.contact.address": "region",
    "user.location": "coarse",
    "user.device.ip_address": "network",
    "user.financial": "amount",
    "user.financial.bank_account": "",
    "user.financial.credit_card": "",
}


def natural(category: str) -> str:
    """How a category is generalised if nobody says how; empty where there is no way."""
    return next((_NATURAL[name] for name in line(category) if name in _NATURAL), "")


def parse_how(how: str) -> tuple[str, int]:
    """A way's name and its number.

    Raises:
        ValueError: there is no such way, or it takes no such number.
    """
    name, _, width = how.partition(" ")
    way = _WAYS.get(name)
    if way is None or (width and not (width.isdecimal() and int(width) in way.widths)):
        raise ValueError(how)
    return name, int(width) if width else way.width


def generalise(text: str, how: str, *, typed: bool = False) -> str | None:
    """A coarser text, or nothing where it is not understood.

    Args:
        text: the value, with whatever words stand around it within its span.
        how: one of `HOW`, with a number where it takes one.
        typed: keep the form of a date, as a schema may ask (`1985-01-01` for the year 1985).
    """
    try:
        name, width = parse_how(how)
    except ValueError:  # a newer worker's word
        return None
    if typed and name in dates.PRECISIONS:
        return dates.typed(text, name)
    return _WAYS[name].text(text, width)


def generalise_number(value: Number, how: str) -> Number | None:
    """A coarser number of the same JSON type, or nothing where it is not understood."""
    try:
        name, width = parse_how(how)
    except ValueError:
        return None
    return _WAYS[name].number(value, width)

"""Checksums of issuers: python-stdnum's by the module's name, and the few that it does not have.

Sources: Germany's pension number, § 2 VKVV; its health-insurance number, § 290 SGB V; France's tax
number, DGFiP's key modulo 511; Spain's affiliation number, Orden TAS/2865/2003.
"""

import importlib
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from lawful.schemas.errors import ConfigurationError

Check = Callable[[str], bool]

_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@lru_cache(maxsize=256)
def check_of(name: str) -> Check:
    """The check that a table names.

    Raises:
        ConfigurationError: there is none of that name.
    """
    if not name.startswith("stdnum."):
        if name not in _OURS:
            raise ConfigurationError(f"no check is called {name!r}", hint=f"ours are {', '.join(sorted(_OURS))}")
        return _OURS[name]
    try:
        check: Check = importlib.import_module(name).is_valid
    except (ImportError, AttributeError) as error:
        raise ConfigurationError(f"python-stdnum has no check {name!r}") from error
    return check


def _plain(text: str) -> str:
    return "".join(char for char in text if char.isalnum())


def _de_social(text: str) -> bool:
    """Area, birthday (some days are counted from 50 on), first letter of the birth name, serial, check digit."""
    number = _plain(text)
    area, day, month = int(number[:2]), int(number[2:4]), int(number[4:6])
    if not (2 <= area <= 89 and 1 <= month <= 12 and (1 <= day <= 31 or 51 <= day <= 81)):  # noqa: PLR2004 - a calendar
        return False
    digits = f"{number[:8]}{_LETTERS.index(number[8]) + 1:02d}{number[9:11]}"
    weights = (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1)
    products = (int(digit) * weight for digit, weight in zip(digits, weights, strict=True))
    return sum(sum(divmod(product, 10)) for product in products) % 10 == int(number[11])


def _de_health_insurance(text: str) -> bool:
    """A letter as two digits, then the digits: weights 1 and 2 in turn, digit sums modulo 10."""
    digits = f"{_LETTERS.index(text[0]) + 1:02d}{text[1:9]}"
    products = (int(digit) * (1 + place % 2) for place, digit in enumerate(digits))
    return sum(sum(divmod(product, 10)) for product in products) % 10 == int(text[9])


def _fr_tax(text: str) -> bool:
    """Ten digits and their remainder modulo 511."""
    number = _plain(text)
    return int(number[:10]) % 511 == int(number[10:])


def _es_social(text: str) -> bool:
    """Province, number and their remainder modulo 97."""
    number = _plain(text)
    province = int(number[:2])
    return 1 <= province <= 66 and int(number[:10]) % 97 == int(number[10:])  # noqa: PLR2004 - provinces, the sea included


def _uk_nino(text: str) -> bool:
    """Prefixes that are never issued."""
    return text[:2] not in {"BG", "GB", "KN", "NK", "NT", "TN", "ZZ"}


_OURS: Final[dict[str, Check]] = {
    "de_social": _de_social,
    "de_health_insurance": _de_health_insurance,
    "fr_tax": _fr_tax,
    "es_social": _es_social,
    "uk_nino": _uk_nino,
}

"""Field names in one spelling: `customerEmail`, `customer-email` and `Customer E-Mail` are one name."""

import re
import unicodedata
from typing import Final

from lawful.extractors.normal import normalise

_LONGEST: Final = 80
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_PLAIN = {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"}
_OTHER = re.compile(r"[^0-9a-zA-Z]+")


def normalise_key(key: str) -> str:
    """The name in snake case, without accents and disguises, at most 80 characters of it."""
    name = key[:_LONGEST]
    if not name.isascii():
        name = normalise(name).text[:_LONGEST]
        name = "".join(_PLAIN.get(char) or unicodedata.normalize("NFD", char)[0] for char in name)
    return _OTHER.sub("_", _CAMEL.sub("_", name)).strip("_").lower()

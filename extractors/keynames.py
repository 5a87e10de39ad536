"""Field names in one spelling: `customerEmail`, `customer-email` and `Customer E-Mail` are one name."""

import re
import unicodedata

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_PLAIN = {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"}
_OTHER = re.compile(r"[^0-9a-zA-Z]+")


def normalise_key(key: str) -> str:
    """The name in snake case and without accents, at most 80 characters of it."""
    name = key[:80]
    if not name.isascii():
        name = "".join(_PLAIN.get(char) or unicodedata.normalize("NFD", char)[0] for char in name)
    return _OTHER.sub("_", _CAMEL.sub("_", name)).strip("_").lower()

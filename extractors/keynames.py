"""Field names in one spelling: `customerEmail`, `customer-email` and `Customer E-Mail` are one name."""

import re

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_OTHER = re.compile(r"[^0-9a-zA-Z]+")


def normalise_key(key: str) -> str:
    """The name in snake case, at most 80 characters of it."""
    return _OTHER.sub("_", _CAMEL.sub("_", key[:80])).strip("_").lower()

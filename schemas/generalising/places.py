"""Addresses, to the region; coordinates, to some kilometres."""

import re
from typing import Final

from lawful.schemas.regions import COUNTRIES, STATE_CODES, STATES

_PART: Final = re.compile(r"[^,;\n]+")
_CODES: Final = "|".join(sorted(STATE_CODES))
_STATE_CODE: Final = re.compile(rf"\b(?P<code>{_CODES})\b(?=[ ,]*(?:\d{{5}}(?:-\d{{4}})?)?[ ]*$)")
_UNITED_KINGDOM: Final = re.compile(r"\b(?P<area>[A-Z]{1,2})\d[A-Z\d]? ?\d[A-Z]{2}\b")
_CANADA: Final = re.compile(r"\b(?P<area>[A-Z])\d[A-Z] ?\d[A-Z]\d\b")
_DIGITS: Final = re.compile(
    r"(?:[A-Z]{1,2}-)?(?P<area>\d{2})(?P<rest>\d{3}|\d{2}(?= ?[A-Z]{2}\b))(?![\w-])|\b(?P<last>\d{2})\d{3}(?:-\d{4})?$"
)
_BARE: Final = re.compile(r"(?:[A-Z]{1,2}-)?(?:\d{5}(?:-\d{4})?|\d{4} ?[A-Z]{2})")
_AREA: Final = re.compile(r"\d{2}\*{2,3}|[A-Z]{1,2}")
_COORDINATE: Final = re.compile(r"(?<![\w.])[-+]?\d{1,3}\.\d+")
_FARTHEST: Final = 180


def region(text: str) -> str | None:
    """The country or state of an address, else the area that its postal code stands for (`10***`)."""
    bare = text.strip()
    if _AREA.fullmatch(bare):
        return bare
    return _named(bare) or _area(bare)


def rounded(text: str, digits: int) -> str | None:
    """A text with its coordinates rounded: one decimal is some eleven kilometres."""
    found = _COORDINATE.findall(text)
    if not found or any(abs(float(each)) > _FARTHEST for each in found) or _is_exact_elsewhere(text):
        return None
    return _COORDINATE.sub(lambda match: f"{_round(float(match[0]), digits)}", text)


def rounded_number(value: float, digits: int) -> float | None:
    """A coordinate rounded, of the same type; a whole number is as coarse as can be."""
    if isinstance(value, bool) or abs(value) > _FARTHEST:
        return None
    return value if isinstance(value, int) else _round(value, digits)


def _named(text: str) -> str | None:
    for part in reversed(_PART.findall(text)):
        name: str = part.strip(" .")
        if name.lower() in COUNTRIES | STATES:
            return name
        code = _STATE_CODE.search(name)
        if code is not None:
            return str(code["code"])
    return None


def _area(text: str) -> str | None:
    for form in (_UNITED_KINGDOM, _CANADA):
        match = form.search(text)
        if match is not None:
            return match["area"]
    first, *others = [part.strip() for part in _PART.findall(text)] or [""]
    # What begins an address is a house number, unless there is nothing else.
    for part in reversed(others or [first] * (_BARE.fullmatch(first) is not None)):
        match = _DIGITS.match(part) or _DIGITS.search(part)
        if match is not None:
            return f"{match['area'] or match['last']}{'*' * len(match['rest'] or '...')}"
    return None


def _round(value: float, digits: int) -> float:
    return round(value, digits)


def _is_exact_elsewhere(text: str) -> bool:
    """Whether something else in the text may say where exactly: minutes, seconds, a house number."""
    return re.search(r"\d", _COORDINATE.sub("", text)) is not None

"""Ages, in bands. Whether somebody is of age stays visible: the GDPR treats children differently (Art. 8)."""

import re
from typing import Final

ADULT: Final = 18
OLDEST: Final = 90  # from which on so few live that a band would name them
_MOST: Final = 130
_ONE: Final = re.compile(r"(?<![\d.,])\d{1,3}(?![\d.,]\d|\d)")
_DONE: Final = re.compile(r"under 18|90\+|(?P<low>\d{2})-(?P<high>\d{2})")


def band(text: str, width: int) -> str | None:
    """The text with its one number, an age, as a band: `34 years old` becomes `30-39 years old`."""
    done = _DONE.search(text)
    if done is not None and not re.search(r"\d", text[: done.start()] + text[done.end() :]):
        return text if done["low"] is None or _is_band(int(done["low"]), int(done["high"]), width) else None
    found = _ONE.findall(text)
    if len(found) != 1 or int(found[0]) > _MOST or len(re.findall(r"\d+", text)) != 1:
        return None
    return _ONE.sub(_name(int(found[0]), width), text)


def number(value: float, width: int) -> int | None:
    """The lower end of an age's band."""
    if not isinstance(value, int) or not 0 <= value <= _MOST:
        return None
    return 0 if value < ADULT else OLDEST if value >= OLDEST else _low(value, width)


def _name(age: int, width: int) -> str:
    if age < ADULT:
        return f"under {ADULT}"
    return f"{OLDEST}+" if age >= OLDEST else f"{_low(age, width)}-{_high(age, width)}"


def _low(age: int, width: int) -> int:
    return max(ADULT, age // width * width)


def _high(age: int, width: int) -> int:
    return min(OLDEST - 1, age // width * width + width - 1)


def _is_band(low: int, high: int, width: int) -> bool:
    return (low, high) == (_low(high, width), _high(low, width)) and low >= ADULT

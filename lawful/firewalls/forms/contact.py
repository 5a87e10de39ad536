"""Where somebody can be reached or found: phone numbers, mail addresses, coordinates."""

import re
from dataclasses import dataclass
from typing import Final

from lawful.firewalls.values import Reason, Refused
from lawful.schemas.normalising import email, phone

_PHONE: Final = re.compile(r"(?<![\w+])(?:\+|00)\d(?:[\d ()/.-]{5,24})\d(?!\d)")
_EMAIL: Final = re.compile(
    r"(?<![\w.+-])[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,4}(?![\w-])"
)
_NORMAL_PHONE: Final = re.compile(r"\+[1-9][0-9]{6,14}")
_NORMAL_EMAIL: Final = re.compile(r"[a-z0-9._%+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,4}")
_DEGREES: Final = r"[-+]?\d{1,3}(?:\.\d{1,12})?"
_PLACE: Final = re.compile(
    rf"(?<![\w.])(?P<lat>{_DEGREES})\s?°?\s?(?P<ns>[NS])?\s?[,;/ ]\s?(?P<lon>{_DEGREES})\s?°?\s?(?P<ew>[EW])?(?![\w.])"
)
_POLE: Final = 90
_DATE_LINE: Final = 180


@dataclass(frozen=True)
class PhoneForm:
    """A phone number with its country's code."""

    @property
    def pattern(self) -> re.Pattern[str]:
        """A number that begins with a country's code."""
        return _PHONE

    def read(self, text: str) -> str:
        """A plus and digits."""
        value = phone(text) if _PHONE.fullmatch(text) else ""
        if not self.holds(value):
            raise Refused(Reason.WRONG_TYPE)
        return value

    def holds(self, value: object) -> bool:
        """Whether it is a number of 7 to 15 digits with its country's code."""
        return isinstance(value, str) and _NORMAL_PHONE.fullmatch(value) is not None


@dataclass(frozen=True)
class EmailForm:
    """A mail address."""

    @property
    def pattern(self) -> re.Pattern[str]:
        """An address in ASCII."""
        return _EMAIL

    def read(self, text: str) -> str:
        """In lower case, alone."""
        value = email(text)
        if not self.holds(value):
            raise Refused(Reason.WRONG_TYPE)
        return value

    def holds(self, value: object) -> bool:
        """Whether it is an address in lower case."""
        return isinstance(value, str) and _NORMAL_EMAIL.fullmatch(value) is not None


@dataclass(frozen=True)
class CoordinatesForm:
    """A place on the globe.

    Attributes:
        places: decimals; three are some hundred metres.
    """

    places: int = 3

    @property
    def pattern(self) -> re.Pattern[str]:
        """Latitude and longitude."""
        return _PLACE

    def read(self, text: str) -> str:
        """As `52.520,13.405`."""
        match = _PLACE.fullmatch(text)
        if match is None:
            raise Refused(Reason.WRONG_TYPE)
        north, east = float(match["lat"]), float(match["lon"])
        north, east = -north if match["ns"] == "S" else north, -east if match["ew"] == "W" else east
        if abs(north) > _POLE or abs(east) > _DATE_LINE:
            raise Refused(Reason.OUT_OF_RANGE)
        return f"{north:.{self.places}f},{east:.{self.places}f}"

    def holds(self, value: object) -> bool:
        """Whether it is a place, as exact as the protocol has it."""
        decimals = rf"\.[0-9]{{{self.places}}}" if self.places else ""
        part = f"(-?[0-9]{{1,3}}{decimals})"
        match = re.fullmatch(f"{part},{part}", value) if isinstance(value, str) else None
        return match is not None and abs(float(match[1])) <= _POLE and abs(float(match[2])) <= _DATE_LINE

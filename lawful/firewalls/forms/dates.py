"""Dates and times of day in the spellings that people use, as ISO 8601; never guessed."""

import re
from dataclasses import dataclass
from datetime import date, time
from typing import Final, Literal

from lawful.firewalls.values import Reason, Refused
from lawful.schemas.generalising.dates import MONTHS

Order = Literal["dmy", "mdy"]

EARLIEST: Final = date(1900, 1, 1)
LATEST: Final = date(2100, 12, 31)

_NAME: Final = "|".join(sorted(MONTHS, key=len, reverse=True))
_DAY: Final = r"\d{1,2}(?:st|nd|rd|th|er|\.)?"
_WEEKDAY: Final = r"(?:[^\W\d]{2,12}\.?,? )?"
_TIME: Final = (
    r"(?P<hour>[01]?\d|2[0-3])(?:[:.h](?P<minute>[0-5]\d)(?::[0-5]\d(?:\.\d{1,6})?)?(?:\s?(?P<half>[ap]\.?m\b\.?)|\s?Uhr)?"
    r"|\s?(?P<half_only>[ap]\.?m\b\.?)|\s?(?:Uhr|h\b))"
)
_FORMS: Final = (
    r"(?P<y1>[12]\d{3})(?P<s1>[-/.])(?P<m1>\d{1,2})(?P=s1)(?P<d1>\d{1,2})",
    r"(?P<one>\d{1,2})(?P<s2>[-/.])(?P<two>\d{1,2})(?P=s2)(?P<y2>[12]\d{3})",
    rf"(?P<d3>{_DAY}) (?:of |de )?(?P<n3>{_NAME})\.?,? (?:de |del )?(?P<y3>[12]\d{{3}})",
    rf"(?P<n4>{_NAME})\.? (?P<d4>{_DAY}),? (?P<y4>[12]\d{{3}})",
)
_ANY: Final = "|".join(_FORMS)
_DATE: Final = re.compile(rf"{_WEEKDAY}(?:{_ANY})(?:[T ,]{{1,2}}(?P<rest>\d.*))?", re.IGNORECASE)
_DATE_IN_PROSE: Final = re.compile(rf"(?<!\w)(?:{_ANY})(?!\d)", re.IGNORECASE)
_TIME_ALONE: Final = re.compile(_TIME, re.IGNORECASE)
_TIME_IN_PROSE: Final = re.compile(rf"(?<![\w.:])(?:{_TIME})(?!\d)", re.IGNORECASE)
_BOTH_IN_PROSE: Final = re.compile(rf"(?<!\w)(?:{_ANY})(?:T|,? (?:at |um )?)(?:{_TIME})", re.IGNORECASE)
_BOTH: Final = re.compile(
    rf"{_WEEKDAY}(?:{_ANY})(?:T|,? (?:at |um )?)(?P<clock>{_TIME})(?:Z|[-+]\d\d:?\d\d)?", re.IGNORECASE
)
_NOON: Final = 12


@dataclass(frozen=True)
class DateForm:
    """A day, written out whole.

    Attributes:
        order: which comes first, day or month, where a date can be read both ways; nothing refuses it.
    """

    earliest: date = EARLIEST
    latest: date = LATEST
    order: Order | None = None

    @property
    def pattern(self) -> re.Pattern[str]:
        """A whole date."""
        return _DATE_IN_PROSE

    def read(self, text: str) -> str:
        """As `2026-05-01`."""
        return self.day(text).isoformat()

    def day(self, text: str) -> date:
        """The day that a text stands for.

        Raises:
            Refused: none for sure, or none within the bounds.
        """
        match = _DATE.fullmatch(text)
        if match is None or (match["rest"] and not _TIME_ALONE.match(match["rest"])):
            raise Refused(Reason.WRONG_TYPE)
        return self.of(match)

    def of(self, match: re.Match[str]) -> date:
        """The day of a match of one of the forms, within the bounds."""
        found = _day(match, self.order)
        if not self.earliest <= found <= self.latest:
            raise Refused(Reason.OUT_OF_RANGE)
        return found

    def holds(self, value: object) -> bool:
        """Whether it is a day within the bounds, in ISO 8601."""
        if not isinstance(value, str) or not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
            return False
        try:
            return self.earliest <= date.fromisoformat(value) <= self.latest
        except ValueError:
            return False


@dataclass(frozen=True)
class TimeForm:
    """A time of day, to the minute."""

    @property
    def pattern(self) -> re.Pattern[str]:
        """A time with minutes, or with a word that makes it one."""
        return _TIME_IN_PROSE

    def read(self, text: str) -> str:
        """As `14:30`."""
        match = _TIME_ALONE.fullmatch(text)
        if match is None:
            raise Refused(Reason.WRONG_TYPE)
        return _clock(match)

    def holds(self, value: object) -> bool:
        """Whether it is a time of day in ISO 8601."""
        return isinstance(value, str) and re.fullmatch(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]", value) is not None


@dataclass(frozen=True)
class DateTimeForm:
    """A day with a time of day."""

    day: DateForm

    @property
    def pattern(self) -> re.Pattern[str]:
        """A date and a time behind it."""
        return _BOTH_IN_PROSE

    def read(self, text: str) -> str:
        """As `2026-05-01T14:30`."""
        match = _BOTH.fullmatch(text)
        if match is None:
            raise Refused(Reason.WRONG_TYPE)
        return f"{self.day.of(match).isoformat()}T{_clock(match)}"

    def holds(self, value: object) -> bool:
        """Whether it is both in ISO 8601."""
        if not isinstance(value, str) or value[10:11] != "T":
            return False
        return self.day.holds(value[:10]) and TimeForm().holds(value[11:])


def _day(match: re.Match[str], order: Order | None) -> date:
    if match["y1"]:
        return _date(match["y1"], int(match["m1"]), int(match["d1"]))
    for number in "34":
        if match[f"y{number}"]:
            day = int(re.sub(r"\D", "", match[f"d{number}"]))
            return _date(match[f"y{number}"], MONTHS[match[f"n{number}"].lower()], day)
    one, two = int(match["one"]), int(match["two"])
    if order is None and one != two and max(one, two) <= _NOON and match["s2"] != ".":  # dots are European
        raise Refused(Reason.AMBIGUOUS)
    day, month = (two, one) if order == "mdy" or two > _NOON else (one, two)
    return _date(match["y2"], month, day)


def _date(year: str, month: int, day: int) -> date:
    try:
        return date(int(year), month, day)
    except ValueError:
        raise Refused(Reason.OUT_OF_RANGE) from None


def _clock(match: re.Match[str]) -> str:
    hour, half = int(match["hour"]), (match["half"] or match["half_only"] or "").lower()
    if half:
        if not 1 <= hour <= _NOON:
            raise Refused(Reason.OUT_OF_RANGE)
        hour = hour % _NOON + (_NOON if half.startswith("p") else 0)
    return time(hour, int(match["minute"] or 0)).isoformat("minutes")

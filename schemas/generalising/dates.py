"""Dates, to the month, the year or the decade."""

import re
from dataclasses import dataclass
from typing import Final

PRECISIONS: Final = ("month", "year", "decade")

MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar janvier enero",
            "february feb februar février fevrier febrero",
            "march mar märz maerz mars marzo",
            "april apr avril abril",
            "may mai mayo",
            "june jun juni juin junio",
            "july jul juli juillet julio",
            "august aug août aout agosto",
            "september sept sep septembre septiembre",
            "october oct oktober okt octobre octubre",
            "november nov novembre noviembre",
            "december dec dezember dez décembre decembre diciembre",
        ),
        1,
    )
    for name in names.split()
}
"""What each month is called in English, German, French and Spanish."""

_NAME: Final = rf"(?P<name>{'|'.join(sorted(MONTHS, key=len, reverse=True))})\.?"
_YEAR: Final = r"(?P<year>[12]\d{3})"
_TIME: Final = r"(?P<time>[T ]\d{1,2}:\d{2}\S*)?"
_DAY: Final = r"\d{1,2}(?:st|nd|rd|th|er|\.)?"
_FORMS: Final = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{_YEAR}(?P<dash>[-/.])(?P<month>\d{{1,2}})(?:(?P=dash)(?P<day>\d{{1,2}}){_TIME})?",
        r"(?P<year>[12]\d{3})(?P<month>\d{2})(?P<day>\d{2})",
        rf"(?P<one>\d{{1,2}})(?P<dash>[-/. ])(?P<two>\d{{1,2}})(?P=dash){_YEAR}{_TIME}",
        rf"(?P<one>\d{{1,2}})(?P<dash>[-/.])(?P<two>\d{{1,2}})(?P=dash){_YEAR}",
        rf"{_DAY} (?:of |de )?{_NAME},? (?:de |del )?{_YEAR}",
        rf"{_NAME} (?:{_DAY},? )?(?:de |del )?{_YEAR}",
        _YEAR,
        rf"{_YEAR}(?P<decade>s)",
    )
)


@dataclass(frozen=True, slots=True)
class _Date:
    """As much of a date as is sure.

    Attributes:
        month: nothing where day and month cannot be told apart.
        name: the month, as it is written.
        is_decade: it is no more exact than that.
        has_time: a time of day stands behind it.
    """

    year: int
    month: int | None = None
    name: str = ""
    is_decade: bool = False
    has_time: bool = False


def coarser(text: str, precision: str) -> str | None:
    """A date's month, year or decade; never anything more exact than the text itself."""
    date = _read(text)
    if date is None:
        return None
    if date.is_decade or precision == "decade":
        return f"{date.year // 10 * 10}s"
    if precision == "year" or date.month is None:
        return str(date.year)
    return f"{date.name} {date.year}" if date.name else f"{date.year}-{date.month:02}"


def typed(text: str, precision: str) -> str | None:
    """As `coarser`, in the form of ISO 8601 that JSON Schema knows: the first day of the period."""
    date = _read(text)
    if date is None or date.is_decade:
        return None
    year = date.year // 10 * 10 if precision == "decade" else date.year
    month = (date.month or 1) if precision == "month" else 1
    return f"{year:04}-{month:02}-01" + ("T00:00:00Z" if date.has_time else "")


def number(value: float, precision: str) -> int | None:
    """Of a year, or of eight digits (`19850315`), as a number of the same form."""
    text = str(value)
    if not isinstance(value, int) or len(text) not in {4, 8}:
        return None
    iso = typed(text, precision)
    return None if iso is None else int(iso[:4] if len(text) == 4 else iso.replace("-", ""))  # noqa: PLR2004 - a year


def _read(text: str) -> _Date | None:
    for form in _FORMS:
        match = form.fullmatch(text.strip())
        if match is not None:
            return _of(match.groupdict())
    return None


def _of(found: dict[str, str | None]) -> _Date | None:
    year, has_time = int(found["year"] or 0), bool(found.get("time"))
    if name := found.get("name"):
        return _Date(year, MONTHS[name.lower()], name, has_time=has_time)
    if found.get("decade"):
        return _Date(year, is_decade=True)
    if found.get("one"):
        day, month = int(found["one"] or 0), int(found["two"] or 0)
        return _told_apart(year, day, month, is_dotted=found["dash"] == ".", has_time=has_time)
    if found.get("month") is None:
        return _Date(year)
    month, day = int(found["month"] or 0), int(found.get("day") or 1)
    return _Date(year, month, has_time=has_time) if _is_date(day, month) else None


def _told_apart(year: int, one: int, two: int, *, is_dotted: bool, has_time: bool) -> _Date | None:
    """Day and month, where their order is not written down: dots are European."""
    readings = {month for day, month in ((one, two), (two, one)) if _is_date(day, month)}
    if is_dotted and _is_date(one, two):
        readings = {two}
    if not readings:
        return None
    return _Date(year, readings.pop() if len(readings) == 1 else None, has_time=has_time)


def _is_date(day: int, month: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= 31  # noqa: PLR2004 - months and days

"""Lengths of time as policies write them."""

from typing import Final

from lawful.schemas.event import Micros

_SECONDS: Final = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 7 * 86_400, "y": 365 * 86_400}


def micros(duration: str) -> Micros:
    """A duration such as `30d` in microseconds; a year has 365 days."""
    return int(duration[:-1]) * _SECONDS[duration[-1]] * 1_000_000

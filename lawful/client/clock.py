"""This process's clock."""

import time

from lawful.schemas.event import Micros


def now() -> Micros:
    """Microseconds since 1970, by this machine."""
    return time.time_ns() // 1_000

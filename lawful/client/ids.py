"""Event ids that sort by time: UUID version 7 (RFC 9562, section 5.7)."""

import secrets
import time
from uuid import UUID

from lawful.schemas.event import Micros


def now() -> Micros:
    """This process's clock."""
    return time.time_ns() // 1_000


def new_event_id(at: Micros | None = None) -> str:
    """A fresh UUIDv7.

    Args:
        at: the time it carries; by default now.
    """
    millis = (now() if at is None else at) // 1_000
    value = (millis & (1 << 48) - 1) << 80 | secrets.randbits(80)
    value = value & ~(0xF << 76) | 0x7 << 76
    return str(UUID(int=value & ~(0x3 << 62) | 0x2 << 62))

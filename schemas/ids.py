"""Event ids: UUID version 7 (RFC 9562, section 5.7), which sort by the time they were made.

Within a process each id is greater than the one before, also when many are made in one
millisecond or the clock steps back (section 6.2, method 1: a counter beside the time).
"""

import os
import threading
import time
from collections.abc import Callable
from hashlib import sha256
from typing import Final
from uuid import UUID

_COUNTER_BITS: Final = 42
_RANDOM_BITS: Final = 32
_SEED_BITS: Final = 48
_LOW_COUNTER_BITS: Final = 30


class Uuid7:
    """Makes ids that only ever grow; safe to share between threads.

    Args:
        clock: nanoseconds since 1970.
        random: so many random bytes.
    """

    def __init__(self, clock: Callable[[], int] = time.time_ns, random: Callable[[int], bytes] = os.urandom) -> None:
        self._clock = clock
        self._random = random
        self._lock = threading.Lock()
        self._millis = -1
        self._counter = 0

    def __call__(self) -> str:
        """The next id."""
        with self._lock:
            self._advance()
            millis, counter = self._millis, self._counter
        high, low = counter >> _LOW_COUNTER_BITS, counter & ((1 << _LOW_COUNTER_BITS) - 1)
        value = millis << 80 | 7 << 76 | high << 64 | 2 << 62 | low << _RANDOM_BITS
        return str(UUID(int=value | int.from_bytes(self._random(4), "big")))

    def _advance(self) -> None:
        now = self._clock() // 1_000_000
        if now > self._millis:
            self._millis = now
            # The top bit stays free, so that two thousand billion more ids fit in this millisecond.
            self._counter = int.from_bytes(self._random(6), "big") >> (_SEED_BITS - _COUNTER_BITS + 1)
            return
        self._counter += 1
        if self._counter >> _COUNTER_BITS:
            self._millis += 1
            self._counter = 0


_IDS = Uuid7()


def uuid7() -> str:
    """A new event id."""
    return _IDS()


def derived(event_id: str, *parts: str) -> str:
    """An id made of another one: the same for the same parts, so that making it again makes no second event.

    Of a UUIDv7 it keeps the time; of anything else it becomes a UUIDv8 (RFC 9562, section 5.8).
    """
    content = b"".join(len(raw).to_bytes(4, "big") + raw for raw in (each.encode() for each in (event_id, *parts)))
    value = int.from_bytes(sha256(content).digest()[:16], "big")
    made = _millis(event_id)
    version = 8
    if made is not None:
        version, value = 7, value & ((1 << 80) - 1) | made << 80
    value = value & ~(0xF << 76) | version << 76
    return str(UUID(int=value & ~(0x3 << 62) | 2 << 62))


def _millis(event_id: str) -> int | None:
    """The time in a UUIDv7; `None` if it is none."""
    try:
        found = UUID(event_id)
    except ValueError:
        return None
    return found.int >> 80 if found.version == 7 else None  # noqa: PLR2004 - UUIDv7

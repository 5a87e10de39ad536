"""When unreadable records stop being an accident.

One bad record is answered with a dead letter and the stream goes on. Many of them mean that a
producer, a key or a schema is wrong, and going on would throw a whole day's events away one by
one: then the worker stops and says so (acceptance A30).
"""

from collections import deque
from dataclasses import dataclass

from lawful.schemas.errors import MustStop


@dataclass(frozen=True, slots=True)
class DeadLetterLimits:
    """How many unreadable records are an accident.

    Attributes:
        consecutive: so many in a row stop the worker.
        ratio: a larger share than this among the last `window` records stops it.
    """

    consecutive: int = 100
    ratio: float = 0.2
    window: int = 1000


class DeadLetterCounter:
    """Watches one stage against its limits; constant memory, constant cost per record."""

    def __init__(self, stage: str, limits: DeadLetterLimits) -> None:
        self.stage = stage
        self._limits = limits
        self._recent: deque[bool] = deque(maxlen=limits.window)
        self._bad = 0
        self._row = 0

    def passed(self) -> None:
        """A record was read."""
        self._row = 0
        self._note(bad=False)

    def refused(self, reason: str) -> None:
        """A record was dead-lettered.

        Raises:
            MustStop: one of the limits is exceeded.
        """
        self._row += 1
        self._note(bad=True)
        if self._row >= self._limits.consecutive:
            raise MustStop(f"{self.stage}: {self._row} records in a row could not be read, the last one: {reason}")
        share = self._bad / len(self._recent)
        if len(self._recent) == self._limits.window and share > self._limits.ratio:
            raise MustStop(
                f"{self.stage}: {self._bad} of the last {len(self._recent)} records could not be read, "
                f"the last one: {reason}"
            )

    def _note(self, *, bad: bool) -> None:
        if len(self._recent) == self._recent.maxlen:
            self._bad -= self._recent[0]
        self._recent.append(bad)
        self._bad += bad

"""The time in a partition: the broker's, and never a clock of this machine that may jump.

A record brings the time at which the broker appended it. From there on a clock that only goes forward counts.
So nobody's wait ends early, or never, because a machine's clock was set.
"""

from collections.abc import Callable

from lawful.schemas.event import Micros


class LogTime:
    """The time in each partition of one stage.

    Args:
        monotonic: seconds that never run backwards; only differences count.
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._seen: dict[int, tuple[Micros, float]] = {}

    def begin(self, partition: int, at: Micros) -> None:
        """A partition is read from here on; `at` is the latest time that its rows tell of."""
        self._seen[partition] = at, self._monotonic()

    def see(self, partition: int, at: Micros) -> None:
        """A record of this time was taken in."""
        latest, _ = self._seen.get(partition, (0, 0.0))
        self._seen[partition] = max(at, latest), self._monotonic()

    def now(self, partition: int, *, at_end: bool) -> Micros:
        """The time: the last record's while there are more (what is waited for may be among them), else it goes on."""
        latest, since = self._seen.get(partition, (0, self._monotonic()))
        return latest + (round((self._monotonic() - since) * 1e6) if at_end else 0)

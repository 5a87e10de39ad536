"""Whether a process lives and whether it is ready, as an orchestrator asks.

Alive means that its loop turns: being restarted mends that. A broker or a database that is away
is no reason to die: starting again would not bring it back, and what waits is kept in Kafka.
"""

import time
from collections.abc import Callable, Sequence
from typing import Final

from lawful.streams.observing import Done, Standing

STALE_SECONDS: Final = 120.0
"""A loop that has not turned for so long hangs. Longer than any single call may take by its time-outs."""


class Pulse:
    """Kept up by the process's loop, read by whoever asks. Safe from any thread.

    Implements `lawful.streams.observing.Observer`: a worker is ready while it has open partitions.

    Args:
        clock: monotonic seconds.
        stale: after so many seconds without a beat it does not live any more.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, stale: float = STALE_SECONDS) -> None:
        self._clock = clock
        self._stale = stale
        self._beat = clock()
        self._ready = False

    def beat(self, *, ready: bool) -> None:
        """The loop has turned once more."""
        self._beat = self._clock()
        self._ready = ready

    def done(self, done: Done) -> None:
        """Nothing: how it stands is told anyway."""

    def stands(self, standings: Sequence[Standing]) -> None:
        """A beat."""
        self.beat(ready=bool(standings))

    @property
    def alive(self) -> bool:
        """Whether the loop turns."""
        return self._clock() - self._beat < self._stale

    @property
    def ready(self) -> bool:
        """Whether it does its work: partitions are open."""
        return self.alive and self._ready

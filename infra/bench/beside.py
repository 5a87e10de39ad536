"""Default Presidio on the events that workers get: what somebody would pick who only wants to find personal data.

It decides nothing, keeps nothing and writes no audit; it is asked in this process, one field after the other.
"""

from itertools import count, islice
from time import perf_counter, process_time

from lawful.extractors.presidio.default import DefaultPresidio
from lawful.infra.bench.running import Burst
from lawful.infra.chaos.crowd import Crowd
from lawful.infra.scoring.readers import presidio

_WARM = 20
_SEEDS = 1_000_001
"""Other events than the workers', from the same crowd: no text is read twice."""


class Beside:
    """Reads portions of events, and times them.

    Args:
        events: of each portion.

    Attributes:
        bursts: what each portion took.
    """

    def __init__(self, events: int) -> None:
        self._reader = presidio(DefaultPresidio())
        self._seeds = count(_SEEDS)
        self._events = events
        self.bursts: list[Burst] = []
        self._read(_WARM)

    def read(self) -> None:
        """One portion."""
        self.bursts.append(self._read(self._events))

    def _read(self, events: int) -> Burst:
        payloads = [event.payload for event in islice(Crowd(next(self._seeds)).events(events), events)]
        since, cpu = perf_counter(), process_time()
        for payload in payloads:
            self._reader(payload)
        return Burst(len(payloads), perf_counter() - since, process_time() - cpu)

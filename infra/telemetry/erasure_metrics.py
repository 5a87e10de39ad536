"""What the watch over erasures tells: how many recipients, never whom, and how old the answer is."""

import time
from collections.abc import Callable, Iterable

from prometheus_client import CollectorRegistry
from prometheus_client.core import Metric
from prometheus_client.registry import Collector

from lawful.infra.erasure.watch import Counters
from lawful.infra.telemetry.worker_metrics import family


class ErasureMetrics(Collector):
    """Tells what the watch counts.

    Args:
        registry: where the metrics are told.
        counters: the watch's; it goes on counting.
        clock: seconds since 1970.
    """

    def __init__(self, registry: CollectorRegistry, counters: Counters, clock: Callable[[], float] = time.time) -> None:
        self._counters = counters
        self._clock = clock
        registry.register(self)

    def collect(self) -> Iterable[Metric]:
        """The counters as they are now; before the first look there is no number, rather than none overdue."""
        overdue, waiting = family("lawful_erasure_overdue_recipients"), family("lawful_erasure_waiting_recipients")
        if self._counters.looked_at is not None:
            overdue.add_metric([], self._counters.overdue)
            waiting.add_metric([], self._counters.waiting)
        yield overdue
        yield waiting
        age = family("lawful_erasure_looked_seconds")
        age.add_metric([], self._counters.age(self._clock()))
        yield age

"""A histogram that is cheap to feed: a worker feeds it for every record, and Prometheus reads it now and then."""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate

from prometheus_client.core import HistogramMetricFamily
from prometheus_client.utils import floatToGoString


class Durations:
    """Durations by how long they took. Fed by one thread, read by any.

    Args:
        bounds: upper bounds of the buckets in seconds, rising; what takes longer is in one more.
    """

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds = bounds
        self._words = [*map(floatToGoString, bounds), "+Inf"]
        self._counts = [0] * (len(bounds) + 1)
        self._seconds = 0.0

    def add(self, seconds: float) -> None:
        """One more."""
        self._counts[bisect_left(self._bounds, seconds)] += 1
        self._seconds += seconds

    @property
    def count(self) -> int:
        """How many there were."""
        return sum(self._counts)

    def tell(self, family: HistogramMetricFamily, labels: Sequence[str]) -> None:
        """Adds them to a metric, as Prometheus wants it: each bucket holds the ones below."""
        counts = [float(count) for count in accumulate(self._counts)]
        family.add_metric(labels, list(zip(self._words, counts, strict=True)), self._seconds)

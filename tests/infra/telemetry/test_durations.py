"""What is fed for every record is told as Prometheus's own histogram tells it."""

from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry, Histogram
from prometheus_client.core import HistogramMetricFamily

from lawful.infra.telemetry.durations import Durations

BOUNDS = (0.001, 0.01, 0.1, 1.0)


@given(st.lists(st.sampled_from(BOUNDS) | st.floats(0, 5)))
def test_it_tells_what_prometheus_histogram_would(seconds: list[float]) -> None:
    """Bounds belong to the bucket that they end; buckets add up."""
    registry = CollectorRegistry()
    theirs, ours, family = Histogram("d", "d", registry=registry, buckets=BOUNDS), Durations(BOUNDS), None
    for each in seconds:
        theirs.observe(each)
        ours.add(each)
    family = HistogramMetricFamily("d", "d", labels=[])
    ours.tell(family, [])
    (metric,) = registry.collect()
    expected = {(s.name, s.labels.get("le")): s.value for s in metric.samples if not s.name.endswith("_created")}
    assert {(s.name, s.labels.get("le")): s.value for s in family.samples} == expected
    assert ours.count == len(seconds)

"""An audit writer's metrics: its own counters, read when Prometheus asks."""

from collections.abc import Iterable
from typing import Final

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, Metric
from prometheus_client.registry import Collector

from lawful.infra.audit_writer.counters import Counters
from lawful.infra.telemetry.catalogue import METRICS, MetricName
from lawful.infra.telemetry.worker_metrics import family

_COUNTERS: Final[tuple[tuple[MetricName, str], ...]] = (
    ("lawful_audit_rows_total", "rows"),
    ("lawful_audit_dead_letters_total", "dead_letters"),
    ("lawful_audit_batches_total", "batches"),
    ("lawful_audit_duplicates_total", "duplicates"),
    ("lawful_audit_unreadable_total", "unreadable"),
    ("lawful_audit_failures_total", "retries"),
    ("lawful_audit_insert_seconds_total", "insert_seconds"),
)


class AuditMetrics(Collector):
    """Tells what an audit writer counts.

    Args:
        registry: where the metrics are told.
        counters: the writer's; it goes on counting.
    """

    def __init__(self, registry: CollectorRegistry, counters: Counters) -> None:
        self._counters = counters
        registry.register(self)

    def collect(self) -> Iterable[Metric]:
        """The counters as they are now."""
        for name, attribute in _COUNTERS:
            yield CounterMetricFamily(name, METRICS[name].meaning, value=getattr(self._counters, attribute))
        lag = family("lawful_audit_lag_records")
        for partition, records in self._counters.lags.items():
            lag.add_metric([partition.topic, str(partition.number)], records)
        yield lag

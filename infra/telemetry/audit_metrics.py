"""An audit writer's metrics: its own counters, read when Prometheus asks."""

import time
from collections.abc import Callable, Iterable
from typing import Final

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, Metric
from prometheus_client.registry import Collector

from lawful.infra.audit_writer.counters import Counters
from lawful.infra.clickhouse.rows import Partition, Row
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
        clock: seconds since 1970.
    """

    def __init__(self, registry: CollectorRegistry, counters: Counters, clock: Callable[[], float] = time.time) -> None:
        self._counters = counters
        self._clock = clock
        self._newest: dict[Partition, int] = {}
        registry.register(self)

    def written(self, rows: Iterable[Row]) -> None:
        """Audit rows that ClickHouse has confirmed."""
        for row in rows:
            self._newest[Partition(row.place.topic, row.place.partition)] = row.place.logged_at

    def collect(self) -> Iterable[Metric]:
        """The counters as they are now."""
        for name, attribute in _COUNTERS:
            yield CounterMetricFamily(name, METRICS[name].meaning, value=getattr(self._counters, attribute))
        lag = family("lawful_audit_lag_records")
        for partition, records in self._counters.lags.items():
            lag.add_metric([partition.topic, str(partition.number)], records)
        yield lag
        age, now = family("lawful_audit_head_age_seconds"), self._clock()
        for partition, logged_at in list(self._newest.items()):
            if partition in self._counters.lags:  # else it is another writer's by now
                age.add_metric([partition.topic, str(partition.number)], max(0.0, now - logged_at / 1_000))
        yield age
        unsigned = family("lawful_audit_unsigned_seconds")
        unsigned.add_metric([], self._counters.unsigned_seconds)
        yield unsigned

"""A gateway's metrics: its own counters, read when Prometheus asks."""

from collections.abc import Iterable

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, Metric
from prometheus_client.registry import Collector

from lawful.infra.gateway.gateway import Counters
from lawful.infra.telemetry.catalogue import METRICS, MetricName
from lawful.infra.telemetry.worker_metrics import family


class GatewayMetrics(Collector):
    """Tells what a gateway counts.

    Args:
        registry: where the metrics are told.
        counters: the gateway's; it goes on counting.
    """

    def __init__(self, registry: CollectorRegistry, counters: Counters) -> None:
        self._counters = counters
        registry.register(self)

    def collect(self) -> Iterable[Metric]:
        """The counters as they are now."""
        counters = self._counters
        yield _count("lawful_gateway_records_total", counters.records)
        yield _count("lawful_gateway_unreadable_total", counters.unreadable)
        yield _count("lawful_gateway_failures_total", counters.retries)
        meaning = METRICS["lawful_gateway_events_total"].meaning
        events = CounterMetricFamily("lawful_gateway_events_total", meaning, labels=["decision"])
        for decision, count in counters.decisions.items():
            events.add_metric([decision.word], count)
        yield events
        waiting = family("lawful_gateway_waiting_records")
        waiting.add_metric([], counters.waiting)
        yield waiting
        lag = family("lawful_gateway_lag_records")
        for (topic, partition), records in counters.lags.items():
            lag.add_metric([topic, str(partition)], records)
        yield lag


def _count(name: MetricName, value: int) -> CounterMetricFamily:
    return CounterMetricFamily(name, METRICS[name].meaning, value=value)

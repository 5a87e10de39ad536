"""Puts together who watches a process: metrics always, health, ports and traces as the settings say."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from prometheus_client import CollectorRegistry
from prometheus_client.process_collector import ProcessCollector

from lawful import __version__
from lawful.infra.audit_writer.counters import Counters
from lawful.infra.audit_writer.ports import Table
from lawful.infra.audit_writer.run import Watch
from lawful.infra.audit_writer.writer import OnWritten
from lawful.infra.clickhouse.rows import Row
from lawful.infra.erasure.watch import Counters as ErasureCounters
from lawful.infra.gateway.gateway import Counters as GatewayCounters
from lawful.infra.settings import Settings
from lawful.infra.telemetry.audit_metrics import AuditMetrics
from lawful.infra.telemetry.erasure_metrics import ErasureMetrics
from lawful.infra.telemetry.gateway_metrics import GatewayMetrics
from lawful.infra.telemetry.health import Pulse
from lawful.infra.telemetry.serving import serving
from lawful.infra.telemetry.spans import Spans
from lawful.infra.telemetry.tracing import tracing
from lawful.infra.telemetry.worker_metrics import WorkerMetrics, gauge
from lawful.streams.observing import Observers


@dataclass(frozen=True, slots=True)
class WorkerWatch:
    """What watches a worker."""

    metrics: WorkerMetrics
    observers: Observers
    registry: CollectorRegistry


@dataclass(frozen=True, slots=True)
class WriterWatch:
    """What watches an audit writer."""

    told: Watch
    registry: CollectorRegistry


@dataclass(frozen=True, slots=True)
class GatewayWatch:
    """What watches a gateway.

    Attributes:
        on_turn: to be told of every turn of its loop, and whether it reads.
    """

    counters: GatewayCounters
    on_turn: Callable[[bool], None]
    registry: CollectorRegistry


@contextmanager
def worker_watch(settings: Settings) -> Iterator[WorkerWatch]:
    """Watches a worker until the context ends.

    Raises:
        ConfigurationError: a port cannot be opened, or the setting of traces is wrong.
    """
    registry, pulse = _registry(), Pulse()
    metrics = WorkerMetrics(registry, settings.partitions)
    with serving(settings, registry, pulse), tracing(settings, "lawful-worker") as spans:
        observers = (metrics, pulse) if spans is None else (metrics, pulse, spans)
        yield WorkerWatch(metrics, Observers(*observers), registry)


@contextmanager
def writer_watch(settings: Settings) -> Iterator[WriterWatch]:
    """Watches an audit writer until the context ends.

    Raises:
        ConfigurationError: a port cannot be opened.
    """
    registry, pulse = _registry(), Pulse()
    with tracing(settings, "lawful-audit-writer") as spans:
        counters = Counters()
        metrics = AuditMetrics(registry, counters)
        told = Watch(counters, _to(metrics, spans), lambda reads: pulse.beat(ready=reads))
        with serving(settings, registry, pulse):
            yield WriterWatch(told, registry)


@contextmanager
def gateway_watch(settings: Settings) -> Iterator[GatewayWatch]:
    """Watches a gateway until the context ends.

    Raises:
        ConfigurationError: a port cannot be opened.
    """
    registry, pulse, counters = _registry(), Pulse(), GatewayCounters()
    GatewayMetrics(registry, counters)
    with serving(settings, registry, pulse):
        yield GatewayWatch(counters, lambda reads: pulse.beat(ready=reads), registry)


@contextmanager
def erasure_watch(settings: Settings, counters: ErasureCounters) -> Iterator[Callable[[bool], None]]:
    """Watches the watch over erasures until the context ends; gives what is to be told of every turn of its loop.

    Raises:
        ConfigurationError: a port cannot be opened.
    """
    registry, pulse = _registry(), Pulse()
    ErasureMetrics(registry, counters)
    with serving(settings, registry, pulse):
        yield lambda fine: pulse.beat(ready=fine)


def _to(metrics: AuditMetrics, spans: Spans | None) -> OnWritten:
    def tell(rows: Sequence[Row], seconds: float) -> None:
        metrics.written(rows)
        if spans is not None:
            spans.written(rows, seconds)

    return lambda batch, seconds: tell(batch.rows, seconds) if batch.table is Table.AUDIT else None


def _registry() -> CollectorRegistry:
    """Metrics of this process alone; none is global."""
    registry = CollectorRegistry(auto_describe=False)
    ProcessCollector(registry=registry)
    gauge(registry, "lawful_build_info").labels(__version__).set(1)
    return registry

"""A worker's metrics, made of what observers are told."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from lawful.infra.telemetry.catalogue import METRICS, MetricName
from lawful.infra.telemetry.durations import Durations
from lawful.infra.telemetry.vote_metrics import VoteMetrics
from lawful.infra.telemetry.words import word
from lawful.policies.model import Policy
from lawful.schemas.verdict import Decision, Verdict
from lawful.schemas.view import View
from lawful.streams.observing import STAGES, Done, Standing

_STEP: Final = (0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)
_VERDICT: Final = (0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_MICRO: Final = 1e-6


class WorkerMetrics(Collector):
    """Implements `lawful.streams.observing.Observer`; Prometheus reads it from another thread.

    Args:
        registry: where the metrics are told.
        partitions: of each stage's source.
    """

    def __init__(self, registry: CollectorRegistry, partitions: int = 0) -> None:
        gauge(registry, "lawful_partitions").set(partitions)
        self._steps = {stage: Durations(_STEP) for stage in STAGES}
        self._verdicts = counter(registry, "lawful_verdicts_total")
        self._violations = counter(registry, "lawful_violations_total")
        self._latency = histogram(registry, "lawful_verdict_seconds", _VERDICT)
        self._letters = counter(registry, "lawful_dead_letters_total")
        self._held = gauge(registry, "lawful_verdicts_held")
        self._policies = gauge(registry, "lawful_policy_info")
        self.disagreements = counter(registry, "lawful_crosscheck_disagreements_total")
        self.votes = VoteMetrics(registry)
        # Looking children up by their labels is most of what counting costs.
        self._of_decision = {decision: self._verdicts.labels(decision.word) for decision in Decision}
        self._standings: Sequence[Standing] = ()
        self._begin_at_zero()
        registry.register(self)

    def _begin_at_zero(self) -> None:
        """What an alert waits for is there from the start: Prometheus sees no increase in what is born with 1."""
        for stage in STAGES:
            for reason in ("undecodable", "exception"):
                self._letters.labels(stage, reason)

    def decides_by(self, policies: Iterable[Policy]) -> None:
        """Tells which policies are loaded."""
        for policy in policies:
            self._policies.labels(word(policy.id), word(policy.version), policy.digest[:12]).set(1)

    def is_held(self, held: Callable[[], bool]) -> None:
        """Has somebody asked, at each reading, whether verdicts are held."""
        self._held.set_function(lambda: float(held()))

    def done(self, done: Done) -> None:
        """See `Observer`."""
        self._steps[done.stage].add((done.ended - done.began) * _MICRO)
        if done.letter:
            self._letters.labels(done.stage, word(done.letter)).inc()
        for note in done.notes:
            if note.verdict is not None:
                self._answered(note.view, note.verdict, done.ended)

    def _answered(self, view: View, verdict: Verdict, now: int) -> None:
        self._of_decision[verdict.decision].inc()
        self._latency.observe(max(0, now - view.recorded_at) * _MICRO)
        for rule, decision in {(each.rule, each.decision) for each in verdict.violations}:
            self._violations.labels(word(rule), decision.word).inc()

    def stands(self, standings: Sequence[Standing]) -> None:
        """See `Observer`."""
        self._standings = standings

    def collect(self) -> Iterable[Metric]:
        """What the stages did; and gauges of the partitions that this worker has now, and of no other."""
        yield from self._done()
        lag, rows, size = (
            family("lawful_lag_records"),
            family("lawful_state_rows"),
            family("lawful_state_bytes"),
        )
        for each in self._standings:
            partition = str(each.partition)
            lag.add_metric([each.stage, each.topic, partition], each.lag)
            rows.add_metric([each.stage, partition], each.rows)
            size.add_metric([each.stage, partition], each.size)
        yield from (lag, rows, size)

    def _done(self) -> Iterable[Metric]:
        records = CounterMetricFamily("lawful_records", METRICS["lawful_records_total"].meaning, labels=["stage"])
        steps = HistogramMetricFamily("lawful_step_seconds", METRICS["lawful_step_seconds"].meaning, labels=["stage"])
        for stage, durations in self._steps.items():
            records.add_metric([stage], durations.count)
            durations.tell(steps, [stage])
        return records, steps


def counter(registry: CollectorRegistry, name: MetricName) -> Counter:
    """The counter of this name."""
    metric = METRICS[name]
    return Counter(name, metric.meaning, metric.labels, registry=registry)


def gauge(registry: CollectorRegistry, name: MetricName) -> Gauge:
    """The gauge of this name."""
    metric = METRICS[name]
    return Gauge(name, metric.meaning, metric.labels, registry=registry)


def histogram(registry: CollectorRegistry, name: MetricName, buckets: Sequence[float]) -> Histogram:
    """The histogram of this name."""
    metric = METRICS[name]
    return Histogram(name, metric.meaning, metric.labels, buckets=buckets, registry=registry)


def family(name: MetricName) -> GaugeMetricFamily:
    """The gauges of this name, made anew at each reading."""
    metric = METRICS[name]
    return GaugeMetricFamily(name, metric.meaning, labels=metric.labels)

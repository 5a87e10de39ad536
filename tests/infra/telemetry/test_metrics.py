"""Metrics: all that the catalogue names and nothing else, of the right things, with nobody in them."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from lawful.infra.audit_writer.counters import Counters
from lawful.infra.audit_writer.ports import Batch, Table
from lawful.infra.clickhouse.rows import LogPlace, Partition, Row, process
from lawful.infra.settings import Settings
from lawful.infra.telemetry.audit_metrics import AuditMetrics
from lawful.infra.telemetry.catalogue import METRICS, Process, of
from lawful.infra.telemetry.watch import gateway_watch, worker_watch, writer_watch
from lawful.infra.telemetry.words import WITHHELD, word
from lawful.infra.telemetry.worker_metrics import WorkerMetrics
from lawful.schemas.audit import AuditKind, AuditRecord
from lawful.schemas.event import ToolCall, UserMessage
from lawful.schemas.verdict import Decision, Verdict, Violation, Vote
from lawful.schemas.view import SourcePosition, View
from lawful.streams.kernel import SourceRecord, annotate
from lawful.streams.observing import Done, Note, Standing
from tests.streams.kit import ADA, KERNEL, POLICY, make_event

SECOND = 1_000_000
NOW = 1_700_000_000 * SECOND


def view(recorded_at: int = NOW) -> View:
    """An event as a stage sees it."""
    source = SourceRecord(SourcePosition("lawful.events", 0, 0), recorded_at)
    return annotate(make_event(UserMessage("hello"), ADA), source, KERNEL)[0]


def verdict(*violations: tuple[str, Decision]) -> Verdict:
    """A verdict with these rules broken."""
    broken = tuple(Violation(rule, "because", decision, "") for rule, decision in violations)
    decision = max((each.decision for each in broken), default=Decision.FORWARD)
    return Verdict(
        event_id="e",
        tenant_id="t",
        decision=decision,
        violations=broken,
        policy_id="p",
        policy_version="1",
        policy_digest="",
        recorded_at=NOW,
    )


def done(*notes: Note, stage: str = "judge", letter: str = "") -> Done:
    """A record that took 2 ms, and was done 3 s after the event was appended."""
    ended = NOW + 3 * SECOND
    return Done(stage=stage, partition=0, offset=0, began=ended - 2_000, ended=ended, letter=letter, notes=notes)


def standing(partition: int) -> Standing:
    """A partition with two records waiting."""
    return Standing(stage="judge", topic="t", partition=partition, done=3, end=5, rows=7, size=9)


@pytest.fixture
def registry() -> CollectorRegistry:
    """A registry of the test's own."""
    return CollectorRegistry()


@pytest.fixture
def metrics(registry: CollectorRegistry) -> WorkerMetrics:
    """A worker's metrics."""
    return WorkerMetrics(registry)


def test_verdicts_are_counted_by_decision_and_violations_by_rule(
    registry: CollectorRegistry, metrics: WorkerMetrics
) -> None:
    """A rule that a verdict names twice counts once; the rule's own decision is its label."""
    blocked = verdict(("P1", Decision.BLOCK), ("P1", Decision.BLOCK), ("P3", Decision.REDACT))
    metrics.done(done(Note(view(), blocked)))
    metrics.done(done(Note(view(), verdict())))
    metrics.done(done(Note(view())))
    value = registry.get_sample_value
    assert value("lawful_verdicts_total", {"decision": "block"}) == 1
    assert value("lawful_verdicts_total", {"decision": "forward"}) == 1
    assert value("lawful_violations_total", {"rule": "P1", "decision": "block"}) == 1
    assert value("lawful_violations_total", {"rule": "P3", "decision": "redact"}) == 1
    assert value("lawful_records_total", {"stage": "judge"}) == 3


def test_latency_is_from_the_brokers_append_to_the_verdict(registry: CollectorRegistry, metrics: WorkerMetrics) -> None:
    """Three seconds here; a broker whose clock is ahead counts as none, not as less."""
    metrics.done(done(Note(view(), verdict())))
    metrics.done(done(Note(view(NOW + 60 * SECOND), verdict())))
    assert registry.get_sample_value("lawful_verdict_seconds_sum") == pytest.approx(3)
    assert registry.get_sample_value("lawful_verdict_seconds_count") == 2
    assert registry.get_sample_value("lawful_step_seconds_sum", {"stage": "judge"}) == pytest.approx(0.004)


def test_what_alerts_wait_for_begins_at_zero(registry: CollectorRegistry, metrics: WorkerMetrics) -> None:
    """Prometheus sees an increase from 0 to 1, and none where a series is born with 1."""
    assert registry.get_sample_value("lawful_verdicts_total", {"decision": "block"}) == 0
    labels = {"stage": "combine", "reason": "exception"}
    assert registry.get_sample_value("lawful_dead_letters_total", labels) == 0
    assert registry.get_sample_value("lawful_crosscheck_disagreements_total") == 0


def test_dead_letters_are_counted_by_stage_and_reason(registry: CollectorRegistry, metrics: WorkerMetrics) -> None:
    """Each once."""
    metrics.done(done(stage="annotate", letter="undecodable"))
    labels = {"stage": "annotate", "reason": "undecodable"}
    assert registry.get_sample_value("lawful_dead_letters_total", labels) == 1


def test_gauges_are_of_the_partitions_that_a_worker_has_now(
    registry: CollectorRegistry, metrics: WorkerMetrics
) -> None:
    """A partition that went to somebody else is not told by this worker any more."""
    metrics.stands([standing(0), standing(1)])
    labels = {"stage": "judge", "topic": "t", "partition": "0"}
    assert registry.get_sample_value("lawful_lag_records", labels) == 2
    assert registry.get_sample_value("lawful_state_bytes", {"stage": "judge", "partition": "1"}) == 9
    metrics.stands([standing(1)])
    assert registry.get_sample_value("lawful_lag_records", labels) is None


def test_whether_verdicts_are_held_is_asked_at_each_reading(
    registry: CollectorRegistry, metrics: WorkerMetrics
) -> None:
    """The gate's state, not a copy of it."""
    held = [True]
    metrics.is_held(lambda: held[0])
    assert registry.get_sample_value("lawful_verdicts_held") == 1
    held[0] = False
    assert registry.get_sample_value("lawful_verdicts_held") == 0


def test_the_audit_writers_counters_are_told_as_they_stand(registry: CollectorRegistry) -> None:
    """What the writer counts after the start shows."""
    counters = Counters()
    AuditMetrics(registry, counters)
    counters.rows, counters.retries, counters.lags = 12, 3, {Partition("lawful.audit", 1): 4}
    assert registry.get_sample_value("lawful_audit_rows_total") == 12
    assert registry.get_sample_value("lawful_audit_failures_total") == 3
    labels = {"topic": "lawful.audit", "partition": "1"}
    assert registry.get_sample_value("lawful_audit_lag_records", labels) == 4


def test_the_age_of_a_chains_head_is_that_of_its_newest_row(registry: CollectorRegistry) -> None:
    """Row by row, by the broker's time; a partition that went to another writer is not told."""
    counters = Counters()
    metrics = AuditMetrics(registry, counters, lambda: 10.0)
    counters.lags = {Partition("lawful.audit", 1): 0}
    metrics.written([row(1, 3_000), row(1, 4_000), row(2, 5_000)])
    name, labels = "lawful_audit_head_age_seconds", {"topic": "lawful.audit", "partition": "1"}
    assert registry.get_sample_value(name, labels) == 6
    assert registry.get_sample_value(name, labels | {"partition": "2"}) is None


def row(partition: int, logged_at: int) -> Row:
    """A row of a verdict."""
    record = AuditRecord(kind=AuditKind.VERDICT, view=view(), subjects=(), verdict=verdict())
    return process(record, LogPlace("lawful.audit", partition, 0, logged_at))


def exposed(registry: CollectorRegistry) -> dict[str, tuple[str, frozenset[str]]]:
    """What a registry tells: kind and labels by name, but for the process's own figures and the times of births."""
    found = {}
    for family in text_string_to_metric_families(generate_latest(registry).decode()):
        if not family.name.startswith("process_") and not family.name.endswith("_created"):
            name = f"{family.name}_total" if family.type == "counter" else family.name
            labels = {label for sample in family.samples for label in sample.labels} - {"le"}
            found[name] = (family.type, frozenset(labels))
    return found


def wanted(*processes: Process) -> dict[str, tuple[str, frozenset[str]]]:
    """What the catalogue says of these processes."""
    return {metric.name: (metric.kind.value, frozenset(metric.labels)) for metric in of(*processes)}


def test_a_worker_tells_what_the_catalogue_says_and_nothing_else() -> None:
    """Names, kinds and labels."""
    with worker_watch(Settings()) as watch:
        watch.metrics.decides_by([POLICY])
        watch.metrics.done(done(Note(view(), verdict(("P1", Decision.BLOCK))), letter="exception"))
        watch.metrics.votes.told(replace(verdict(), votes=(Vote("rego", "1", Decision.BLOCK, "late", sentry=True),)))
        watch.metrics.stands([standing(0)])
        assert exposed(watch.registry) == wanted(Process.WORKER, Process.ALL)


def test_an_audit_writer_tells_what_the_catalogue_says_and_nothing_else() -> None:
    """Names, kinds and labels."""
    with writer_watch(Settings()) as watch:
        watch.told.counters.lags = {Partition("lawful.audit", 1): 4}
        watch.told.on_written(Batch(Table.AUDIT, (row(1, 0),), "token"), 0.1)
        assert exposed(watch.registry) == wanted(Process.WRITER, Process.ALL)


def test_a_gateway_tells_what_the_catalogue_says_and_nothing_else() -> None:
    """Names, kinds and labels."""
    with gateway_watch(Settings()) as watch:
        watch.counters.lags = {("lawful.outbox", 1): 4}
        assert exposed(watch.registry) == wanted(Process.GATEWAY, Process.ALL)


def test_counters_end_in_total_and_nothing_else_does() -> None:
    """As Prometheus wants it; everything is ours and is explained."""
    assert all(name.startswith("lawful_") and metric.meaning for name, metric in METRICS.items())
    assert all(name.endswith("_total") == (metric.kind.value == "counter") for name, metric in METRICS.items())


@pytest.mark.parametrize("text", ["P1", "error", "no_outreach_before_query", "1.2.3", "2026-11-30", "pack/rule"])
def test_names_and_versions_may_be_labels(text: str) -> None:
    """What policies and releases are called."""
    assert word(text) == text


@pytest.mark.parametrize(
    "text", ["", "ada@example.com", "+442071838750", "Ada Lovelace", "4111111111111111", "a" * 81, 'x"} 1\nup 1', "Zoë"]
)
def test_what_is_no_name_is_withheld(text: str) -> None:
    """A36: addresses, numbers and sentences become no label, whoever wrote them into a policy."""
    assert word(text) == WITHHELD


def test_no_label_holds_anybody(metrics: WorkerMetrics, registry: CollectorRegistry) -> None:
    """A36: an event with somebody in each of its strings, and a policy with somebody in its names, leave no trace."""
    nasty = ADA.value
    event = make_event(
        ToolCall(nasty, nasty, f'{{"to": "{nasty}"}}'), ADA, session_id=nasty, agent_id=nasty, tenant_id="acme"
    )
    source = SourceRecord(SourcePosition("lawful.events", 0, 0), NOW)
    views = annotate(event, source, KERNEL)
    answers: Sequence[Note] = [Note(each, verdict((nasty, Decision.BLOCK))) for each in views]
    metrics.done(done(*answers, letter=nasty))
    metrics.decides_by([replace(POLICY, id=nasty, version=nasty)])
    text = generate_latest(registry).decode()
    assert nasty not in text
    assert text.count(WITHHELD) >= 3

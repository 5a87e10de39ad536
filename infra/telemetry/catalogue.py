"""Every metric, in one place: its name, its labels, what it means.

Names are a type, so that a misspelt one does not pass the type checker; `docs/metrics.md`, the
dashboard and the alert rules are held against this table by tests. Labels are words of ours, of a
policy or of the operator, never of an event: no label can hold personal data (acceptance A36).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

MetricName = Literal[
    "lawful_build_info",
    "lawful_policy_info",
    "lawful_records_total",
    "lawful_step_seconds",
    "lawful_verdicts_total",
    "lawful_violations_total",
    "lawful_verdict_seconds",
    "lawful_dead_letters_total",
    "lawful_partitions",
    "lawful_lag_records",
    "lawful_state_rows",
    "lawful_state_bytes",
    "lawful_verdicts_held",
    "lawful_crosscheck_disagreements_total",
    "lawful_votes_total",
    "lawful_votings_total",
    "lawful_audit_rows_total",
    "lawful_audit_dead_letters_total",
    "lawful_audit_batches_total",
    "lawful_audit_duplicates_total",
    "lawful_audit_unreadable_total",
    "lawful_audit_failures_total",
    "lawful_audit_insert_seconds_total",
    "lawful_audit_lag_records",
    "lawful_audit_head_age_seconds",
    "lawful_audit_unsigned_seconds",
    "lawful_gateway_records_total",
    "lawful_gateway_events_total",
    "lawful_gateway_unreadable_total",
    "lawful_gateway_failures_total",
    "lawful_gateway_waiting_records",
    "lawful_gateway_lag_records",
    "lawful_erasure_overdue_recipients",
    "lawful_erasure_waiting_recipients",
    "lawful_erasure_looked_seconds",
]


class Kind(StrEnum):
    """How a metric's values are read."""

    COUNTER = "counter"
    GAUGE = "gauge"
    HISTOGRAM = "histogram"


class Process(StrEnum):
    """Which process tells it."""

    WORKER = "worker"
    WRITER = "audit writer"
    GATEWAY = "gateway"
    ERASURES = "erasure watch"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric.

    Attributes:
        labels: names of its labels; each has few values.
    """

    name: MetricName
    kind: Kind
    process: Process
    labels: tuple[str, ...]
    meaning: str


_TABLE: Final = (
    Metric("lawful_build_info", Kind.GAUGE, Process.ALL, ("version",), "always 1; which version runs"),
    Metric(
        "lawful_policy_info",
        Kind.GAUGE,
        Process.WORKER,
        ("policy", "version", "digest"),
        "always 1; the policies that a worker decides by",
    ),
    Metric("lawful_records_total", Kind.COUNTER, Process.WORKER, ("stage",), "records that a stage has dealt with"),
    Metric(
        "lawful_step_seconds",
        Kind.HISTOGRAM,
        Process.WORKER,
        ("stage",),
        "how long a stage took over a record, from taking it to handing its outputs to Kafka",
    ),
    Metric("lawful_verdicts_total", Kind.COUNTER, Process.WORKER, ("decision",), "verdicts given, by decision"),
    Metric(
        "lawful_violations_total",
        Kind.COUNTER,
        Process.WORKER,
        ("rule", "decision"),
        "verdicts that name a predicate (P1 to P4, error) or a policy's own rule, by what that alone would lead to",
    ),
    Metric(
        "lawful_verdict_seconds",
        Kind.HISTOGRAM,
        Process.WORKER,
        (),
        "from the broker's append of an event to its verdict, by broker's and worker's clock",
    ),
    Metric(
        "lawful_dead_letters_total",
        Kind.COUNTER,
        Process.WORKER,
        ("stage", "reason"),
        "records that could not be read (undecodable) or made our code fail (exception)",
    ),
    Metric(
        "lawful_partitions",
        Kind.GAUGE,
        Process.WORKER,
        (),
        "how many partitions each stage's source has, by the settings; somebody has to report a lag for each",
    ),
    Metric(
        "lawful_lag_records",
        Kind.GAUGE,
        Process.WORKER,
        ("stage", "topic", "partition"),
        "records of a stage's source behind the last one done: what waits",
    ),
    Metric(
        "lawful_state_rows",
        Kind.GAUGE,
        Process.WORKER,
        ("stage", "partition"),
        "rows of a stage's table, about",
    ),
    Metric(
        "lawful_state_bytes",
        Kind.GAUGE,
        Process.WORKER,
        ("stage", "partition"),
        "bytes that they take, on disk or in memory, about",
    ),
    Metric(
        "lawful_verdicts_held",
        Kind.GAUGE,
        Process.WORKER,
        (),
        "1 while no verdict is given because the audit cannot be written (audit_failure: reject)",
    ),
    Metric(
        "lawful_crosscheck_disagreements_total",
        Kind.COUNTER,
        Process.WORKER,
        (),
        "sampled events on which the three judges differ; anything above 0 is an alarm",
    ),
    Metric(
        "lawful_votes_total",
        Kind.COUNTER,
        Process.WORKER,
        ("auditor", "answer"),
        "what each auditor said of verdicts of the heavy tier: agrees, differs, or none in time",
    ),
    Metric(
        "lawful_votings_total",
        Kind.COUNTER,
        Process.WORKER,
        ("outcome",),
        "what votes came to: agreed (the sentries), doubted (all were asked, and the verdict stands), stricter, failed",
    ),
    Metric("lawful_audit_rows_total", Kind.COUNTER, Process.WRITER, (), "audit rows that ClickHouse confirmed"),
    Metric(
        "lawful_audit_dead_letters_total",
        Kind.COUNTER,
        Process.WRITER,
        (),
        "rows of the dead-letter table that ClickHouse confirmed",
    ),
    Metric("lawful_audit_batches_total", Kind.COUNTER, Process.WRITER, (), "inserts that ClickHouse confirmed"),
    Metric(
        "lawful_audit_duplicates_total",
        Kind.COUNTER,
        Process.WRITER,
        (),
        "records dropped since their row is there already",
    ),
    Metric(
        "lawful_audit_unreadable_total",
        Kind.COUNTER,
        Process.WRITER,
        (),
        "records of the audit topics that could not be read",
    ),
    Metric(
        "lawful_audit_failures_total",
        Kind.COUNTER,
        Process.WRITER,
        (),
        "attempts on Kafka or ClickHouse that failed and are made again",
    ),
    Metric(
        "lawful_audit_insert_seconds_total",
        Kind.COUNTER,
        Process.WRITER,
        (),
        "time spent in inserts; over lawful_audit_batches_total it is their mean",
    ),
    Metric(
        "lawful_audit_lag_records",
        Kind.GAUGE,
        Process.WRITER,
        ("topic", "partition"),
        "records that the broker has and ClickHouse has not",
    ),
    Metric(
        "lawful_audit_head_age_seconds",
        Kind.GAUGE,
        Process.WRITER,
        ("topic", "partition"),
        "how old the newest row is that this writer has added to a partition's chain, by broker's and writer's clock",
    ),
    Metric(
        "lawful_audit_unsigned_seconds",
        Kind.GAUGE,
        Process.WRITER,
        (),
        "for how long the end of some chain has been waiting for its anchor; 0 if none does or no key is set",
    ),
    Metric("lawful_gateway_records_total", Kind.COUNTER, Process.GATEWAY, (), "outbox records that are done"),
    Metric(
        "lawful_gateway_events_total",
        Kind.COUNTER,
        Process.GATEWAY,
        ("decision",),
        "events made of them, one per recipient; a blocked one did not arrive",
    ),
    Metric(
        "lawful_gateway_unreadable_total",
        Kind.COUNTER,
        Process.GATEWAY,
        (),
        "outbox records that were no events, or whose address could not be read",
    ),
    Metric(
        "lawful_gateway_failures_total",
        Kind.COUNTER,
        Process.GATEWAY,
        (),
        "deliveries that failed and are made again",
    ),
    Metric(
        "lawful_gateway_waiting_records", Kind.GAUGE, Process.GATEWAY, (), "outbox records whose verdicts are awaited"
    ),
    Metric(
        "lawful_gateway_lag_records",
        Kind.GAUGE,
        Process.GATEWAY,
        ("topic", "partition"),
        "outbox records that no gateway has begun",
    ),
    Metric(
        "lawful_erasure_overdue_recipients",
        Kind.GAUGE,
        Process.ERASURES,
        (),
        "recipients who had got data of people erased since, and were not told of it in time (Art. 19)",
    ),
    Metric(
        "lawful_erasure_waiting_recipients",
        Kind.GAUGE,
        Process.ERASURES,
        (),
        "recipients who were not told of an erasure yet, and still may be in time",
    ),
    Metric(
        "lawful_erasure_looked_seconds",
        Kind.GAUGE,
        Process.ERASURES,
        (),
        "how old these two numbers are: seconds since the audit could last be asked",
    ),
)

METRICS: Final[Mapping[MetricName, Metric]] = {metric.name: metric for metric in _TABLE}

STANDARD: Final = ("up", "process_resident_memory_bytes", "process_cpu_seconds_total", "process_open_fds")
"""Metrics of Prometheus itself and of its client, which dashboard and alerts may use as well."""


def of(*processes: Process) -> tuple[Metric, ...]:
    """The metrics that these tell."""
    return tuple(metric for metric in _TABLE if metric.process in processes)

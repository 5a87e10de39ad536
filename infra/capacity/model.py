"""From a load to what carries it: cores, partitions, disks. Plain arithmetic on measured figures.

Everything scales by partition, so everything is linear; what is not linear (one person's events are
one after the other, one partition has one worker) is a bound that is checked beside it. The formulas
stand in docs/scaling.md, which a test holds against this.
"""

import math
from dataclasses import asdict, dataclass
from typing import Any, Final

from lawful.schemas.errors import ConfigurationError

_DAY: Final = 86_400
_MICRO: Final = 1e-6
_LARGEST: Final = 1e15


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What is asked for.

    Attributes:
        events: a second, at the peak that has to be carried.
        subjects: people that are remembered.
        headroom: share of a core that is planned for; the rest is for peaks and for taking over.
        audit_days: how long the audit is kept.
        log_days: how long Kafka keeps what is not a changelog.
        replication: copies of every Kafka partition and every ClickHouse row.
    """

    events: float = 1_000
    subjects: float = 1_000_000
    headroom: float = 0.5
    audit_days: int = 183
    log_days: int = 7
    replication: int = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What one unit costs. The defaults were measured as docs/scaling.md says; `--measure` takes this machine's.

    Attributes:
        annotate_us: processor time to annotate an event, in microseconds: extraction, nearly all of it.
        judge_us, combine_us: of one view, one share.
        record_us: what Faust takes for a record of any stage: fetch, table write, emit, watermark.
        views: people whom an event concerns, on average.
        shares: shares that wait for others, per event.
        event_bytes, view_bytes, share_bytes, verdict_bytes, audit_bytes: records on Kafka.
        state_bytes: of one person with three facts, on a worker's disk.
        row_bytes: of one audit row in ClickHouse, compressed.
        writer_rows: rows a second that one audit writer moves.
    """

    annotate_us: float = 12_800
    judge_us: float = 570
    combine_us: float = 450
    record_us: float = 400
    views: float = 1.4
    shares: float = 0.6
    event_bytes: float = 220
    view_bytes: float = 510
    share_bytes: float = 1_095
    verdict_bytes: float = 840
    audit_bytes: float = 1_430
    state_bytes: float = 106
    row_bytes: float = 480
    writer_rows: float = 12_500


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What carries the load."""

    us_per_event: float
    events_per_core: float
    worker_cores: int
    partitions: int
    kafka_bytes_per_s: float
    kafka_log_bytes: float
    changelog_bytes: float
    state_bytes: float
    state_bytes_per_worker: float
    audit_writers: int
    rows_per_day: float
    clickhouse_bytes_per_day: float
    clickhouse_bytes: float


def plan(load: Load, figures: Figures | None = None) -> Plan:
    """What a load takes, copies included where the name does not say `per worker`.

    Raises:
        ConfigurationError: something is no number that could be carried.
    """
    each = figures or Figures()
    for name, value in {**asdict(load), **asdict(each)}.items():
        if not 0 <= value <= _LARGEST:  # neither is what is no number
            raise ConfigurationError(f"{name} cannot be {value}", hint=f"give a number up to {_LARGEST:g}")
    us = cost(each)
    cores = max(1, math.ceil(load.events * us * _MICRO / load.headroom))
    on_bus = record_bytes(each)
    state = load.subjects * each.state_bytes
    return Plan(
        us_per_event=us,
        events_per_core=1 / (us * _MICRO),
        worker_cores=cores,
        partitions=partitions(cores),
        kafka_bytes_per_s=load.events * on_bus * load.replication,
        kafka_log_bytes=load.events * on_bus * _DAY * load.log_days * load.replication,
        # A changelog is compacted when half of it is old.
        changelog_bytes=2 * state * load.replication,
        state_bytes=state,
        state_bytes_per_worker=state / cores,
        audit_writers=max(1, math.ceil(load.events / each.writer_rows / load.headroom)),
        rows_per_day=load.events * _DAY,
        clickhouse_bytes_per_day=load.events * _DAY * each.row_bytes * load.replication,
        clickhouse_bytes=load.events * _DAY * each.row_bytes * load.replication * load.audit_days,
    )


def cost(each: Figures) -> float:
    """Processor time of one event over all stages, in microseconds."""
    annotate = each.annotate_us + each.record_us
    judge = each.views * (each.judge_us + each.record_us)
    combine = each.shares * (each.combine_us + each.record_us)
    return annotate + judge + combine


def record_bytes(each: Figures) -> float:
    """Bytes that one event puts on the bus: itself, views, shares, the verdict twice (topic and reply), the audit."""
    views = each.views * each.view_bytes + each.shares * each.share_bytes
    return each.event_bytes + views + 2 * each.verdict_bytes + each.audit_bytes


def partitions(cores: int) -> int:
    """A partition for each worker, with room to grow by half, in multiples of twelve, which many numbers divide."""
    return 12 * math.ceil(cores * 1.5 / 12)


def as_document(load: Load, figures: Figures, planned: Plan) -> dict[str, Any]:
    """All three, for `--json`."""
    return {"load": asdict(load), "figures": asdict(figures), "plan": asdict(planned)}

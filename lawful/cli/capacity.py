"""`lawful capacity`: what a load takes, from measured figures."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from lawful.cli import common
from lawful.cli.console import err, out, put_json, table

if TYPE_CHECKING:
    from lawful.infra.capacity.model import Figures, Plan

MEASURED = 500


def capacity(
    config: common.Config = None,
    events: Annotated[float, typer.Option("--events", min=0.001, help="Events a second, at the peak.")] = 1_000,
    subjects: Annotated[float, typer.Option("--subjects", min=1, help="People to remember.")] = 1_000_000,
    headroom: Annotated[
        float, typer.Option("--headroom", min=0.05, max=1, help="Share of each core to plan for.")
    ] = 0.5,
    replication: Annotated[int, typer.Option("--replication", min=1, max=10, help="Copies in Kafka, ClickHouse.")] = 3,
    audit_days: Annotated[int, typer.Option("--audit-days", min=1, help="Days that the audit is kept.")] = 183,
    annotate_us: Annotated[
        float | None, typer.Option("--annotate-us", min=1, help="Microseconds to annotate an event, if you know.")
    ] = None,
    measure: Annotated[
        bool, typer.Option("--measure", help="Measure this machine and your policies first (some seconds).")
    ] = False,
    json: common.Json = False,
) -> int:
    """Cores, partitions and disks that a load takes. The formulas and where figures come from: docs/scaling.md."""
    from lawful.infra.capacity.model import Figures, Load, as_document, plan

    figures = _measured(config) if measure else Figures()
    if annotate_us is not None:
        figures = replace(figures, annotate_us=annotate_us)
    load = Load(events=events, subjects=subjects, headroom=headroom, replication=replication, audit_days=audit_days)
    planned = plan(load, figures)
    if json:
        put_json(as_document(load, figures, planned))
    else:
        _tell(figures, planned)
    return 0


def _measured(config: common.Config) -> "Figures":
    from lawful.infra.capacity.measure import measure
    from lawful.infra.compose_root import kernel, policies

    settings = common.settings_of(config)
    if not settings.pseudonym_key:
        settings = replace(settings, pseudonym_key=b"for measuring only, nobody's")
    if policies(settings).default is None:
        settings = replace(settings, default_policy=common.DEFAULT_POLICY)
    with err.status("measuring"):
        parts = kernel(settings)
        try:
            return measure(parts, MEASURED)
        finally:
            if parts.denier is not None:
                parts.denier.close()


def _tell(figures: "Figures", planned: "Plan") -> None:
    out.print(table("", ("what", "how much"), rows(planned)))
    out.print(f"annotating takes {figures.annotate_us:,.0f} us of it; figures are of one machine: docs/scaling.md")


def rows(planned: "Plan") -> list[tuple[str, str]]:
    """A plan in words, for a terminal and for the page."""
    return [
        ("an event, over all stages", f"{planned.us_per_event:,.0f} us of a core"),
        ("one core alone", f"{planned.events_per_core:,.0f} events a second"),
        ("worker processes, a core each", f"{planned.worker_cores:,}"),
        ("partitions", f"{planned.partitions:,}"),
        ("Kafka takes in", f"{size(planned.kafka_bytes_per_s)} a second"),
        ("Kafka keeps", f"{size(planned.kafka_log_bytes)}, and {size(planned.changelog_bytes)} of changelogs"),
        ("state on workers' disks", f"{size(planned.state_bytes)}, {size(planned.state_bytes_per_worker)} each"),
        ("audit writers", f"{planned.audit_writers:,}"),
        ("audit rows a day", f"{planned.rows_per_day:,.0f}"),
        ("ClickHouse", f"{size(planned.clickhouse_bytes_per_day)} a day, {size(planned.clickhouse_bytes)} in all"),
    ]


def size(count: float) -> str:
    """Bytes for people, in powers of ten."""
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if count < 1_000:  # noqa: PLR2004 - the next unit's beginning
            return f"{count:.3g} {unit}"
        count /= 1_000
    return f"{count:.3g} PB"

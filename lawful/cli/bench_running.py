"""`lawful bench recovery` and `lawful bench soak`: what a running installation costs and takes."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from lawful.cli import common
from lawful.cli.console import err, out, put, put_json, table
from lawful.cli.signals import interruptible
from lawful.schemas.errors import ConfigurationError


class Engine(StrEnum):
    """Which broker."""

    EMBEDDED = "embedded"
    KAFKA = "kafka"
    BEST = "best"


Broker = Annotated[Engine, typer.Option("--broker", help="best: Apache Kafka where Java 17 and Maven are.")]


def recovery(
    subjects: Annotated[
        int, typer.Option("--subjects", min=1, help="People whose histories are restored.")
    ] = 1_000_000,
    partitions: Annotated[int, typer.Option("--partitions", min=1, max=64, help="Of the topics.")] = 4,
    broker: Broker = Engine.BEST,
    json: common.Json = False,
) -> int:
    """Seconds and bytes that a worker needs to have its tables back, in memory and on disk."""
    from lawful.infra.bench.recovery import bench_recovery

    with interruptible(), bar_of(subjects) as (progress, bar):
        found = bench_recovery(
            subjects,
            broker_of(broker),
            partitions,
            lambda what, done: progress.update(bar, description=what, completed=done),
        )
    if json:
        put_json(found)
        return 0
    put(f"{found['subjects']:,} people, {found['partitions']} partitions, {found['broker']}")
    columns = ("tables", "seconds", "restoring", "memory MB", "bytes each", "disk MB", "bytes each")
    memory, disk = ("resident_mb", "bytes_per_subject_in_memory"), ("disk_mb", "bytes_per_subject_on_disk")
    keys = ("seconds", "restoring_seconds", *memory, *disk)
    rows = [(name, *(start[key] for key in keys)) for name, start in found["starts"].items()]
    out.print(table("", columns, rows))
    return 0


def soak(
    minutes: Annotated[float, typer.Option("--minutes", min=0.1, help="At half of capacity.")] = 30.0,
    warm: Annotated[float, typer.Option("--warm", min=0, help="Minutes at full speed first, to fill caches.")] = 5.0,
    workers: Annotated[int, typer.Option("--workers", min=1, max=16, help="Worker processes.")] = 2,
    people: Annotated[int, typer.Option("--people", min=4, help="Whom the events are about.")] = 100_000,
    flood: Annotated[int, typer.Option("--flood", min=1, help="Events that come at once in the end.")] = 50_000,
    size: Annotated[int, typer.Option("--bytes", min=0, help="Bytes that flooding events are padded with.")] = 0,
    samples: Annotated[Path | None, typer.Option("--samples", help="CSV file for every sample of memory.")] = None,
    broker: Broker = Engine.BEST,
    json: common.Json = False,
) -> int:
    """Memory of every process under load that does not end, and under more than can be taken."""
    from lawful.infra.bench.soak import Plan, bench_soak

    plan = Plan(
        broker_of(broker), workers, people, minutes * 60, warm * 60, flood=flood, flood_bytes=size, samples=samples
    )
    with interruptible(), bar_of(minutes * 60) as (progress, bar):
        found = bench_soak(plan, lambda what, done: progress.update(bar, description=what, completed=done))
    if json:
        put_json(found)
    else:
        _tell(found)
    return 0


def broker_of(wanted: Engine) -> str:
    """The broker to run: what is wanted, or the best that is here."""
    from lawful.infra.chaos.suite import KAFKA, brokers_here

    here, missing = brokers_here()
    if wanted is Engine.KAFKA and missing:
        raise ConfigurationError(f"Apache Kafka cannot be run here: {missing}", hint="install Java 17 and Maven")
    return (KAFKA if KAFKA in here else here[0]) if wanted is Engine.BEST else wanted.value


@contextmanager
def bar_of(total: float) -> Iterator[tuple[Progress, TaskID]]:
    """A progress bar on the terminal, if there is one."""
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=err, disable=not err.is_terminal) as progress:
        yield progress, progress.add_task("starting", total=total)


def _tell(found: dict[str, Any]) -> None:
    soaked, flooded = found["soak"], found["flood"]
    put(f"{found['broker']}, {found['workers']} workers: {found['capacity_events_per_second']} events/s at most")
    rows = [
        (name, *(each.get(part, "") for part in ("first", "middle", "last")), "fine" if each["flat"] else "note")
        for name, each in soaked["resident_mb"].items()
    ]
    title = f"MB over {soaked['seconds']:,} s at {soaked['events_per_second']} events/s: tenths of the time"
    out.print(table(title, ("process", "first", "middle", "last", "flat"), rows))
    rows = [(name, each["before"], each["peak"]) for name, each in flooded["resident_mb"].items()]
    out.print(table(f"MB while {flooded['events']:,} events came at once", ("process", "before", "peak"), rows))

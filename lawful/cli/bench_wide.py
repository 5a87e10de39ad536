"""`lawful bench audit`, `trace`, `peers` and `all`: what is around deciding, what others take, and everything."""

from pathlib import Path
from typing import Annotated, Any

import typer

from lawful.cli import common
from lawful.cli.bench_pipeline import Partitions, Rounds, head, ranged, told
from lawful.cli.bench_running import Broker, Engine, bar_of, broker_of
from lawful.cli.console import out, put_json, table
from lawful.cli.signals import interruptible


def audit(
    rows: Annotated[int, typer.Option("--rows", min=100, help="That the writer moves, in each round.")] = 50_000,
    rounds: Rounds = 3,
    millions: Annotated[float, typer.Option("--millions", min=0, help="Millions of rows to ask about.")] = 0.5,
    asks: Annotated[int, typer.Option("--asks", min=1, help="How often each question is asked.")] = 5,
    partitions: Partitions = 4,
    profile: Annotated[bool, typer.Option("--profile", help="Say where the writer's time goes.")] = False,
    broker: Broker = Engine.BEST,
    json: common.Json = False,
) -> int:
    """Rows per second into ClickHouse through the audit writer, and milliseconds of officers' questions.

    The target is for an unloaded machine; a missed one is told, and does not change the exit status.
    """
    from lawful.infra.bench.audit_rows import Size, bench_audit

    size = Size(rows, rounds, millions, asks, partitions, profile)
    with interruptible(), bar_of(rounds) as (progress, bar):
        found = bench_audit(
            size, broker_of(broker), lambda what, done: progress.update(bar, description=what, completed=done)
        )
    if json:
        put_json({"bench": "audit", **found})
        return 0
    head(found)
    out.print(table("the writer", ("what", "median"), _rates(found)))
    asked = [(name, ranged(ms)) for name, ms in found["queries"]["ms"].items()]
    out.print(table(f"ms, {found['queries']['rows']:,} rows", ("question", "median"), asked))
    out.print("\n".join(found["profile"]), markup=False)
    told(found["targets"])
    return 0


def _rates(found: dict[str, Any]) -> list[tuple[str, str]]:
    return [
        ("rows/s", ranged(found["rows_per_second"])),
        ("rows per CPU second of the writer", ranged(found["rows_per_cpu_second_of_the_writer"])),
    ]


def trace(
    longest: Annotated[int, typer.Option("--trace", min=200, help="The longest trace.")] = 100_000,
    subjects: Annotated[int, typer.Option("--subjects", min=1_000, help="How many people are most.")] = 1_000_000,
    probes: Annotated[int, typer.Option("--events", min=10, help="That are timed at each size.")] = 1_000,
    rounds: Rounds = 5,
    json: common.Json = False,
) -> int:
    """Microseconds per decision against the length of a trace and the number of people.

    Beside a judge that reads the whole trace again. A missed target does not change the exit status.
    """
    from lawful.infra.bench.trace import Size, bench_trace

    size = Size(_growing(100, longest), _growing(1_000, subjects), probes, rounds)
    with bar_of(2) as (progress, bar):
        found = bench_trace(size, lambda what, done: progress.update(bar, description=what, completed=done))
    if json:
        put_json({"bench": "trace", **found})
        return 0
    head(found)
    for name in ("trace_length_us", "trace_length_naive_us", "subjects_us"):
        rows = [(number, f"{cost['median']:.2f}", f"{cost['p99']:.2f}") for number, cost in found[name].items()]
        out.print(table(name.replace("_", " "), ("size", "median", "p99"), rows))
    told(found["targets"])
    return 0


def _growing(least: int, most: int) -> tuple[int, ...]:
    """Tenfold steps from the least, and the most."""
    sizes = []
    while least < most:
        sizes.append(least)
        least *= 10
    return (*sizes, most)


def peers(
    events: Annotated[int, typer.Option("--events", min=10, help="That every peer decides on.")] = 500,
    rounds: Rounds = 3,
    minutes: Annotated[float, typer.Option("--minutes", min=0.1, help="For installing one of them.")] = 10.0,
    only: Annotated[list[str] | None, typer.Option("--only", help="These packages alone; again for more.")] = None,
    environments: Annotated[
        Path | None, typer.Option("--environments", help="Folder of environments made before: venv-PACKAGE.")
    ] = None,
    json: common.Json = False,
) -> int:
    """Milliseconds per decision and what is detected, by us and by other packages, on the same events.

    Each is installed into an environment that is thrown away. One that cannot be is reported with the reason.
    """
    common.one_thread()
    from lawful.infra.bench.peers import PEERS, Size, bench_peers

    size = Size(events, rounds, minutes, tuple(only or PEERS), environments)
    with interruptible(), bar_of(len(size.packages) + 1) as (progress, bar):
        found = bench_peers(size, lambda what, done: progress.update(bar, description=what, completed=done))
    if json:
        put_json({"bench": "peers", **found})
        return 0
    head(found)
    columns = ("package", "version", "ms per event", "P1", "P2", "P3", "P4", "not measured")
    rows = [
        (
            name,
            str(one.get("version", "")),
            ranged(one.get("ms_per_event")),
            *(one.get("detects", {}).get(f"P{number}", "") for number in range(1, 5)),
            one.get("reason", ""),
        )
        for name, one in found["peers"].items()
    ]
    out.print(table(f"{found['events']} events, medians of {rounds}", columns, rows))
    return 0


def everything(
    only: Annotated[list[str] | None, typer.Option("--only", help="These alone; again for more.")] = None,
    broker: Broker = Engine.BEST,
    json: common.Json = False,
) -> int:
    """All measurements in small sizes, in at most about a quarter of an hour.

    What cannot be measured here is reported with the reason. A missed target does not change the exit status.
    """
    common.one_thread()
    from lawful.infra.bench.everything import bench_all, benches

    todo = {name: bench for name, bench in benches(broker_of(broker)).items() if not only or name in only}
    with interruptible(), bar_of(len(todo)) as (progress, bar):
        found = bench_all(todo, lambda what, done: progress.update(bar, description=what, completed=done))
    if json:
        put_json(found)
        return 0
    head(found)
    out.print(table("", ("bench", "seconds"), [(name, str(value)) for name, value in found["seconds"].items()]))
    left = [(name, each) for name in todo for key in ("skipped", "failed") if (each := found[name].get(key))]
    out.print(table("not measured", ("bench", "why"), left))
    told([{**each, "name": f"{each['bench']}: {each['name']}"} for each in found["targets"]])
    return 0

"""`lawful bench`: what deciding costs on this machine."""

from typing import Annotated, Any

import typer

from lawful.cli import bench_graph, bench_pipeline, bench_wide, common
from lawful.cli.console import err, out, put, put_json, table

app = typer.Typer(help="Measure what deciding costs on this machine.", no_args_is_help=True)


@app.callback()
def _bench() -> None:
    """Measure what deciding costs on this machine."""


app.command("pipeline")(bench_pipeline.pipeline)
app.command("latency")(bench_pipeline.latency)
app.command("audit")(bench_wide.audit)
app.command("trace")(bench_wide.trace)
app.command("peers")(bench_wide.peers)
app.command("all")(bench_wide.everything)
app.command("graph")(bench_graph.graph)


@app.command("core")
def core(
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="More rounds, a truer spread.")] = 7,
    people: Annotated[int, typer.Option("--people", min=1, help="Whose events are judged.")] = 8,
    events: Annotated[int, typer.Option("--events", min=2, help="Events of each of them.")] = 250,
    trace: Annotated[int, typer.Option("--trace", min=1001, help="The late event's number in a trace.")] = 100_000,
    subjects: Annotated[int, typer.Option("--subjects", min=1000, help="How many people are many.")] = 1_000_000,
    json: common.Json = False,
) -> int:
    """Microseconds per event of each judge, on the same events in one run, and how they grow.

    The targets are for an unloaded core; a missed one is told, and does not change the exit status.
    """
    from lawful.infra.bench.core import Size, bench_core

    with err.status("measuring") as status:
        found = bench_core(
            Size(people, events, rounds, trace, subjects), lambda what: status.update(f"measuring: {what}")
        )
    if json:
        put_json({"bench": "core", **found})
    else:
        _tell(found)
    return 0


def _tell(found: dict[str, Any]) -> None:
    machine, versions = found["machine"], found["versions"]
    put(f"{machine['processor']}, {machine['cores']} cores, load {machine['load']}, {versions['python']}")
    rows = [
        (name, f"{cost['median']:.2f}", f"{cost['p99']:.2f}", f"{cost['spread'][0]:.2f} to {cost['spread'][1]:.2f}")
        for name, cost in found["us_per_event"].items()
    ]
    title = f"microseconds per event, {found['events']} events, {found['rounds']} rounds"
    out.print(table(title, ("judge", "median", "p99", "medians of rounds"), rows))
    columns = ("target", "measured", "wanted", "met", "if not, bound by")
    out.print(table("", columns, [_row(each) for each in found["targets"]]))


def _row(target: dict[str, Any]) -> tuple[str, ...]:
    wanted = f"at most {target['at_most']}" if target["at_most"] is not None else f"at least {target['at_least']}"
    met = "fine" if target["met"] else "missed"
    return (target["name"], f"{target['measured']:.2f}", wanted, met, target["bound_by"])


@app.command("verify")
def verify(
    rows: Annotated[int, typer.Option("--rows", min=1, help="How many rows to fill in and check.")] = 1_000_000,
    partitions: Annotated[int, typer.Option("--partitions", min=1, help="Of how many chains.")] = 4,
    seed: Annotated[int, typer.Option("--seed", help="Other rows.")] = 1,
    json: common.Json = False,
) -> int:
    """Rows a second of `lawful audit verify`, on an embedded ClickHouse that is filled for it."""
    from rich.progress import Progress

    from lawful.infra.bench.audit import bench_verify

    with Progress(console=err, transient=True, disable=not err.is_terminal) as progress:
        tasks = {what: progress.add_task(what, total=rows) for what in ("filling", "verifying")}
        found = bench_verify(rows, partitions, seed, lambda what, done: progress.advance(tasks[what], done))
    if json:
        put_json(found)
    else:
        filling, cpu = found["filling"], found["cpu_us_per_row"]
        put(
            f"{found['rows']:,} rows verified in {found['seconds']} s: {found['rows_per_second']:,} rows a second, "
            f"peak memory {found['peak_mb_before']} MB before, {found['peak_mb_after']} MB after"
        )
        put(
            f"microseconds of CPU a row: {cpu['verify']} here, {cpu['clickhouse']} in ClickHouse; "
            f"linking costs {filling['link_us_per_row']} us a row, {filling['hash_us_per_row']} of them the hash; "
            f"{filling['disk_bytes_per_row']} bytes a row on disk"
        )
    return 0 if found["ok"] else 1

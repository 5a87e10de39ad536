"""`lawful bench pipeline` and `latency`: whole workers beside an agent that only copies bytes."""

from typing import Annotated, Any

import typer

from lawful.cli import common
from lawful.cli.bench_running import Broker, Engine, bar_of, broker_of
from lawful.cli.console import out, put, put_json, table
from lawful.cli.signals import interruptible

Rounds = Annotated[int, typer.Option("--rounds", min=1, help="More rounds, a truer spread.")]
Partitions = Annotated[int, typer.Option("--partitions", min=1, max=64, help="Of the topics.")]


def pipeline(
    events: Annotated[int, typer.Option("--events", min=50, help="Of each burst.")] = 3_000,
    rounds: Rounds = 3,
    partitions: Partitions = 4,
    workers: Annotated[int, typer.Option("--workers", min=1, max=16, help="Several, against one.")] = 2,
    texts: Annotated[int, typer.Option("--texts", min=0, help="Events that default Presidio reads; 0: none.")] = 200,
    broker: Broker = Engine.BEST,
    json: common.Json = False,
) -> int:
    """Events per second and CPU of one worker and of several, beside a Faust agent that only copies bytes.

    With a scripted extractor ("extraction off") and with the real one, which is also held against default Presidio
    alone, on events of the same kind in the same run. Targets are for an unloaded machine; a missed
    one is told, and does not change the exit status.
    """
    common.one_thread()
    from lawful.infra.bench.pipeline import Size, bench_pipeline, groups

    size = Size(events, rounds, partitions, workers, texts)
    with interruptible(), bar_of(sum(map(len, groups(size))) * rounds) as (progress, bar):
        found = bench_pipeline(
            size, broker_of(broker), lambda what, done: progress.update(bar, description=what, completed=done)
        )
    if json:
        put_json({"bench": "pipeline", **found})
        return 0
    head(found)
    columns = ("worker", "workers", "partitions", "events/s", "of copying", "CPU s per 1,000", "to copying")
    out.print(table(f"bursts of {found['events']} events, medians of {rounds}", columns, map(_row, found["arms"])))
    if found["presidio"]:
        alone = found["presidio"]
        put(
            f"default Presidio alone: {ranged(alone['events_per_second'])} events/s; one worker with extraction on: "
            f"{ranged(alone['times'])} times as many, {ranged(alone['times_by_cpu'])} by CPU"
        )
    if shared := found["cpu_of_the_same_work_at_once"]:
        put(f"{workers} processes at once take {shared} times the CPU for the same work, whatever they do")
    told(found["targets"])
    return 0


def _row(arm: dict[str, Any]) -> tuple[str, ...]:
    return (
        arm["arm"],
        str(arm["workers"]),
        str(arm["partitions"]),
        ranged(arm["events_per_second"]),
        ranged(arm.get("of_copying")),
        ranged(arm["cpu_s_per_1000"]),
        ranged(arm.get("cpu_to_copying")),
    )


def latency(
    rate: Annotated[float, typer.Option("--rate", min=1, help="Events a second of the fixed pace.")] = 50.0,
    seconds: Annotated[float, typer.Option("--seconds", min=0.5, help="Of each stretch.")] = 10.0,
    rounds: Rounds = 2,
    burst: Annotated[int, typer.Option("--burst", min=50, help="Events that show the capacity.")] = 1_000,
    partitions: Partitions = 4,
    broker: Broker = Engine.BEST,
    json: common.Json = False,
) -> int:
    """Milliseconds from an event's publication to its verdict, beside a Faust agent that only copies bytes.

    At a fixed pace and at half of what a worker can take. Targets are for an unloaded machine; a missed one is told,
    and does not change the exit status.
    """
    from lawful.infra.bench.latency import Size, bench_latency

    size = Size(rate, seconds, rounds, burst, partitions)
    with interruptible(), bar_of(rounds) as (progress, bar):
        found = bench_latency(
            size, broker_of(broker), lambda what, done: progress.update(bar, description=what, completed=done)
        )
    if json:
        put_json({"bench": "latency", **found})
        return 0
    head(found)
    rows = [
        (f"{name}, {pace['events_per_second']}/s", arm, *(ranged(times[each]) for each in ("p50", "p95", "p99")))
        for name, pace in found["paces"].items()
        for arm, times in pace["ms"].items()
    ]
    out.print(table(f"ms, medians of {rounds} rounds", ("pace", "worker", "p50", "p95", "p99"), rows))
    told(found["targets"])
    return 0


def head(found: dict[str, Any]) -> None:
    """On what it was measured."""
    machine, versions = found["machine"], found["versions"]
    put(f"{machine['processor']}, {machine['cores']} cores, load {machine['load']}, {versions['python']}")
    if "broker" in found:
        put(f"broker: {found['broker']}")


def told(targets: list[dict[str, Any]]) -> None:
    """What was promised, and what was found."""
    rows = [
        (
            each["name"],
            str(each.get("measured", "")),
            _wanted(each),
            "fine" if each["met"] else "missed",
        )
        for each in targets
    ]
    out.print(table("", ("target", "measured", "wanted", "met"), rows))


def _wanted(target: dict[str, Any]) -> str:
    words = {"at_most": "at most", "at_least": "at least"}
    return ", ".join(f"{word} {target[key]}" for key, word in words.items() if target.get(key) is not None)


def ranged(value: dict[str, Any] | None) -> str:
    """A median with its spread."""
    return "" if value is None else f"{value['median']:,} ({value['spread'][0]:,} to {value['spread'][1]:,})"

"""What measurements of speed say, as sections of the page of results."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from lawful.infra.evaluation.report.tables import ranged, table

Bench = Mapping[str, Any]


def cost_parts(documents: Sequence[dict[str, Any]]) -> Iterator[str]:
    """The sections, in the order of `SECTIONS`.

    Args:
        documents: what `lawful bench all --json` printed, or one of its benches by itself; of what was measured
            twice the later one counts.
    """
    found: dict[str, Bench] = {}
    for each in documents:
        found |= {each["bench"]: each} if "bench" in each else {name: each[name] for name in SECTIONS if name in each}
    if not found:
        return
    yield "## What it costs\n"
    yield (
        "Measured by `lawful bench`: medians, with the lowest and the highest round. What is compared ran in turns,\n"
        "so ratios mean more than figures. What bounds a missed target: [docs/performance.md](performance.md).\n"
    )
    yield from _targets(found)
    for name, section in SECTIONS.items():
        if name in found:
            yield from _told(name, found[name], section)


def _targets(found: Mapping[str, Bench]) -> Iterator[str]:
    rows = [
        (name, each["name"], str(each.get("measured", "")), _wanted(each), "met" if each["met"] else "**missed**")
        for name in SECTIONS
        for each in found.get(name, {}).get("targets", ())
    ]
    if rows:
        yield "### Targets\n"
        yield table(("bench", "what", "measured", "wanted", ""), rows)


def _wanted(target: Mapping[str, Any]) -> str:
    words = {"at_most": "at most", "at_least": "at least"}
    return ", ".join(f"{word} {target[key]:,}" for key, word in words.items() if target.get(key) is not None)


def _told(name: str, found: Bench, section: Callable[[Bench], Iterator[str]]) -> Iterator[str]:
    yield f"### `lawful bench {name}`\n"
    why = found.get("skipped") or found.get("failed")
    if why:
        yield f"Not measured: {why}\n"
        return
    machine, versions = found["machine"], found["versions"]
    on = [machine["processor"], f"{machine['cores']} cores", f"load {machine['load'][0]}" if machine["load"] else ""]
    yield ", ".join(each for each in (*on, versions["python"], found.get("broker", "")) if each) + ".\n"
    yield from section(found)


def _core(found: Bench) -> Iterator[str]:
    rows = [(name, f"{cost['median']:.2f}", f"{cost['p99']:.2f}") for name, cost in found["us_per_event"].items()]
    yield table((f"judge, {found['events']:,} events", "us per event", "p99"), rows)


def _extract(found: Bench) -> Iterator[str]:
    rows = [
        (
            name,
            f"{one['events']:,}",
            str(one["batch"]),
            str(one["ratio"]),
            str(one["ratio_cpu"]),
            str(one["ours_ms_per_event"]),
        )
        for name, one in found["speed"].items()
    ]
    yield table(("texts", "events", "at once", "times default Presidio", "by CPU", "our ms per event"), rows)
    held = found["accuracy"]["held_out"]
    read = [(name, f"{one['recall']:.3f}", f"{one['precision']:.3f}") for name, one in held.items() if name != "better"]
    yield table(("held-out texts", "recall", "precision"), read)


def _pipeline(found: Bench) -> Iterator[str]:
    columns = ("worker", "workers", "partitions", "events/s", "of copying", "CPU s per 1,000", "to copying")
    rows = [
        (
            arm["arm"],
            str(arm["workers"]),
            str(arm["partitions"]),
            *(ranged(arm.get(key)) for key in ("events_per_second", "of_copying", "cpu_s_per_1000", "cpu_to_copying")),
        )
        for arm in found["arms"]
    ]
    yield f"Bursts of {found['events']:,} events, {found['rounds']} rounds.\n"
    yield table(columns, rows)
    if shared := found.get("cpu_of_the_same_work_at_once"):
        several = max(arm["workers"] for arm in found["arms"])
        yield f"Here {several} processes at once take {shared} times the CPU for the same work, whatever they do.\n"
    presidio = found.get("presidio")
    if presidio:
        yield (
            f"Default Presidio, alone in one process, on {presidio['events']:,} of the same events: "
            f"{ranged(presidio['events_per_second'])} events/s; one worker with extraction on: "
            f"{ranged(presidio['times'])} times as many, {ranged(presidio['times_by_cpu'])} times by CPU.\n"
        )


def _latency(found: Bench) -> Iterator[str]:
    rows = [
        (f"{name}, {pace['events_per_second']}/s", arm, *(ranged(times[each]) for each in ("p50", "p95", "p99")))
        for name, pace in found["paces"].items()
        for arm, times in pace["ms"].items()
    ]
    yield table(("pace", "worker", "p50 ms", "p95 ms", "p99 ms"), rows)


def _audit(found: Bench) -> Iterator[str]:
    yield f"{found['rows']:,} rows, {found['rounds']} rounds.\n"
    rows = [
        ("rows/s", ranged(found["rows_per_second"])),
        ("rows per CPU second of the writer", ranged(found["rows_per_cpu_second_of_the_writer"])),
    ]
    yield table(("the writer", ""), rows)
    asked = [(name, ranged(ms)) for name, ms in found["queries"]["ms"].items()]
    yield table((f"officers' questions, {found['queries']['rows']:,} rows", "ms"), asked)


def _trace(found: Bench) -> Iterator[str]:
    names = {
        "trace_length_us": "events before",
        "trace_length_naive_us": "events before, a judge that reads the trace again",
        "subjects_us": "people",
    }
    for name, title in names.items():
        rows = [
            (f"{int(number):,}", f"{cost['median']:.2f}", f"{cost['p99']:.2f}") for number, cost in found[name].items()
        ]
        yield table((title, "us", "p99"), rows)


def _peers(found: Bench) -> Iterator[str]:
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
    yield table(("package", "version", "ms per event", "P1", "P2", "P3", "P4", "not measured"), rows)


SECTIONS: Final[Mapping[str, Callable[[Bench], Iterator[str]]]] = {
    "pipeline": _pipeline,
    "latency": _latency,
    "extract": _extract,
    "audit": _audit,
    "trace": _trace,
    "core": _core,
    "peers": _peers,
}

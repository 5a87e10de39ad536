"""All measurements, one after the other, each small enough that together they take minutes.

What cannot be measured here is reported with the reason, and the others still run.
"""

import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from lawful.infra.bench import audit_rows, core, extract, latency, peers, pipeline, trace
from lawful.infra.bench.machine import machine, versions
from lawful.schemas.errors import LawfulError

Progress = Callable[[str, float], None]
Bench = Callable[[Progress], dict[str, Any]]
BUDGET: Final = 540.0
"""Seconds after which nothing is begun, so that all is done in a quarter of an hour; what is left out is said to be."""


def benches(broker: str) -> dict[str, Bench]:
    """By name, in the order in which they run: what is cheap, then what needs engines."""
    cores = core.Size(people=4, events_each=100, rounds=5, trace=20_000, subjects=100_000)
    texts = extract.Size(texts=150, stream=1_024, rounds=3, samples=100, events=1_000)
    return {
        "core": lambda progress: core.bench_core(cores, lambda what: progress(what, 0)),
        "trace": lambda progress: trace.bench_trace(
            trace.Size((100, 1_000, 10_000), (1_000, 10_000, 100_000), 500, 5), progress
        ),
        "extract": lambda progress: extract.bench_extract(texts, lambda what: progress(what, 0)),
        "pipeline": lambda progress: pipeline.bench_pipeline(
            pipeline.Size(events=1_000, rounds=3, texts=100), broker, progress
        ),
        "latency": lambda progress: latency.bench_latency(
            latency.Size(seconds=5, rounds=3, burst=500), broker, progress
        ),
        "audit": lambda progress: audit_rows.bench_audit(
            audit_rows.Size(rows=20_000, millions=0.2, asks=5), broker, progress
        ),
        "peers": lambda progress: peers.bench_peers(peers.Size(events=200, rounds=3, minutes=1.5, whole=2), progress),
    }


def bench_all(
    todo: Mapping[str, Bench], progress: Progress, seconds: float = BUDGET, clock: Callable[[], float] = time.monotonic
) -> dict[str, Any]:
    """Runs them.

    Args:
        todo: by name.
        progress: told what is done, and how many are done.
        seconds: after which none is begun any more.
        clock: seconds.
    """
    begun, found, took = clock(), dict[str, Any](), dict[str, float]()
    for number, (name, bench) in enumerate(todo.items()):
        since = clock()
        if since - begun > seconds:
            found[name] = {"skipped": f"{seconds:.0f} s were over; run `lawful bench {name}`"}
            continue
        try:
            found[name] = bench(_named(name, number, progress))
        except (LawfulError, OSError) as error:
            found[name] = {"failed": f"{type(error).__name__}: {error}"}
        took[name] = round(clock() - since, 1)
    return {
        "machine": machine(),
        "versions": versions(),
        "seconds": {"all": round(clock() - begun, 1), **took},
        **found,
        "targets": [{"bench": name, **each} for name, one in found.items() for each in one.get("targets", [])],
    }


def _named(name: str, number: int, progress: Progress) -> Progress:
    """Progress of one, told as part of all."""
    return lambda what, _: progress(f"{name}: {what}", number)

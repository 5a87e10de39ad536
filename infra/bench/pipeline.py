"""Events a second and CPU of whole workers, beside an agent that only copies bytes, on one broker in one run.

All arms of a group are there at once and take turns with bursts of events, so that a busy moment of the machine
hits all of them.
"""

import statistics
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from lawful.infra.bench.beside import Beside
from lawful.infra.bench.machine import at_once, machine, versions
from lawful.infra.bench.running import COPY, OFF, ON, Arm, Burst, Running, running
from lawful.infra.chaos.suite import engines
from lawful.infra.engines.clickhouse import EmbeddedClickHouse
from lawful.infra.engines.traits import Broker

Progress = Callable[[str, float], None]
_LEAST_OF_COPY: Final = 0.5
_SAME: Final = 0.1
_MIN_WARM: Final = 200
_TIMES_PRESIDIO: Final = 10.0


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured.

    Attributes:
        events: of each burst.
        rounds: bursts of each arm.
        partitions: of the topics; one worker is also measured with 1 and with twice as many.
        workers: this many against one, beside the copying agent and beside one; 1: neither.
        texts: events that default Presidio reads in each round; 0: none.
    """

    events: int = 3_000
    rounds: int = 3
    partitions: int = 4
    workers: int = 2
    texts: int = 200


def bench_pipeline(size: Size, broker: str, progress: Progress) -> dict[str, Any]:
    """Starts engines and workers, and measures.

    Args:
        size: how much.
        broker: `embedded` or `kafka`.
        progress: told what is done, and how many bursts of all.
    """
    with ExitStack() as last:
        folder = Path(
            last.enter_context(tempfile.TemporaryDirectory(prefix="lawful-bench-", ignore_cleanup_errors=True))
        )
        progress("what the machine's cores cost each other", 0)
        shared = at_once(size.workers) if size.workers > 1 else None
        beside = Beside(size.texts) if size.texts else None
        kafka, clickhouse = last.enter_context(engines(broker))
        bursts = measured(size, kafka, clickhouse, folder, progress, beside)
    found = document(size, kafka.traits.name, bursts, beside.bursts if beside else ())
    return {**found, "cpu_of_the_same_work_at_once": shared}


def groups(size: Size) -> list[list[Arm]]:
    """The arms that are measured side by side."""
    several = [Arm(name, size.workers, size.partitions) for name in (COPY, OFF, ON)]
    spread = [Arm(OFF, 1, number) for number in dict.fromkeys((1, size.partitions, 2 * size.partitions))]
    if size.workers > 1:
        spread.append(Arm(OFF, size.workers, size.partitions))
    found = [[Arm(name, 1, size.partitions) for name in (COPY, OFF, ON)], several if size.workers > 1 else [], spread]
    return [group for group in found if group]


def measured(  # noqa: PLR0913, PLR0917 - where and how much
    size: Size,
    broker: Broker,
    clickhouse: EmbeddedClickHouse,
    folder: Path,
    progress: Progress,
    beside: Beside | None = None,
) -> list[dict[Arm, list[Burst]]]:
    """Every burst, by group and arm; in the first group default Presidio takes its turns, too."""
    found: list[dict[Arm, list[Burst]]] = []
    done = 0
    for number, group in enumerate(groups(size)):
        progress(f"starting {len(group)} installations", done)
        with running(group, broker, clickhouse, folder / str(number)) as installed:
            bursts: dict[Arm, list[Burst]] = {arm: [] for arm in group}
            _warm(installed, size.events)
            for _ in range(size.rounds):
                for one in installed:
                    arm = one.arm
                    progress(f"{arm.name}, {arm.workers} workers, {arm.partitions} partitions", done)
                    bursts[arm].append(one.burst(one.records(size.events)))
                    done += 1
                if beside is not None and not number:
                    progress("default Presidio", done)
                    beside.read()
        found.append(bursts)
    return found


def _warm(installed: Sequence[Running], events: int) -> None:
    for one in installed:
        one.burst(one.records(max(_MIN_WARM, events // 5)))


def document(
    size: Size, broker: str, bursts: Sequence[dict[Arm, list[Burst]]], alone: Sequence[Burst] = ()
) -> dict[str, Any]:
    """The figures, their ratios round by round, and what was promised."""
    rows = [_row(arm, group, found) for group in bursts for arm, found in group.items()]
    presidio = _presidio(bursts[0][Arm(ON, 1, size.partitions)], alone) if alone else None
    return {
        "machine": machine(),
        "versions": versions(),
        "broker": broker,
        "events": size.events,
        "rounds": size.rounds,
        "arms": rows,
        "presidio": presidio,
        "targets": [*_targets(rows, bursts[-1]), *_times(presidio)],
    }


def _presidio(ours: Sequence[Burst], theirs: Sequence[Burst]) -> dict[str, Any]:
    """Default Presidio by itself, and one whole worker with extraction on against it, round by round."""
    both = list(zip(ours, theirs, strict=True))
    return {
        "events": sum(burst.events for burst in theirs),
        "events_per_second": spread([burst.rate for burst in theirs]),
        "cpu_s_per_1000": spread([burst.cpu_per_thousand for burst in theirs], 3),
        "times": spread([mine.rate / its.rate for mine, its in both], 2),
        "times_by_cpu": spread([its.cpu_per_thousand / max(mine.cpu_per_thousand, 1e-9) for mine, its in both], 2),
    }


def _times(presidio: dict[str, Any] | None) -> list[dict[str, Any]]:
    if presidio is None:
        return []
    name = "extraction on, one worker: times default Presidio's events/s"
    return [target(name, presidio["times"]["median"], at_least=_TIMES_PRESIDIO)]


def _row(arm: Arm, group: dict[Arm, list[Burst]], found: list[Burst]) -> dict[str, Any]:
    row: dict[str, Any] = {
        "arm": arm.name,
        "workers": arm.workers,
        "partitions": arm.partitions,
        "events_per_second": spread([burst.rate for burst in found]),
        "cpu_s_per_1000": spread([burst.cpu_per_thousand for burst in found], 3),
    }
    copying = group.get(Arm(COPY, arm.workers, arm.partitions))
    if copying is not None and arm.name != COPY:
        row["of_copying"] = spread([mine.rate / its.rate for mine, its in zip(found, copying, strict=True)], 3)
        row["cpu_to_copying"] = spread(
            [mine.cpu_per_thousand / max(its.cpu_per_thousand, 1e-9) for mine, its in zip(found, copying, strict=True)],
            2,
        )
    return row


def spread(values: Sequence[float], digits: int = 1) -> dict[str, Any]:
    """The median, the lowest and the highest."""
    return {
        "median": round(statistics.median(values), digits),
        "spread": [round(min(values), digits), round(max(values), digits)],
    }


def _targets(rows: Sequence[dict[str, Any]], side_by_side: dict[Arm, list[Burst]]) -> list[dict[str, Any]]:
    off = [row for row in rows if row["arm"] == OFF and "of_copying" in row]
    found = [
        target(
            f"extraction off, {row['workers']} workers: events/s of the copying agent's",
            row["of_copying"]["median"],
            at_least=_LEAST_OF_COPY,
        )
        for row in off
    ]
    cpu = {arm: statistics.median(burst.cpu_per_thousand for burst in bursts) for arm, bursts in side_by_side.items()}
    alone = {arm.partitions: value for arm, value in cpu.items() if arm.workers == 1}
    found.append(_constant("CPU per event over partitions: most to least", list(alone.values())))
    found += [
        _constant("CPU per event over workers: most to least", [alone[arm.partitions], value])
        for arm, value in cpu.items()
        if arm.workers > 1
    ]
    return found


def _constant(name: str, cpu: Sequence[float]) -> dict[str, Any]:
    return target(name, max(cpu) / max(min(cpu), 1e-9), at_most=1 + _SAME)


def target(name: str, measured: float, at_least: float | None = None, at_most: float | None = None) -> dict[str, Any]:
    """A figure that was promised, and whether it was kept."""
    met = (at_least is None or measured >= at_least) and (at_most is None or measured <= at_most)
    return {"name": name, "measured": round(measured, 3), "at_least": at_least, "at_most": at_most, "met": met}

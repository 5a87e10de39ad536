"""From an event's publication to its verdict, as a guard sees it, beside an agent that only copies bytes.

Both are measured at the same paces, one stretch after the other: at a fixed pace, and at half of what our worker can
take, which is found with a burst first.
"""

import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from confluent_kafka import TopicPartition

from lawful.infra.bench.machine import machine, versions
from lawful.infra.bench.pipeline import spread, target
from lawful.infra.bench.running import COPY, OFF, ON, Arm, Record, Running, running
from lawful.infra.chaos.suite import engines
from lawful.schemas.errors import MustStop

Progress = Callable[[str, float], None]
ARMS: Final = (COPY, OFF, ON)
_MOST_TIMES: Final = 3.0
_PATIENCE: Final = 60.0
_WARM: Final = 200


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured.

    Attributes:
        rate: events a second of the fixed pace.
        seconds: of each stretch.
        rounds: stretches of each arm at each pace.
        burst: events that show the capacity.
        partitions: of the topics.
    """

    rate: float = 50.0
    seconds: float = 10.0
    rounds: int = 2
    burst: int = 1_000
    partitions: int = 4


def bench_latency(size: Size, broker: str, progress: Progress) -> dict[str, Any]:
    """Starts engines and workers, and measures.

    Args:
        size: how much.
        broker: `embedded` or `kafka`.
        progress: told what is done, and how many stretches of all.
    """
    with ExitStack() as last:
        folder = Path(
            last.enter_context(tempfile.TemporaryDirectory(prefix="lawful-bench-", ignore_cleanup_errors=True))
        )
        kafka, clickhouse = last.enter_context(engines(broker))
        progress("starting", 0)
        arms = [Arm(name, 1, size.partitions) for name in ARMS]
        installed = last.enter_context(running(arms, kafka, clickhouse, folder))
        paces = _paces(size, installed, progress)
        found = {name: _stretches(size, installed, rate, progress) for name, rate in paces.items()}
    return {
        "machine": machine(),
        "versions": versions(),
        "broker": kafka.traits.name,
        "rounds": size.rounds,
        "paces": {name: {"events_per_second": round(rate, 1), "ms": found[name]} for name, rate in paces.items()},
        "targets": _targets(found["fixed"]),
    }


def _paces(size: Size, installed: Sequence[Running], progress: Progress) -> dict[str, float]:
    progress("finding the capacity", 0)
    capacities = {}
    for one in installed:
        one.burst(one.records(min(_WARM, size.burst)))
        capacities[one.arm.name] = one.burst(one.records(size.burst)).rate
    return {"fixed": size.rate, "half of capacity": max(1.0, capacities[ON] / 2)}


def _stretches(size: Size, installed: Sequence[Running], rate: float, progress: Progress) -> dict[str, Any]:
    rounds: dict[str, list[list[float]]] = {one.arm.name: [] for one in installed}
    for number in range(size.rounds):
        for one in installed:
            progress(f"{one.arm.name} at {rate:.0f}/s", number)
            rounds[one.arm.name].append(stretch(one, one.records(max(1, round(rate * size.seconds))), rate))
    return {name: percentiles(found) for name, found in rounds.items()}


def stretch(one: Running, records: Sequence[Record], rate: float) -> list[float]:
    """Publishes at a pace; gives each event's milliseconds until its answer was there.

    Raises:
        MustStop: some answers do not come.
    """
    whose = {record.value: record.event_id for record in records}
    _from_now_on(one)
    sent: dict[str, float] = {}
    found: dict[str, float] = {}
    begun = time.perf_counter()
    while len(found) < len(records):
        now = time.perf_counter()
        while len(sent) < len(records) and now >= begun + len(sent) / rate:
            record = records[len(sent)]
            sent[record.event_id] = time.perf_counter()
            one.publish(record)
        one.producer.poll(0)
        for message in one.answers.consume(100, 0.001):
            event_id = whose.get(message.value() or b"") or (message.key() or b"").decode("utf-8", "replace")
            if event_id in sent:
                found.setdefault(event_id, (time.perf_counter() - sent[event_id]) * 1_000)
        if now > begun + len(records) / rate + _PATIENCE:
            raise MustStop(f"{one.arm.name}: {len(records) - len(found)} answers did not come\n{one.place.tail()}")
    one.answers.unassign()
    return sorted(found.values())


def _from_now_on(one: Running) -> None:
    ends = [one.answers.get_watermark_offsets(each, timeout=30)[1] for each in one.partitions()]
    places = zip(one.partitions(), ends, strict=True)
    one.answers.assign([TopicPartition(each.topic, each.partition, end) for each, end in places])


def percentiles(rounds: Sequence[Sequence[float]]) -> dict[str, Any]:
    """Of each round's sorted times, the medians of the rounds."""
    return {
        name: spread([times[min(len(times) - 1, int(len(times) * share))] for times in rounds])
        for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99))
    } | {"mean": round(statistics.fmean(each for times in rounds for each in times), 1)}


def _targets(fixed: dict[str, Any]) -> list[dict[str, Any]]:
    copying = max(fixed[COPY]["p99"]["median"], 0.1)
    return [
        target(f"p99, {name}, to the copying agent's", fixed[name]["p99"]["median"] / copying, at_most=_MOST_TIMES)
        for name in (OFF, ON)
    ]

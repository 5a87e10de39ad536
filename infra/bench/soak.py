"""Whether an installation keeps its memory under load that does not end, and under more than it can take.

First as much as it can take, so that whatever is bounded (caches of blocks, texts and histories) fills, and to know
its capacity; then half of that for as long as wanted, with the memory of every process looked at each second; then a
heap of events at once, larger than anything it could hold.
"""

import csv
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lawful.infra.bench.machine import machine, versions
from lawful.infra.bench.processes import each_resident, resident
from lawful.infra.chaos.crowd import Crowd
from lawful.infra.chaos.flow import Flow
from lawful.infra.chaos.place import AUDIT, Place
from lawful.infra.chaos.suite import engines

_KEY = "the key of a benchmark, not a secret"
_MOST_EVENTS = 10**9
_FLAT = 1.1
_FAMILY = 4
Progress = Callable[[str, float], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to measure.

    Attributes:
        broker: `embedded` or `kafka`.
        workers: worker processes; as many partitions.
        people: how many people the events are about.
        seconds: of the load at half of capacity.
        warm_seconds: of all it can take, before anything is measured.
        capacity_seconds: of the load that shows the capacity.
        flood: events that are published at once in the end.
        flood_bytes: these are padded to at least so many bytes.
        samples: a CSV file for every sample of memory, if wanted.
    """

    broker: str
    workers: int = 2
    people: int = 100_000
    seconds: float = 1_800.0
    warm_seconds: float = 300.0
    capacity_seconds: float = 60.0
    flood: int = 50_000
    flood_bytes: int = 0
    samples: Path | None = None


@dataclass
class Samples:
    """Megabytes by process and second."""

    rows: list[tuple[float, str, float]] = field(default_factory=list)

    def take(self, at: float, found: dict[str, float]) -> None:
        """Notes what every process holds."""
        self.rows += [(at, name, megabytes) for name, megabytes in found.items()]

    def latest(self) -> dict[str, float]:
        """The last sample of every process."""
        return {name: megabytes for _, name, megabytes in self.rows}

    def by_process(self, begin: float, end: float) -> dict[str, list[float]]:
        """The samples of a stretch of time."""
        found: dict[str, list[float]] = defaultdict(list)
        for at, name, megabytes in self.rows:
            if begin <= at < end:
                found[name].append(megabytes)
        return found

    def save(self, path: Path) -> None:
        """Writes all of it."""
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(("second", "process", "resident_mb"))
            writer.writerows((round(at, 1), name, round(megabytes, 1)) for at, name, megabytes in self.rows)


def bench_soak(plan: Plan, progress: Progress) -> dict[str, Any]:
    """Measures all three.

    Args:
        plan: what to measure.
        progress: told what is done, and for how many seconds.
    """
    with ExitStack() as last:
        folder = Path(last.enter_context(tempfile.TemporaryDirectory(prefix="lawful-soak-")))
        broker, clickhouse = last.enter_context(engines(plan.broker))
        place = last.enter_context(Place(broker, clickhouse, folder, _KEY, plan.workers))
        names = [f"worker-{number + 1}" for number in range(plan.workers)]
        progress("starting", 0)
        place.start(*names, AUDIT)
        flow = Flow(place, Crowd(1, people=plan.people, family=_FAMILY).events(_MOST_EVENTS), _MOST_EVENTS)
        flow.counts_audit = False
        last.callback(flow.close)
        run = _Run(place, flow, plan, progress, {"broker": broker.child.pid, "clickhouse": clickhouse.child.pid})
        found = run.all()
    if plan.samples:
        run.samples.save(plan.samples)
    return {"machine": machine(), "versions": versions(), "broker": plan.broker, "workers": plan.workers, **found}


@dataclass
class _Run:
    place: Place
    flow: Flow
    plan: Plan
    progress: Progress
    engines: dict[str, int | None]
    samples: Samples = field(default_factory=Samples)
    began: float = field(default_factory=time.monotonic)

    def all(self) -> dict[str, Any]:
        self._stretch("warming up", self.plan.warm_seconds)
        capacity = self._rate(self._stretch("finding the capacity", self.plan.capacity_seconds))
        self.flow.pace.hold(capacity / 2, len(self.flow.sent))
        soaked = self._stretch("at half of capacity", self.plan.seconds)
        soak = {"events_per_second": round(self._rate(soaked), 1), "resident_mb": self._tenths(soaked)}
        return {
            "capacity_events_per_second": round(capacity, 1),
            "soak": {"seconds": round(self.plan.seconds), **soak},
            "flood": self._flood(),
        }

    def _stretch(self, what: str, seconds: float) -> tuple[float, float, int, int]:
        """Goes on for so long; gives when it began and ended, and how many were answered then."""
        began, before = self._now(), len(self.flow.answered)
        while (now := self._now()) < began + seconds:
            self.flow.run_for(min(1.0, began + seconds - now))
            self._look()
            self.progress(what, self._now() - began)
        return began, self._now(), before, len(self.flow.answered)

    @staticmethod
    def _rate(stretch: tuple[float, float, int, int]) -> float:
        began, ended, before, after = stretch
        return (after - before) / (ended - began)

    def _now(self) -> float:
        return time.monotonic() - self.began

    def _look(self) -> None:
        found = each_resident(self.place.processes) | {name: resident(pid) for name, pid in self.engines.items()}
        self.samples.take(self._now(), found)

    def _tenths(self, stretch: tuple[float, float, int, int]) -> dict[str, dict[str, Any]]:
        """Means of the first, a middle and the last tenth, by process."""
        began, ended, *_ = stretch
        tenth = (ended - began) / 10
        begins = {"first": began, "middle": began + 4.5 * tenth, "last": ended - tenth}
        parts = {name: self.samples.by_process(begin, begin + tenth) for name, begin in begins.items()}
        means = {
            process: {name: round(statistics.fmean(part[process]), 1) for name, part in parts.items() if part[process]}
            for process in parts["first"]
        }
        return {process: {**mean, "flat": _is_flat(list(mean.values()))} for process, mean in means.items()}

    def _flood(self) -> dict[str, Any]:
        """Many events at once, with nobody waiting for answers before the next one."""
        flow = self.flow
        flow.pace.rate, flow.pace.window = 0.0, 0
        flow.until(lambda: len(flow.answered) >= len(flow.sent), "all verdicts")
        self._look()
        before = self.samples.latest()
        flow.padding = self.plan.flood_bytes
        began, goal, flow.pace.window = self._now(), len(flow.sent) + self.plan.flood, self.plan.flood
        while len(flow.answered) < goal:
            flow.run_for(1.0)
            flow.pace.window = 0  # they were published at once
            self._look()
            self.progress("flooded", self._now() - began)
        peaks = {name: max(found) for name, found in self.samples.by_process(began, self._now() + 1).items()}
        return {
            "events": self.plan.flood,
            "seconds": round(self._now() - began, 1),
            "resident_mb": {name: {"before": round(before[name], 1), "peak": round(peaks[name], 1)} for name in peaks},
        }


def _is_flat(means: Sequence[float]) -> bool:
    """Whether the last mean is no more than a tenth above the first."""
    return bool(means) and means[-1] <= means[0] * _FLAT

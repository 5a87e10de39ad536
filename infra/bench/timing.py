"""Timing single calls of microseconds, several rounds, so that the spread shows what the median hides."""

import gc
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter_ns
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Cost:
    """Microseconds per call.

    Attributes:
        median: of the rounds' medians.
        p99: of the rounds' 99th percentiles, the median.
        spread: the lowest and highest median of a round.
        calls: in one round.
    """

    median: float
    p99: float
    spread: tuple[float, float]
    calls: int


@contextmanager
def quiet() -> Iterator[None]:
    """No collection of garbage while measuring; what is there already is not looked at again."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.unfreeze()


def measure(tasks: Mapping[str, Callable[[T], object]], inputs: Sequence[T], rounds: int) -> dict[str, Cost]:
    """Time each task on each input.

    The tasks take turns within a round, so that a busy moment of the machine hits all of them.
    """
    found: dict[str, list[list[int]]] = {name: [] for name in tasks}
    with quiet():
        overhead = statistics.median(_time(lambda _: None, inputs))
        for _ in range(rounds):
            for name, task in tasks.items():
                found[name].append(sorted(_time(task, inputs)))
    return {name: _cost(times, overhead) for name, times in found.items()}


def _time(task: Callable[[T], object], inputs: Sequence[T]) -> list[int]:
    times = []
    for each in inputs:
        begin = perf_counter_ns()
        task(each)
        times.append(perf_counter_ns() - begin)
    return times


def _cost(rounds: list[list[int]], overhead: float) -> Cost:
    medians = sorted(_micros(times[len(times) // 2], overhead) for times in rounds)
    tails = sorted(_micros(times[min(len(times) - 1, len(times) * 99 // 100)], overhead) for times in rounds)
    return Cost(medians[len(medians) // 2], tails[len(tails) // 2], (medians[0], medians[-1]), len(rounds[0]))


def _micros(nanoseconds: float, overhead: float) -> float:
    return round(max(nanoseconds - overhead, 0) / 1_000, 3)

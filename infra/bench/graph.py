"""What knowing the critical agents costs: per message, per round, in memory."""

import resource
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from time import perf_counter, process_time
from typing import Any

import rustworkx

from lawful.infra.bench.machine import machine, versions
from lawful.infra.centrality.measure import Measure, critical
from lawful.infra.centrality.talk import Talk
from lawful.infra.centrality.watch import CriticalAgents, Rounds

Progress = Callable[[int], None]
Message = tuple[str, str, str]
_STEP = 1_000


@dataclass(frozen=True, slots=True)
class Size:
    """How much is said by how many.

    Attributes:
        every: messages in a round.
    """

    agents: int = 10_000
    messages: int = 100_000
    every: int = 10_000
    pivots: int = 64
    seed: int = 1


def bench_graph(size: Size, progress: Progress = lambda _: None) -> dict[str, Any]:
    """Takes messages along the edges of a scale-free graph in, one tenant's, round after round.

    Each round's computation is timed by itself, and the messages without them.
    """
    said = messages(size)
    rounds: list[float] = []
    watch = CriticalAgents(Measure(pivots=size.pivots), Rounds(window=size.messages, every=size.every), _timed(rounds))
    began, busy = perf_counter(), process_time()
    for number, (event_id, sender, receiver) in enumerate(said):
        agents = (sender, receiver)
        watch.heavy("bench", agents)
        watch.said("bench", event_id, agents)
        if not number % _STEP:
            progress(number)
    cpu = process_time() - busy - sum(rounds)
    wall = perf_counter() - began
    return {
        "machine": machine(),
        "versions": versions(),
        "size": {"agents": size.agents, "messages": size.messages, "every": size.every, "pivots": size.pivots},
        "messages_per_cpu_second": round(size.messages / cpu),
        "messages_per_second_with_rounds": round(size.messages / wall),
        "rounds": len(rounds),
        "cpu_seconds_per_round": {"last": round(rounds[-1], 3), "most": round(max(rounds), 3)} if rounds else None,
        "cpu_us_per_message_with_rounds": round((cpu + sum(rounds)) / size.messages * 1e6, 1),
        "memory_mb": _memory(said, size),
        "agreement_with_exact": _agreement(size),
    }


def messages(size: Size) -> list[Message]:
    """Who says something to whom, at random along a scale-free graph."""
    chance = Random(size.seed)  # noqa: S311 - made-up traffic
    edges = list(rustworkx.barabasi_albert_graph(size.agents, 3, seed=size.seed).edge_list())
    drawn = (chance.choice(edges) for _ in range(size.messages))
    return [(f"event-{number}", f"agent-{pair[0]}", f"agent-{pair[1]}") for number, pair in enumerate(drawn)]


def _timed(rounds: list[float]) -> Callable[[Callable[[], None]], None]:
    def run(work: Callable[[], None]) -> None:
        began = process_time()
        work()
        rounds.append(process_time() - began)

    return run


def _memory(said: list[Message], size: Size) -> dict[str, float]:
    """Megabytes that the window takes, and that a round takes on top, of Python's and numpy's."""
    tracemalloc.start()
    talk = Talk(size.messages)
    for event_id, sender, receiver in said:
        talk.say(event_id, (sender, receiver), None)
    window = tracemalloc.get_traced_memory()[0]
    tracemalloc.reset_peak()
    names, edges = talk.graph()
    critical(names, edges, Measure(pivots=min(8, size.pivots)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    whole = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024
    return {
        "window": round(window / 1e6, 3),
        "round": round((peak - window) / 1e6, 3),
        "process_peak": round(whole, 1),
    }


def _agreement(size: Size) -> dict[str, float]:
    """On a graph of 1,000 agents: the share of the exactly critical that sampling finds, too."""
    agents = min(size.agents, 1_000)
    graph = rustworkx.barabasi_albert_graph(agents, 3, seed=size.seed)
    edges = sorted({(min(pair), max(pair)) for pair in graph.edge_list()})
    names = [f"agent-{number:05}" for number in range(agents)]
    began = process_time()
    exact = critical(names, edges, Measure(exact=agents))
    between = process_time()
    guess = critical(names, edges, Measure(exact=0, pivots=size.pivots, seed=size.seed))
    return {
        "agents": agents,
        "share": round(len(exact & guess) / len(exact), 3),
        "exact_cpu_seconds": round(between - began, 3),
        "sampled_cpu_seconds": round(process_time() - between, 3),
    }

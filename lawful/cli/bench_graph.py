"""`lawful bench graph`: what it costs to know which agents are critical."""

from typing import TYPE_CHECKING, Annotated

import typer

from lawful.cli import common
from lawful.cli.bench_running import bar_of
from lawful.cli.console import out, put, put_json, table

if TYPE_CHECKING:
    from lawful.infra.bench.graph import Size


def graph(
    agents: Annotated[int, typer.Option("--agents", min=5, help="How many talk to each other.")] = 10_000,
    messages: Annotated[int, typer.Option("--messages", min=10, help="That they say, and that are looked back at.")] = (
        100_000
    ),
    every: Annotated[int, typer.Option("--every", min=10, help="Messages in a round.")] = 10_000,
    pivots: Annotated[int, typer.Option("--pivots", min=1, help="Agents that shortest paths are counted from.")] = 64,
    seed: Annotated[int, typer.Option("--seed", help="Other messages.")] = 1,
    beside: Annotated[
        bool, typer.Option("--beside", help="Beside a worker's stages at half of what they can take, in one process.")
    ] = False,
    json: common.Json = False,
) -> int:
    """Messages per second of the communication graph, seconds of each round, and memory.

    Paths are counted exactly up to 1,000 agents, from a sample of them beyond.
    """
    from lawful.infra.bench.graph import Size, bench_graph

    size = Size(agents, messages, min(every, messages), pivots, seed)
    if beside:
        return _beside(size, as_json=json)
    with bar_of(messages) as (progress, bar):
        found = bench_graph(size, lambda done: progress.update(bar, completed=done))
    if json:
        put_json(found)
        return 0
    put(f"{found['machine']['processor']}, load {found['machine']['load']}, {found['versions']['python']}")
    rows = [
        ("messages per CPU second", f"{found['messages_per_cpu_second']:,}"),
        ("messages per second, rounds included", f"{found['messages_per_second_with_rounds']:,}"),
        ("CPU microseconds a message, rounds included", found["cpu_us_per_message_with_rounds"]),
        (
            "CPU seconds of the last round, and the longest",
            " / ".join(map(str, found["cpu_seconds_per_round"].values())),
        ),
        ("MB of the window, of a round on top", f"{found['memory_mb']['window']}, {found['memory_mb']['round']}"),
        ("MB of the process at most", found["memory_mb"]["process_peak"]),
        ("of 1,000 agents' critical ones, found by sampling", found["agreement_with_exact"]["share"]),
    ]
    out.print(table(f"{agents:,} agents, {messages:,} messages", ("what", "measured"), rows))
    return 0


def _beside(size: "Size", *, as_json: bool) -> int:
    from lawful.infra.bench.graph_beside import bench_beside
    from lawful.policies.load import load_pack

    common.one_thread()
    policy = load_pack(common.DEFAULT_POLICY)
    with bar_of(size.messages) as (progress, bar):
        found = bench_beside(size, policy, lambda done: progress.update(bar, completed=done))
    if as_json:
        put_json(found)
        return 0
    put(f"{found['machine']['processor']}, load {found['machine']['load']}, {found['versions']['python']}")
    lag, rounds, memory = found["lag_ms"], found["rounds"], found["memory_mb"]
    rows = [
        ("events/s that the stages can take", f"{found['capacity_events_per_second']:,}"),
        ("events/s sent, and held", f"{found['pace_events_per_second']:,}, {found['held_events_per_second']:,}"),
        ("ms behind: median, 99 of 100, at the end", f"{lag['median']}, {lag['p99']}, {lag['end']}"),
        (
            "CPU microseconds an event: stages, with the graph",
            " / ".join(map(str, found["cpu_us_per_event"].values())),
        ),
        ("of a core, at half of the stages' capacity", found["core_used_at_half_of_capacity"]),
        ("rounds due, and ended", f"{rounds['due']}, {rounds['ended']}"),
        (
            "seconds of the last round, and the longest",
            " / ".join(map(str, (found["seconds_per_round"] or {}).values())),
        ),
        ("MB of the process before, and at most", f"{memory['before']}, {memory['at_most']}"),
        ("keeps up", "yes" if found["keeps_up"] else "no"),
    ]
    title = f"{size.agents:,} agents, {size.messages:,} messages, beside a worker's stages"
    out.print(table(title, ("what", "measured"), rows))
    return 0

"""The bench of the communication graph, in a small size."""

from lawful.infra.bench.graph import Size, bench_graph
from lawful.infra.bench.graph_beside import bench_beside
from tests.policies.samples import policy


def test_every_message_is_taken_in_and_every_round_is_timed() -> None:
    """Two rounds of 100 messages among 40 agents; figures are there, whatever they are."""
    done: list[int] = []
    found = bench_graph(Size(agents=40, messages=200, every=100, pivots=8), done.append)
    assert (found["rounds"], done) == (2, [0])
    assert found["messages_per_cpu_second"] > 0
    assert found["memory_mb"]["window"] > 0
    assert found["agreement_with_exact"]["agents"] == 40


def test_beside_a_workers_stages_every_message_is_judged_and_every_round_ends() -> None:
    """At half the pace that the stages were found to take; what is told of time and memory is there."""
    found = bench_beside(Size(agents=40, messages=200, every=100, pivots=8), policy())
    assert found["rounds"] == {"due": 2, "ended": 2}
    assert 0 < found["pace_events_per_second"] <= found["capacity_events_per_second"]
    assert found["memory_mb"]["at_most"] >= found["memory_mb"]["before"] > 0

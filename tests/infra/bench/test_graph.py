"""The bench of the communication graph, in a small size."""

from lawful.infra.bench.graph import Size, bench_graph


def test_every_message_is_taken_in_and_every_round_is_timed() -> None:
    """Two rounds of 100 messages among 40 agents; figures are there, whatever they are."""
    done: list[int] = []
    found = bench_graph(Size(agents=40, messages=200, every=100, pivots=8), done.append)
    assert (found["rounds"], done) == (2, [0])
    assert found["messages_per_cpu_second"] > 0
    assert found["memory_mb"]["window"] > 0
    assert found["agreement_with_exact"]["agents"] == 40

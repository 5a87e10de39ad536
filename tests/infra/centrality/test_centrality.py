"""Who is critical: those in the middle of the graph of what was said before."""

import pytest
import rustworkx

from lawful.infra.centrality.measure import Measure, critical, scores
from lawful.infra.centrality.sampled import sampled
from lawful.infra.centrality.talk import Talk
from lawful.infra.centrality.watch import CriticalAgents, Rounds

STAR = [(0, each) for each in range(1, 10)]
CHAIN = [(each, each + 1) for each in range(9)]


def named(count: int) -> list[str]:
    """Names of agents, sorted."""
    return [f"agent-{number:03}" for number in range(count)]


def test_the_middle_of_a_star_and_of_a_chain_is_critical() -> None:
    """The hub stands first; of a chain the inner agents do, and its ends never."""
    assert int(scores(10, STAR, Measure()).argmax()) == 0
    inner = critical(named(10), CHAIN, Measure(share=0.3))
    assert inner == {"agent-004", "agent-005", "agent-003"}


def test_the_share_is_rounded_up_and_equal_agents_go_by_name() -> None:
    """On a circle all are equal; a third of ten is four."""
    circle = [*CHAIN, (0, 9)]
    assert critical(named(10), circle, Measure(share=0.33)) == set(named(4))


def test_weights_decide_what_counts() -> None:
    """A bridge between two crowds has few neighbours and all of the ways."""
    left = [(one, other) for one in range(5) for other in range(one + 1, 5)]
    right = [(one + 6, other + 6) for one, other in left]
    edges = [*left, *right, (4, 5), (5, 6)]
    assert int(scores(11, edges, Measure(weights=(0, 1, 0))).argmax()) == 5
    assert int(scores(11, edges, Measure(weights=(1, 0, 0))).argmax()) in {4, 6}


@pytest.mark.parametrize("agents", [3, 30])
def test_with_every_agent_a_pivot_sampling_is_exact(agents: int) -> None:
    """The same numbers as rustworkx's, also where the graph falls into two parts."""
    graph = rustworkx.undirected_gnp_random_graph(agents, 0.1, seed=3)
    edges = sorted((min(pair), max(pair)) for pair in graph.edge_list())
    between, close = sampled(agents, edges, agents, 1)
    told = rustworkx.graph_betweenness_centrality(graph, normalized=True)
    near = rustworkx.graph_closeness_centrality(graph, wf_improved=True)
    assert list(between) == pytest.approx([told[each] for each in range(agents)])
    assert list(close) == pytest.approx([near[each] for each in range(agents)])


def test_sampling_finds_most_of_those_who_are_critical() -> None:
    """On a scale-free graph of 400, with 64 pivots; the same seed finds the same ones."""
    graph = rustworkx.barabasi_albert_graph(400, 3, seed=5)
    edges = sorted((min(pair), max(pair)) for pair in graph.edge_list())
    exact, guess = (critical(named(400), edges, Measure(exact=most)) for most in (400, 0))
    assert len(exact & guess) > 0.8 * len(exact)
    assert guess == critical(named(400), edges, Measure(exact=0))


def test_what_left_the_window_is_forgotten() -> None:
    """Edges and agents; so memory is bounded."""
    talk = Talk(window=2)
    talk.say("1", ("a", "b"), None)
    talk.say("2", ("b", "c"), None)
    assert talk.graph() == (["a", "b", "c"], [(0, 1), (1, 2)])
    talk.say("3", ("c",), None)
    assert talk.graph() == (["b", "c"], [(0, 1)])
    assert not talk.known("a")


def test_what_an_event_causes_comes_from_its_sender() -> None:
    """Also where no message between the two was seen."""
    talk = Talk(window=10)
    talk.say("1", ("a",), None)
    talk.say("2", ("b",), "1")
    talk.say("3", ("c",), "unheard of")
    assert talk.graph() == (["a", "b", "c"], [(0, 1)])


def watching(every: int) -> CriticalAgents:
    """Computes at once, with the top fifth critical."""
    return CriticalAgents(Measure(share=0.2), Rounds(window=100, every=every), run=lambda work: work())


def test_all_is_heavy_until_the_first_round_is_over_and_newcomers_are_always() -> None:
    """Nobody is light before it is known that they are not critical."""
    watch = watching(9)
    for one, other in STAR[:-1]:
        watch.said("acme", f"{one}-{other}", (f"{one}", f"{other}"))
    assert watch.heavy("acme", ("3", "4"))
    watch.said("acme", "last", ("0", "9"))
    assert [watch.heavy("acme", (name,)) for name in "0345"] == [True, False, False, False]
    assert watch.heavy("acme", ("3", "0"))
    assert watch.heavy("acme", ("a new name",))
    assert watch.heavy("another tenant", ("3",))


def test_a_round_does_not_change_its_own_tiers() -> None:
    """Who is in the middle now is critical in the next round, not in this one."""
    watch = watching(9)
    for other in range(1, 10):
        watch.said("acme", str(other), ("0", str(other)))
    for number in range(8):
        watch.said("acme", f"again-{number}", ("5", str(number % 4 + 1)))
        assert not watch.heavy("acme", ("5",))


def test_a_failure_makes_everything_heavy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is critical is not known then."""

    def broken(*_: object) -> frozenset[str]:
        raise MemoryError

    watch = watching(1)
    watch.said("acme", "1", ("a", "b"))
    watch.said("acme", "2", ("a", "c"))
    assert not watch.heavy("acme", ("c",))
    monkeypatch.setattr("lawful.infra.centrality.watch.critical", broken)
    watch.said("acme", "3", ("a", "b"))
    assert watch.heavy("acme", ("c",))

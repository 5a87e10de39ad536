"""How critical each agent is: degree, betweenness and closeness, normalised, weighted, added."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

import numpy as np
import rustworkx

from lawful.infra.centrality.sampled import Floats, sampled
from lawful.infra.centrality.talk import Edge

EXACT: Final = 1_000
"""Up to so many agents everything is computed exactly."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """How agents are ranked.

    Attributes:
        share: of all agents, how many are critical (tau).
        weights: of degree, betweenness and closeness.
        exact: up to so many agents every shortest path counts; beyond, those from `pivots` agents do.
        seed: of the choice of pivots.
    """

    share: float = 0.3
    weights: tuple[float, float, float] = (1.0, 1.0, 1.0)
    exact: int = EXACT
    pivots: int = 64
    seed: int = 1


def scores(agents: int, edges: Sequence[Edge], measure: Measure) -> Floats:
    """One number for each agent, from 0 to 1.

    Args:
        agents: how many there are.
        edges: who talks to whom, each pair once.
        measure: how it is measured.
    """
    if not agents or not edges:
        return np.zeros(agents)
    degree = np.bincount(np.array(edges).ravel(), minlength=agents).astype(np.float64)
    if agents <= measure.exact:
        between, close = _exactly(agents, edges)
    else:
        between, close = sampled(agents, edges, measure.pivots, measure.seed)
    parts = [_normal(each) * weight for each, weight in zip((degree, between, close), measure.weights, strict=True)]
    found: Floats = sum(parts, np.zeros(agents)) / (sum(measure.weights) or 1.0)
    return found


def critical(names: Sequence[str], edges: Sequence[Edge], measure: Measure) -> frozenset[str]:
    """The top share of the agents; of equal ones those whose names come first.

    Args:
        names: of the agents, sorted.
        edges: who talks to whom, as pairs of places in `names`.
        measure: how it is measured.
    """
    # Rounded, as the last bits of a sum may differ from one machine to the next.
    ranked = sorted(zip(-np.round(scores(len(names), edges, measure), 9), names, strict=True))
    return frozenset(name for _, name in ranked[: ceil(measure.share * len(names))])


def _exactly(agents: int, edges: Sequence[Edge]) -> tuple[Floats, Floats]:
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(agents))
    graph.extend_from_edge_list(list(edges))
    between = rustworkx.graph_betweenness_centrality(graph, normalized=True)
    close = rustworkx.graph_closeness_centrality(graph, wf_improved=True)
    return _listed(between, agents), _listed(close, agents)


def _listed(found: Mapping[int, float], agents: int) -> Floats:
    return np.array([found[place] for place in range(agents)], dtype=np.float64)


def _normal(values: Floats) -> Floats:
    most = float(values.max())
    return values / most if most > 0 else values

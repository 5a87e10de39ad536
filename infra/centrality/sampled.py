"""Betweenness and closeness from some agents instead of all, where all would take too long.

Shortest paths are counted from a seeded sample of pivots (Brandes and Pich 2007 for betweenness,
Eppstein and Wang 2004 for closeness), level by level on arrays. With every agent a pivot this is exact.
"""

from collections.abc import Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from lawful.infra.centrality.talk import Edge

Floats = NDArray[np.float64]
Places = NDArray[np.int64]


def sampled(agents: int, edges: Sequence[Edge], pivots: int, seed: int) -> tuple[Floats, Floats]:
    """Betweenness and closeness of each agent, as rustworkx normalises them.

    Costs as many sweeps over the edges as there are pivots and levels of the graph.
    """
    pairs = np.array(edges, dtype=np.int64).reshape(-1, 2)
    source = np.concatenate([pairs[:, 0], pairs[:, 1]])
    target = np.concatenate([pairs[:, 1], pairs[:, 0]])
    chosen = Random(seed).sample(range(agents), min(pivots, agents))  # noqa: S311 - a sample, and no secret
    between, far, near = (np.zeros(agents) for _ in range(3))
    for pivot in chosen:
        depth, dependency = _from(pivot, agents, source, target)
        between += dependency
        reached = depth > 0
        far[reached] += depth[reached]
        near += reached
    return _betweenness(between, agents, len(chosen)), _closeness(far, near, agents, len(chosen))


def _betweenness(between: Floats, agents: int, pivots: int) -> Floats:
    pairs = (agents - 1) * (agents - 2)
    return between * (agents / pivots) / pairs if pairs > 0 else between


def _closeness(far: Floats, near: Floats, agents: int, pivots: int) -> Floats:
    """The share of the others that is within reach, over the mean way to them (Wasserman and Faust)."""
    share = near * (agents / pivots) / max(1, agents - 1)
    mean = np.divide(far, near, out=np.ones(agents), where=near > 0)
    return np.minimum(share, 1.0) / mean


def _from(pivot: int, agents: int, source: Places, target: Places) -> tuple[Places, Floats]:
    """How far each agent is from the pivot (-1: out of reach), and how much it depends on it (Brandes)."""
    depth = np.full(agents, -1)
    ways = np.zeros(agents)
    depth[pivot], ways[pivot] = 0, 1.0
    levels, at = [], 0
    while True:
        onward = (depth[source] == at) & (depth[target] < 0)
        if not onward.any():
            break
        depth[target[onward]] = at + 1
        ways += np.bincount(target[onward], weights=ways[source[onward]], minlength=agents)
        levels.append((source[onward], target[onward]))
        at += 1
    dependency = np.zeros(agents)
    for before, after in reversed(levels):
        part = ways[before] / ways[after] * (1.0 + dependency[after])
        dependency += np.bincount(before, weights=part, minlength=agents)
    dependency[pivot] = 0.0
    return depth, dependency

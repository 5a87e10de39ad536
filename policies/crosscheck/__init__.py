"""Holding the three judges against each other: the guarantee that is not a heuristic."""

from lawful.policies.crosscheck.panel import Agreement, Fault, Judge, Panel, compare

__all__ = ["Agreement", "Fault", "Judge", "Panel", "compare"]

"""Deciding: policies, the four predicates, what is remembered of a subject, and the judge.

Pure: nothing here reads a clock, draws a number or talks to a network; only loading a policy reads
files. The decision itself is `lawful.policies.judge.judge`.
"""

from lawful.policies.load import load_pack, load_policy, pack_names
from lawful.policies.model import Policy
from lawful.policies.policyset import PolicySet

__all__ = ["Policy", "PolicySet", "load_pack", "load_policy", "pack_names"]

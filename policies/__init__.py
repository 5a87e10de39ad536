"""Deciding: policies, the four predicates, what is remembered of a subject, and the judge.

Pure: nothing here reads a clock, draws a number or talks to a network; only loading a policy reads
files.
"""

from lawful.policies.judge import At, Judgement, judge
from lawful.policies.load import load_pack, load_policy, pack_names
from lawful.policies.model import Policy
from lawful.policies.policyset import PolicySet

__all__ = ["At", "Judgement", "Policy", "PolicySet", "judge", "load_pack", "load_policy", "pack_names"]

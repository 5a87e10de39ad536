"""What is wrong with a policy, in the words for any file that is written by hand."""

from lawful.schemas.problems import InvalidFile, Problem, did_you_mean

__all__ = ["InvalidPolicy", "Problem", "did_you_mean"]

InvalidPolicy = InvalidFile
"""A policy that cannot be used."""

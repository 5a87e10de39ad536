"""A fleet of scripted agents: what `lawful demo` sends through real guards.

The traces are ours, made from templates and a seed: the same seed gives the same stories, about
people who do not exist. One file a trade; each tells its stories in the words of the policy pack
of the same name.
"""

from lawful.infra.fleet.cast import stories
from lawful.infra.fleet.script import Step, Story

__all__ = ["Step", "Story", "stories"]

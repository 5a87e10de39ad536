"""What both firewalls remember of one task, in memory only."""

from dataclasses import dataclass, field

from lawful.firewalls.names import Names


@dataclass(slots=True)
class FirewallSession:
    """One task with other agents.

    Attributes:
        names: opaque names and what they stand for.
    """

    names: Names = field(default_factory=Names, repr=False)

"""What both firewalls remember of one task, in memory only."""

from dataclasses import dataclass, field
from threading import RLock

from lawful.firewalls.ledger import Ledger
from lawful.firewalls.names import Names


@dataclass(slots=True)
class FirewallSession:
    """One task with other agents. Safe to share by threads.

    Attributes:
        names: opaque names and what they stand for.
        ledgers: what has been disclosed, by rules, recipient and person.
    """

    names: Names = field(default_factory=Names, repr=False)
    ledgers: dict[tuple[str, str, str, str], Ledger] = field(default_factory=dict, repr=False)
    lock: RLock = field(default_factory=RLock, repr=False)

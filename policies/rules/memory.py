"""Monitors kept between events, so that a verdict does not cost a walk through the past.

INVARIANT: this changes no verdict. A kept monitor is used only where the facts it has taken in are
the history's, compared as such; otherwise a new one takes in all of them.
"""

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

from lawful.policies.mfotl.monitor import Monitor
from lawful.policies.rules.remembering import Acts
from lawful.schemas.history import Entry

MOST: Final = 10_000

Entries = tuple[Entry, ...]
Key = tuple[str, str, str]
"""Policy digest, rule name, record key."""


@dataclass(slots=True)
class Running:
    """A monitor in the middle of a trace.

    Attributes:
        acts, entries: the facts that it has taken in (`entries` only if the rule speaks of them).
        latest: the time of the latest of them; 0 for none.
        stamp: the latest time it was asked about.
        events: ids of the events that it has taken in.
    """

    monitor: Monitor
    acts: Acts = ()
    entries: Entries = ()
    latest: int = 0
    stamp: int = 0
    events: set[str] = field(default_factory=set)

    def stands_at(self, acts: Acts) -> None:
        """It has taken in these by now; the ids of those that are too old to be among them go."""
        if len(acts) <= len(self.acts):
            self.events.intersection_update(each.fact.event_id for each in acts)
        self.acts = acts


class RuleMemory:
    """The monitors that ran last, by policy, rule and slice. One thread at a time.

    Args:
        most: how many are kept.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._running: OrderedDict[Key, Running] = OrderedDict()

    def __len__(self) -> int:
        """How many monitors are kept."""
        return len(self._running)

    def get(self, key: Key) -> Running | None:
        """The monitor that was kept, if it still is."""
        found = self._running.get(key)
        if found is not None:
            self._running.move_to_end(key)
        return found

    def keep(self, key: Key, running: Running) -> None:
        """Keeps a monitor; the one that was used longest ago goes if there are too many."""
        self._running[key] = running
        self._running.move_to_end(key)
        if len(self._running) > self._most:
            self._running.popitem(last=False)

    def drop(self, key: Key) -> None:
        """Forgets a monitor."""
        self._running.pop(key, None)

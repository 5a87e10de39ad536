"""One outbox record on its way: the events made of it, their verdicts, and the records that come of them."""

from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from lawful.schemas.event import AgentEvent
from lawful.schemas.verdict import Decision, Verdict
from lawful.streams.effects import Record, Send


@dataclass(frozen=True, slots=True)
class Asked:
    """An event whose verdict is awaited.

    Attributes:
        inbox: where it goes if it may; empty where there is nobody to get it.
        schema: JSON Schema of the tool's arguments, where it is a call of one that has some.
        until: monotonic seconds; no verdict by then is a block.
    """

    event: AgentEvent
    inbox: str
    verdict: "Future[Verdict] | Verdict"
    schema: Mapping[str, Any] | None
    since: float
    until: float

    def settled(self, now: float) -> bool:
        """Whether there is nothing more to wait for."""
        return isinstance(self.verdict, Verdict) or self.verdict.done() or now >= self.until


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an outbox record leads to, all of it together or none.

    Attributes:
        decisions: of its events.
        unreadable: the record was no event that could be passed on.
    """

    sends: tuple[Send, ...]
    decisions: tuple[Decision, ...] = ()
    unreadable: bool = False


@dataclass(slots=True)
class Passage:
    """A record, and what is known of it so far.

    Attributes:
        asked: one per recipient; none if it cannot be passed on.
        refused: what becomes of it then.
        outcome: once it is known: the same records however often they are sent.
    """

    record: Record
    asked: tuple[Asked, ...] = ()
    refused: Outcome | None = None
    outcome: Outcome | None = field(default=None)

    @property
    def place(self) -> tuple[str, int]:
        """Topic and partition."""
        return self.record.topic, self.record.partition

    def settled(self, now: float) -> bool:
        """Whether all of its events have their answer, or will get none."""
        return all(each.settled(now) for each in self.asked)

    def drop(self) -> None:
        """Gives its events up: the record is somebody else's by now."""
        for each in self.asked:
            if isinstance(each.verdict, Future):
                each.verdict.cancel()

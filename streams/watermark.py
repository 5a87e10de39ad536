"""How far a stage has come in one partition, and what may be forgotten on the way.

A record is done when its outputs are acknowledged by the broker. Outputs are sent without waiting
for one another, so a lane remembers every record in flight; its watermark is the last offset up
to which all are done. The watermark is written down beside the stage's rows, and a stage that
starts again goes on just behind it: nothing that was not acknowledged is ever passed over
(design: topology).
"""

from collections import deque
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple

from lawful.schemas.errors import MustStop


class Admission(Enum):
    """What to do with a record that was delivered."""

    TAKE = auto()
    DROP = auto()
    REWIND = auto()
    DOUBT = auto()


@dataclass(slots=True)
class Ticket:
    """One record in flight: the outputs that are not acknowledged yet."""

    offset: int
    waiting: int = 0
    sealed: bool = False

    @property
    def done(self) -> bool:
        """Whether everything was sent and acknowledged."""
        return self.sealed and not self.waiting


@dataclass(slots=True)
class Lane:
    """A stage's place in one partition. Not for use from several threads.

    Attributes:
        partition: the partition of the stage's source topic.
        done: the last offset up to which every record is done; -1 for none.
        noted: the watermark that was sent to the table's changelog last.
        durable: the watermark that the broker has acknowledged.
        failed: an output was refused by the broker; the lane has to go back.
        reason: why it failed last.
        missed: a record was delivered and not looked at; it has to be delivered again.
        failures: how often in a row that happened without any progress in between.
    """

    partition: int
    done: int
    next: int = field(init=False)
    noted: int = field(init=False)
    durable: int = field(init=False)
    failed: bool = False
    failures: int = 0
    reason: str = ""
    missed: bool = False
    _flight: deque[Ticket] = field(default_factory=deque)
    _seen: int = -1
    _rewound: bool = False

    def __post_init__(self) -> None:
        self.next = self.done + 1
        self.noted = self.durable = self.done

    def start_at(self, offset: int) -> None:
        """Begins behind the watermark, where the log itself begins later (retention, a new group)."""
        self.next = max(self.next, offset)

    def admit(self, offset: int) -> Admission:
        """Decides about a delivered record.

        Deliveries can repeat, and around a rebalance they can skip. A skip is answered by going
        back once. If what comes then begins behind the gap again, it is in doubt: either the gap
        is the log's own (a transaction's marker, a compacted record), or what comes was fetched
        before, and waited in a queue. The log has to be asked.
        """
        back, self._seen = offset <= self._seen, offset
        if self.failed or offset < self.next:
            return Admission.DROP
        if offset == self.next:
            return Admission.TAKE
        if not self._rewound:
            self._rewound = True
            return Admission.REWIND
        return Admission.DOUBT if back else Admission.DROP  # still what was fetched before going back

    def begin(self, offset: int) -> Ticket:
        """Takes a record in; its outputs are counted on the ticket until it is sealed."""
        ticket = Ticket(offset)
        self._flight.append(ticket)
        self._rewound = False
        self.next = offset + 1
        return ticket

    def sent(self, ticket: Ticket) -> None:
        """One more output is on its way."""
        ticket.waiting += 1

    def acked(self, ticket: Ticket) -> None:
        """One output has arrived."""
        ticket.waiting -= 1
        self.settle()

    def seal(self, ticket: Ticket) -> None:
        """All outputs of the record are on their way."""
        ticket.sealed = True
        self.settle()

    def settle(self) -> None:
        """Moves the watermark over everything that is done."""
        while self._flight and self._flight[0].done:
            self.done = self._flight.popleft().offset
            self.failures = 0

    def fail(self, reason: str) -> None:
        """An output was refused: nothing may pass this place until it is done again."""
        if not self.failed:
            self.failed = True
            self.reason = reason
            self.failures += 1

    def rewind(self) -> int:
        """Forgets what is in flight and returns the offset to go on from."""
        self._flight.clear()
        self.failed = False
        self.next = self.done + 1
        return self.again()

    def again(self) -> int:
        """Returns the offset to be delivered from, once more."""
        self.missed = False
        self._rewound = False
        self._seen = -1
        return self.next

    @property
    def idle(self) -> bool:
        """Whether nothing is in flight."""
        return not self._flight


class Place(NamedTuple):
    """What is known of a source partition: its log's first offset, the one behind its last, the commit."""

    begin: int
    end: int
    committed: int | None


def lane_for(topic: str, partition: int, mark: int, place: Place) -> Lane:
    """The lane of a partition that has just been assigned.

    Args:
        topic: whose partition it is.
        partition: the source partition.
        mark: the restored watermark; -1 for none.
        place: what the broker says about it.

    Raises:
        MustStop: records between the watermark and the log's begin are gone, or the log is
            shorter than what was already done.
    """
    name = f"{topic}/{partition}"
    if mark >= place.end:
        raise MustStop(
            f"{name} ends at offset {place.end}, but {mark} was already done: the topic was emptied or made anew; "
            "remove this group's changelog topics and data folder, or restore the topic"
        )
    known = mark >= 0 or (place.committed or 0) > 0
    if known and mark + 1 < place.begin:
        raise MustStop(
            f"{name} begins at offset {place.begin}, but work ended at {mark}: records in between were deleted "
            "unread; raise the topic's retention, and remove this group's changelog topics to accept the loss"
        )
    lane = Lane(partition, mark)
    lane.start_at(place.begin)
    return lane

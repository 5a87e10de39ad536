"""What a check of the audit found."""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What is wrong."""

    CHANGED = "changed"
    MISSING = "missing"
    INSERTED = "inserted"
    REORDERED = "reordered"
    CUT_OFF = "tail_cut_off"
    REWRITTEN = "rewritten"
    ANCHOR = "anchor_not_genuine"
    VIEW = "view_changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing that is not as it was written.

    Attributes:
        topic, partition: the chain.
        number: of the row in its chain; of the first of them, where several are missing.
        offset: the row's place in the log; of the row before it, where it is gone.
        event_id: of the row, where there is one.
        view: the view that is not as the migrations made it; then there is no chain, number or offset.
        message: what is wrong, for people.
    """

    kind: Kind
    topic: str
    partition: int
    number: int
    offset: int
    event_id: str = ""
    view: str = ""
    message: str

    def __str__(self) -> str:
        if self.view:
            return f"view {self.view} {self.message}"
        event = f", event {self.event_id}" if self.event_id else ""
        return f"{self.topic}[{self.partition}] row {self.number} at offset {self.offset}{event}: {self.message}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainReport:
    """One chain.

    Attributes:
        rows: how many were checked.
        first: number of the first one; above 1 where retention or the caller took off what was before.
        last: number of the last one.
        row_hash: of the last one.
        anchors: how many that are signed were met on the way.
        unanchored: rows behind the last of them; their loss would not show.
    """

    topic: str
    partition: int
    rows: int
    first: int
    last: int
    row_hash: str
    anchors: int
    unanchored: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyReport:
    """What a check found.

    Attributes:
        recomputed: whether rows' hashes were computed anew, for which it takes the chain key.
        anchored: whether there was any genuine anchor.
        stopped_early: whether there were so many faults that the check gave up.
        views: those that were held against the migrations.
        unseen: those that are not there or whose definition the user may not read, so that nothing is said of them.
    """

    chains: tuple[ChainReport, ...]
    faults: tuple[Fault, ...]
    recomputed: bool
    anchored: bool
    stopped_early: bool = False
    views: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults

    @property
    def rows(self) -> int:
        """How many rows were checked."""
        return sum(chain.rows for chain in self.chains)

    @property
    def first(self) -> Fault | None:
        """The first fault: views first, then by chain and number."""
        return self.faults[0] if self.faults else None

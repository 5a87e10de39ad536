"""What the workers' tables hold besides histories: links, unfinished verdicts, watermarks.

Rows are written whole and read whole; each says which place in the log it includes, so that a
table that came back a little short can be caught up from the log (design: topology).
"""

from dataclasses import dataclass

from lawful.schemas.event import Micros
from lawful.schemas.verdict import Partial


@dataclass(frozen=True, slots=True)
class LinkRow:
    """A pseudonym is an alias of `root`, from `offset` in its partition on."""

    root: str
    offset: int


@dataclass(frozen=True, slots=True)
class PendingPart:
    """One subject's share of a verdict and its place in `lawful.partials`."""

    offset: int
    partial: Partial


@dataclass(frozen=True, slots=True)
class Pending:
    """The shares of one event's verdict that have arrived so far.

    Attributes:
        first_seen: broker time of the first share: the combine timeout counts from here.
        done_at: when the event was answered; the row stays for a while so that a late share
            cannot answer again.
        timed_out: it was answered `block` because shares were missing.
    """

    parts: tuple[PendingPart, ...]
    first_seen: Micros
    done_at: Micros | None = None
    timed_out: bool = False


@dataclass(frozen=True, slots=True)
class Watermark:
    """Every record of the partition up to `offset` is answered and its outputs are acknowledged."""

    offset: int

"""Signs the ends of chains at intervals and hands them to where they are kept.

A database's owner can cut off rows, and whoever has the chain key can make others; neither can
change what was signed and published before. So an anchor bounds what can go unnoticed to the time
since the last one.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Protocol

from lawful.infra.audit_chain.keys import SigningKey
from lawful.infra.audit_chain.link import Head
from lawful.infra.audit_chain.statement import signed
from lawful.infra.clickhouse.rows import Partition
from lawful.schemas.audit import Anchor, AnchorKind
from lawful.schemas.errors import LawfulError

logger = logging.getLogger(__name__)

QUIET_SECONDS = 60.0


class Publisher(Protocol):
    """Where anchors are kept. Methods raise `LawfulError` where they cannot keep them."""

    def publish(self, anchors: Sequence[Anchor]) -> None:
        """Takes anchors; what was published stays."""
        ...

    def close(self) -> None:
        """Returns when all that was published is there, or will not be."""
        ...


class Notary(Protocol):
    """Who is told how far the chains are, and keeps it where the database's owner has no say."""

    def told(self, heads: Mapping[Partition, Head], now: float) -> None:
        """Takes the chains' ends, as ClickHouse has confirmed them; signs those that are due. Never raises."""
        ...

    def unsigned(self, now: float) -> float:
        """For how many seconds the end of some chain has been waiting for its anchor; 0 if none does."""
        ...

    def close(self) -> None:
        """Signs what is not signed yet, and publishes what waits."""
        ...


class NoNotary:
    """Implements `Notary` for want of a key: signs nothing."""

    def told(self, heads: Mapping[Partition, Head], now: float) -> None:
        """See `Notary`."""

    def unsigned(self, now: float) -> float:
        """See `Notary`. Nothing waits for what nobody does."""
        return 0.0

    def close(self) -> None:
        """See `Notary`."""


class SigningNotary:
    """Implements `Notary` with a key.

    Args:
        key: signs.
        publishers: where anchors go.
        seconds: between two anchors of a chain that grows.
        clock: seconds since 1970, which stand in the anchors.
    """

    def __init__(
        self, key: SigningKey, publishers: Sequence[Publisher], seconds: float, clock: Callable[[], float]
    ) -> None:
        self._key = key
        self._publishers = publishers
        self._seconds = seconds
        self._clock = clock
        self._heads: dict[Partition, Head] = {}
        self._signed: dict[Partition, Head] = {}
        self._due_at = 0.0
        self._up_to_date_at = 0.0
        self._quiet_until = 0.0

    def told(self, heads: Mapping[Partition, Head], now: float) -> None:
        """See `Notary`."""
        self._heads = dict(heads)
        if not self._new():
            self._up_to_date_at = now
        elif now >= self._due_at:
            self._sign(now)

    def unsigned(self, now: float) -> float:
        """See `Notary`."""
        return now - self._up_to_date_at if self._new() else 0.0

    def close(self) -> None:
        """See `Notary`."""
        if self._new():
            self._sign(self._due_at)
        for publisher in self._publishers:
            self._carefully(publisher.close, self._due_at)

    def _new(self) -> dict[Partition, Head]:
        return {
            partition: head
            for partition, head in self._heads.items()
            if head.number and self._signed.get(partition) != head
        }

    def _sign(self, now: float) -> None:
        self._due_at = now + self._seconds
        new, at = self._new(), int(self._clock() * 1_000_000)
        anchors = [signed(AnchorKind.HEAD, partition, head, at=at, key=self._key) for partition, head in new.items()]
        kept = [self._carefully(partial(to.publish, anchors), now) for to in self._publishers]
        if all(kept):
            self._signed |= new
            self._up_to_date_at = now

    def _carefully(self, work: Callable[[], None], now: float) -> bool:
        """An anchor that cannot be kept is told, and made again; it holds up no row."""
        try:
            work()
        except LawfulError as error:
            if now >= self._quiet_until:
                self._quiet_until = now + QUIET_SECONDS
                logger.warning("an anchor of the audit was not kept; trying again: %s", error)
            return False
        return True

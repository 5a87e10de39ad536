"""The gateway's loop: take, ask, and deliver in the order of the outbox.

Records are asked about side by side, and leave in the order in which they stand in their partition.
What leaves and how far the outbox is done are written in one transaction, so a gateway that is killed
begins again at the first record that has not left, and none leaves twice.
"""

import logging
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from lawful.infra.audit_writer.limit import Limit
from lawful.infra.gateway.desk import Desk
from lawful.infra.gateway.passage import Passage
from lawful.infra.gateway.ports import Place, Sink, Source, Undeliverable
from lawful.schemas.errors import RetryLater
from lawful.schemas.verdict import Decision

log: Final = logging.getLogger(__name__)

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
_BUSY: Final = 0.005
_IDLE: Final = 0.2
_LAG_SECONDS: Final = 2.0


@dataclass(slots=True)
class Counters:
    """Plain numbers since the process started; none of them names a person.

    Attributes:
        records: outbox records that are done.
        decisions: events by decision; a block is one that did not arrive.
        unreadable: records that were no events, or not addressed.
        retries: deliveries that failed and were made again.
        waiting: records whose verdicts are awaited, as of now.
        lags: records that the outbox holds and nobody has begun, by partition.
    """

    records: int = 0
    decisions: dict[Decision, int] = field(default_factory=lambda: dict.fromkeys(Decision, 0))
    unreadable: int = 0
    retries: int = 0
    waiting: int = 0
    lags: dict[Place, int] = field(default_factory=dict)


class Gateway:
    """Passes records on.

    Args:
        source: the outbox.
        sink: where records go.
        desk: decides what becomes of each.
        limit: how many unreadable records are borne.
        most: so many records are on their way at once.
        clock: monotonic seconds.
    """

    def __init__(  # noqa: PLR0913 - its ports
        self,
        source: Source,
        sink: Sink,
        desk: Desk,
        limit: Limit,
        *,
        most: int,
        clock: Callable[[], float],
        counters: Counters | None = None,
    ) -> None:
        self._source = source
        self._sink = sink
        self._desk = desk
        self._limit = limit
        self._most = most
        self._clock = clock
        self._open: dict[Place, deque[Passage]] = {}
        self._pause = 0.0
        self._retry_at = 0.0
        self._looked_at = 0.0
        self.counters = counters or Counters()

    def step(self) -> None:
        """One round: begins what is there, and delivers what has its answers.

        Raises:
            MustStop: going on would lose records, or only a person can mend it.
        """
        for place in self._forget():
            log.info("%s/%d is another gateway's now", *place)
        room = self._most - self.counters.waiting
        for record in self._source.take(room, _BUSY if self.counters.waiting else _IDLE) if room > 0 else ():
            passage = self._desk.open(record)
            self._open.setdefault(passage.place, deque()).append(passage)
        self._forget()
        self._deliver()
        self.counters.waiting = sum(map(len, self._open.values()))
        self._look()

    def finish(self) -> None:
        """Leaves: what has not left the outbox is begun anew by whoever comes next."""
        for passages in self._open.values():
            for passage in passages:
                passage.drop()
        self._open.clear()
        self._source.close()
        self._sink.close()

    def _forget(self) -> frozenset[Place]:
        gone = self._source.gone()
        for place in gone:
            for passage in self._open.pop(place, ()):
                passage.drop()
        return gone

    def _deliver(self) -> None:
        now = self._clock()
        ready = list(self._ready(now)) if now >= self._retry_at else []
        if not ready:
            return
        outcomes = [self._desk.close(passage) for passage in ready]
        done = {passage.place: passage.record.offset + 1 for passage in ready}
        try:
            self._sink.deliver([send for outcome in outcomes for send in outcome.sends], done)
        except Undeliverable as error:
            for passage in ready:
                passage.outcome = self._desk.without(passage, error.sends)
            log.warning("%s; a dead letter tells of each that was to be delivered", error)
            return
        except RetryLater as error:
            self.counters.retries += 1
            self._pause = min(max(self._pause * 2, FIRST_PAUSE), LONGEST_PAUSE)
            self._retry_at = now + self._pause
            log.warning("nothing could be delivered, trying again in %.1f s: %s", self._pause, error)
            return
        self._pause = 0.0
        for passage, outcome in zip(ready, outcomes, strict=True):
            self._open[passage.place].popleft()
            self.counters.records += 1
            self.counters.unreadable += outcome.unreadable
            for decision in outcome.decisions:
                self.counters.decisions[decision] += 1
            where = f"{passage.record.topic}/{passage.record.partition}@{passage.record.offset}"
            self._limit.add(readable=not outcome.unreadable, where=where)

    def _ready(self, now: float) -> Iterator[Passage]:
        """From the front of each partition, what has its answers."""
        for passages in self._open.values():
            for passage in passages:
                if not passage.settled(now):
                    break
                yield passage

    def _look(self) -> None:
        now = self._clock()
        if now - self._looked_at > _LAG_SECONDS:
            self._looked_at = now
            self.counters.lags = dict(self._source.lags())

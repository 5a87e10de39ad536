"""A partition's rows, read from its changelog by whoever opens it.

The store on disk is the changelog up to a record, so only what comes from there is read. Then the partition is claimed
(`lawful.streams.claims`), what came in before the claim is read, and keys whose last row does not count are written
anew: compaction would keep the row that does not count, for being the last.

A store whose last record is not where it was, or that the changelog does not follow on without a gap, is emptied and
read from the beginning. Compaction has taken records since, and perhaps tombstones that the store never saw; or the
broker has lost some.
"""

import asyncio
import contextlib
import json
import logging
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from aiokafka.errors import KafkaError
from faust.exceptions import ProducerSendError
from faust.types import TP

from lawful.streams.claims import CLAIM, NOBODY, Claim, Claims, naming, new_value
from lawful.streams.reading import passes, read_to_end
from lawful.streams.rows import LAST, PartitionRows, empty, mark_of
from lawful.streams.store import PartitionStore, Row

log = logging.getLogger(__name__)

STALE = b"\x00stale"
"""In a store, not in a changelog: the keys whose last row in the changelog does not count."""

CLAIMED = b"\x00claimed"
"""In a store, not in a changelog: the last claim, with its offset."""

BEGUN = b"\x00begun"
"""In a store, not in a changelog: the process that reads it from the beginning, until it is claimed."""

_AGAIN = 0.2
_PROCESS = secrets.token_bytes(8)


class GivenOutAnew(Exception):
    """The partitions were given out anew meanwhile; what was begun is done again by whoever has them."""


class Restorer:
    """Restores partitions of one table.

    Args:
        app: whose broker and producer to use.
        mine: whether the partitions were not given out anew since; stores may be closed by then.

    Attributes:
        read: how many records were read.
    """

    def __init__(self, app: Any, mine: Callable[[], bool]) -> None:
        self.read = 0
        self._app = app
        self._mine = mine

    async def restore(self, stores: Mapping[TP, PartitionStore]) -> dict[TP, PartitionRows]:
        """The rows of partitions, claimed.

        Args:
            stores: by partition of the changelog.

        Raises:
            GivenOutAnew: nothing was restored.
            KafkaError: the broker was away in the middle.
        """
        fillings = {tp: Filling(store) for tp, store in stores.items()}
        await self._fill(fillings, None)
        claiming = [self._claim(tp, filling) for tp, filling in fillings.items()]
        claimed = await asyncio.gather(*claiming, return_exceptions=True)
        for rows in claimed:  # only now: none of them is still at work
            if isinstance(rows, BaseException):
                raise rows
        return {tp: rows for tp, rows in zip(fillings, claimed, strict=True) if isinstance(rows, PartitionRows)}

    async def _fill(self, fillings: Mapping[TP, "Filling"], ends: Mapping[TP, int] | None) -> None:
        while fillings:
            starts = {tp: filling.start for tp, filling in fillings.items()}
            async with contextlib.aclosing(read_to_end(self._app, starts, ends)) as found:
                async for tp, records in found:
                    self._check()
                    fillings[tp].take([each for each in records if ends is None or each.offset < ends[tp]])
                    self.read += len(records)
                    if not any(filling.follows for filling in fillings.values()):
                        break
            self._check()
            for tp, filling in fillings.items():
                if ends is not None:
                    filling.reach(ends[tp] - 1)
            fillings = {tp: filling for tp, filling in fillings.items() if not filling.follows}
            for tp, filling in fillings.items():
                log.info("%s/%s is read from its beginning", tp.topic, tp.partition)
                filling.forget()

    async def _claim(self, tp: TP, filling: "Filling") -> PartitionRows:
        """Says that what counts from now on is this worker's."""
        store, value = filling.store, new_value()
        place = await self._write(tp, CLAIM, value, [])
        if place <= store.through:
            log.warning("%s/%s has lost records, and is read from its beginning", tp.topic, tp.partition)
            filling.forget()
        if place > store.through + 1:  # whoever had it before was still writing
            await self._fill({tp: filling}, {tp: place})
        claim = Claim(place, value)
        rows = PartitionRows(store, claim)
        rows.settle(CLAIM, value, place)
        for key in sorted(filling.stale):
            row = store.get(key)
            rows.settle(key, row, await self._write(tp, key, row, naming(claim)))
        rows.flush()
        if not rows.torn:
            store.write([(CLAIMED, bytes(claim)), (STALE, None), (BEGUN, None)], store.through)
        return rows

    async def _write(self, tp: TP, key: bytes, value: bytes | None, headers: list[tuple[str, bytes]]) -> int:
        """Writes to the changelog, however long the broker is away; gives the offset."""
        waits = False
        while True:
            self._check()
            try:
                sent = await self._app.producer.send(tp.topic, key, value, tp.partition, None, headers)
                offset: int = (await sent).offset
            except (KafkaError, ProducerSendError) as error:
                if not passes(error):
                    raise
                if not waits:
                    log.warning("%s/%s cannot be claimed yet: %r", tp.topic, tp.partition, error)
                waits = True
                await asyncio.sleep(_AGAIN)
            else:
                self._check()
                return offset

    def _check(self) -> None:
        if not self._mine():
            raise GivenOutAnew


class Filling:
    """One partition on its way from the changelog into its store.

    Attributes:
        store: what it goes into.
        stale: keys whose last row in the changelog does not count.
        follows: whether the store has all that is before the next record.
    """

    def __init__(self, store: PartitionStore) -> None:
        self.store = store
        self._begin()

    def _begin(self) -> None:
        self.follows = True
        self.stale = {bytes.fromhex(key) for key in json.loads(self.store.get(STALE) or b"[]")}
        self._claims = Claims(Claim.read(self.store.get(CLAIMED) or b"") or NOBODY)
        begun = self.store.get(BEGUN) == _PROCESS
        self._continues = self.store.through >= 0 and not begun

    @property
    def start(self) -> int:
        """Where to read from: a store that goes on looks whether its last record is still there."""
        return self.store.through + (not self._continues)

    def take(self, records: Sequence[Any]) -> None:
        """Takes the next records of the changelog in, as far as they count."""
        rows: list[Row] = []
        through, stale, claim = self.store.through, set(self.stale), self._claims.last
        for record in records:
            if self._continues and record.offset == through and not rows:
                self.follows = self.follows and mark_of(record.key, record.value) == self.store.get(LAST)
                continue
            self.follows = self.follows and not (self._continues and record.offset != through + 1)
            through = record.offset
            if self._claims.count(record.key, record.value, record.offset, record.headers):
                rows.append((record.key, record.value))
                stale.discard(record.key)
            else:
                stale.add(record.key)
        if self.follows and through > self.store.through:
            if claim != self._claims.last:
                rows.append((CLAIMED, bytes(self._claims.last)))
            if stale != self.stale:
                rows.append((STALE, json.dumps(sorted(key.hex() for key in stale)).encode()))
            if not self._continues:
                rows.append((BEGUN, _PROCESS))
            rows.append((LAST, mark_of(records[-1].key, records[-1].value)))
            self.store.write(rows, through)
            self.stale = stale

    def reach(self, offset: int) -> None:
        """There is nothing more up to this offset: compaction may have taken the last records away."""
        if self.follows and self.store.through < offset:
            self.follows = not self._continues
            if self.follows:
                self.store.write([], offset)

    def forget(self) -> None:
        """Nothing counts that the changelog does not have."""
        empty(self.store)
        self._begin()

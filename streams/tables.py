"""A stage's table: rows behind a changelog, one changelog per stage.

The rows of a stage and its watermark share one changelog partition, so a watermark never comes
back without the rows written before it. Faust decides who owns which partition; restoring is done
here, by reading the changelog from the store's own offset to its end with a plain consumer:
Faust's recovery runs through the flow control of the main consumer and was seen to lose updates
on the way (design: traps). Then the partition is claimed (`lawful.streams.claims`): from there on
only rows of this worker count.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import aiokafka
import faust
from aiokafka.errors import KafkaError
from faust.exceptions import ProducerSendError
from faust.stores.memory import Store as UnusedStore
from faust.tables.manager import TableManager
from faust.tables.recovery import Recovery
from faust.transport.drivers.aiokafka import credentials_to_aiokafka_auth, ensure_aiokafka_TP, server_list
from faust.types import TP, StoreT

from lawful.streams.claims import CLAIM, Claims, naming, new_claim
from lawful.streams.store import MemoryStore, PartitionStore, RocksStore, Row

log = logging.getLogger(__name__)

OpenStore = Callable[[str, int], PartitionStore]
"""Opens the rows of a table's partition."""

_BATCH = 2_000
_AGAIN = 0.2


def in_memory(_table: str, _partition: int) -> PartitionStore:
    """Rows that are gone with the process."""
    return MemoryStore()


def in_rocksdb(folder: Path) -> OpenStore:
    """Rows on disk; the folder belongs to one worker."""
    return lambda table, partition: RocksStore(folder / f"{table}-{partition}")


class PartitionRows:
    """The rows of one partition as the stage sees them: the store, and above it what is in flight.

    Args:
        store: what the changelog is known to have.
        claim: under which rows are written.

    Attributes:
        torn: somebody else has written to the changelog; what came then has to be read.
    """

    def __init__(self, store: PartitionStore, claim: bytes = b"") -> None:
        self.store = store
        self.claim = claim
        self.torn = False
        self._fresh: dict[bytes, bytes | None] = {}
        self._settled: list[Row] = []
        self._through = store.through

    def get(self, key: bytes) -> bytes | None:
        """The row as of the last record taken in."""
        if key in self._fresh:
            return self._fresh[key]
        return self.store.get(key)

    def items(self) -> Iterable[tuple[bytes, bytes]]:
        """All rows that the store holds."""
        return self.store.items()

    def put(self, key: bytes, value: bytes | None) -> None:
        """Sets a row that is on its way to the changelog."""
        self._fresh[key] = value

    def settle(self, key: bytes, value: bytes | None, offset: int) -> bool:
        """The changelog has the row, at this offset. Returns whether nothing of others is before it.

        All rows of a changelog's partition are its owner's, in the order of their offsets. Where one is left out
        it is somebody else's, or a row's that was sent again: the store goes no further then.
        """
        self.torn = self.torn or offset != self._through + 1
        if not self.torn:
            self._settled.append((key, value))
            self._through = offset
        return not self.torn

    def flush(self) -> None:
        """Hands to the store what the changelog has."""
        if not self._settled:
            return
        settled, self._settled = self._settled, []
        self.store.write(settled, self._through)
        for key, value in settled:
            if self._fresh.get(key, value) is value:
                self._fresh.pop(key, None)

    def forget(self) -> None:
        """Drops what the changelog does not have."""
        self.flush()
        self._fresh.clear()


class _Filling:
    """One partition on its way from the changelog into its store.

    Attributes:
        store: what it goes into.
        stale: keys whose last row in the changelog does not count.
    """

    def __init__(self, store: PartitionStore) -> None:
        self.store = store
        self.stale: set[bytes] = set()
        self._claims = Claims(store.get(CLAIM))

    def take(self, records: Iterable[Any]) -> None:
        """Takes the next records of the changelog in, as far as they count."""
        rows: list[Row] = []
        through = self.store.through
        for record in records:
            through = record.offset
            if self._claims.count(record.key, record.value, record.headers):
                rows.append((record.key, record.value))
                self.stale.discard(record.key)
            else:
                self.stale.add(record.key)
        self.store.write(rows, through)

    def forget(self) -> None:
        """Nothing counts that the changelog does not have."""
        self.store.write([(key, None) for key, _ in self.store.items()], -1)
        self.stale, self._claims = set(), Claims()

    def reached(self, offset: int) -> None:
        """There is nothing more up to this offset: compaction may have taken the last records away."""
        if self.store.through < offset:
            self.store.write([], offset)


class StateTable(faust.Table[bytes, bytes]):
    """A Faust table that keeps bytes by partition and restores itself.

    Rows are read and written through `rows`, never as a mapping: every write belongs to a record
    of a known partition.
    """

    app: Any

    def __init__(self, app: Any, *, open_store: OpenStore, **kwargs: Any) -> None:
        super().__init__(app, key_type=bytes, value_type=bytes, **kwargs)
        self._open_store = open_store
        self.rows: dict[int, PartitionRows] = {}
        """Restored partitions, by number."""
        self._stores: dict[int, PartitionStore] = {}
        self._era = 0

    def _new_store(self) -> StoreT[bytes, bytes]:
        # Something for Faust to start and stop; the rows are elsewhere.
        return UnusedStore(self.app.conf.store, self.app, self, table_name=self.name)

    def persisted_offset(self, tp: TP) -> int | None:
        """Nothing that Faust should count on."""
        return None

    async def on_rebalance(
        self, assigned: set[TP], revoked: set[TP], newly_assigned: set[TP], generation_id: int = 0
    ) -> None:
        """Closes partitions that went to somebody else. Nothing counts as restored until it is again."""
        self.rows.clear()
        self._era += 1
        mine = {tp.partition for tp in assigned if tp.topic == self.changelog_topic_name}
        for partition in [number for number in self._stores if number not in mine]:
            self._stores.pop(partition).close()

    async def on_recovery_completed(self, active_tps: set[TP], standby_tps: set[TP]) -> None:
        """Reads the changelogs of all active partitions to their end."""
        try:
            await self._restore(active_tps)
        except Exception as error:
            log.exception("table %s could not be restored", self.name)
            await self.app.must_stop(f"table {self.name} could not be restored: {error!r}")

    async def reopen(self, partition: int) -> None:
        """Reads what others have written to a closed partition's changelog, and claims it anew, if it is still here."""
        era = self._era
        while era == self._era and partition in self._stores:
            try:
                await self._restore([TP(self.changelog_topic_name, partition)])
            except KafkaError as error:
                if not error.retriable:
                    raise
                await asyncio.sleep(_AGAIN)
            else:
                return

    async def _restore(self, active: Iterable[TP]) -> None:
        began, read, era = time.monotonic(), 0, self._era
        filling = {tp: _Filling(self._opened(tp.partition)) for tp in active}
        async for tp, records in read_to_end(self.app, {tp: each.store.through + 1 for tp, each in filling.items()}):
            if era != self._era:  # given out anew meanwhile, and perhaps closed; this is done again
                return
            filling[tp].take(records)
            read += len(records)
        claimed = await asyncio.gather(*[self._claim(tp, each, era) for tp, each in filling.items()])
        if era == self._era:
            self.rows.update({tp.partition: rows for tp, rows in zip(filling, claimed, strict=True) if rows})
            seconds = time.monotonic() - began
            log.info(
                "table %s: %d partitions restored from %d records in %.2f s", self.name, len(claimed), read, seconds
            )

    async def _claim(self, tp: TP, filling: "_Filling", era: int) -> PartitionRows | None:
        """Says that what counts from now on is this worker's; None if the partition was given out anew meanwhile."""
        claim, store = new_claim(), filling.store
        place = await self._send(tp, CLAIM, claim, claim, era)
        if place is None:
            return None
        if place <= store.through:
            log.warning("%s/%s is read from its beginning: its changelog has lost records", self.name, tp.partition)
            filling.forget()
        if place > store.through + 1:  # the worker before was still writing
            async for _, records in read_to_end(self.app, {tp: store.through + 1}, {tp: place}):
                if era != self._era:
                    return None
                filling.take([record for record in records if record.offset < place])
            filling.reached(place - 1)
        rows = PartitionRows(store, claim)
        rows.settle(CLAIM, claim, place)
        for key in sorted(filling.stale):  # else compaction would keep the stale row, for being the last
            value = store.get(key)
            place = await self._send(tp, key, value, claim, era)
            if place is None:
                return None
            rows.settle(key, value, place)
        rows.flush()
        return rows

    async def _send(self, tp: TP, key: bytes, value: bytes | None, claim: bytes, era: int) -> int | None:
        """Writes to the changelog, however long it takes; gives the offset, None if it was given out anew."""
        waits = False
        while era == self._era:
            try:
                sent = await self.app.producer.send(tp.topic, key, value, tp.partition, None, naming(claim))
                offset: int = (await sent).offset
            except (KafkaError, ProducerSendError) as error:
                if not waits:
                    log.warning("%s/%s cannot be claimed yet: %r", self.name, tp.partition, error)
                waits = True
                await asyncio.sleep(_AGAIN)
            else:
                return offset if era == self._era else None
        return None

    def _opened(self, partition: int) -> PartitionStore:
        if partition not in self._stores:
            self._stores[partition] = self._open_store(self.name, partition)
        return self._stores[partition]

    async def on_stop(self) -> None:
        """Lets go of all files."""
        self.rows.clear()
        self._era += 1
        while self._stores:
            self._stores.popitem()[1].close()


class StateTables(TableManager):
    """Faust's table manager, without its wait at start and without its recovery."""

    async def on_start(self) -> None:
        """Registers the changelogs."""
        await self._update_channels()
        await self.recovery.start()

    @property
    def recovery(self) -> Recovery:
        """Faust's recovery service: it goes through its motions and reads nothing."""
        if self._recovery is None:
            self._recovery = Restoring(self.app, self, beacon=self.beacon, loop=self.loop)
        return self._recovery


class Restoring(Recovery):
    """Faust's service that says when tables are to be restored, and lets the flow go on afterwards."""

    def need_recovery(self) -> bool:
        """Never: tables restore themselves when this service says that it is done."""
        return False

    async def _wait(self, coro: Any, timeout: Any = None) -> None:  # noqa: ASYNC109 - Faust's
        """Waits as long as it takes, or until partitions are given out anew.

        Faust takes a wait that ran out for the worker's end. A broker that was away for longer would be back,
        and nothing opened any more.
        """
        await super()._wait(coro)


async def read_to_end(
    app: Any, starts: Mapping[TP, int], ends: Mapping[TP, int] | None = None
) -> AsyncIterator[tuple[TP, list[Any]]]:
    """Reads partitions from given offsets to where they end now, in order, in batches.

    Args:
        app: whose broker and credentials to use.
        starts: the first offset wanted, by partition.
        ends: read no further than just before these.

    Yields:
        Non-empty batches of aiokafka's records; the last one may reach behind `ends`.
    """
    if not starts:
        return
    async with _reader(app) as consumer:
        tops = {_tp(tp): end for tp, end in (await consumer.end_offsets(_kafkas(starts))).items()}
        left = {tp: min(end, (ends or tops)[tp]) for tp, end in tops.items()}
        left = {tp: end for tp, end in left.items() if end > starts[tp]}
        consumer.assign(_kafkas(left))
        for tp in left:
            consumer.seek(tp, starts[tp])
        async for batch in _until(consumer, left):
            yield batch


async def log_bounds(app: Any, partitions: Iterable[TP]) -> dict[TP, tuple[int, int]]:
    """Where partitions begin and end: the first offset, and the one behind the last."""
    wanted = _kafkas(partitions)
    async with _reader(app) as consumer:
        begins, ends = await consumer.beginning_offsets(wanted), await consumer.end_offsets(wanted)
    return {_tp(tp): (begins[tp], ends[tp]) for tp in wanted}


@contextlib.asynccontextmanager
async def _reader(app: Any) -> AsyncIterator[Any]:
    """A plain consumer, of no group."""
    consumer = aiokafka.AIOKafkaConsumer(
        bootstrap_servers=",".join(server_list(app.transport.url, app.transport.default_port)),
        auto_offset_reset="earliest",
        enable_auto_commit=False,
        **credentials_to_aiokafka_auth(app.conf.broker_credentials, app.conf.ssl_context),
    )
    try:
        await consumer.start()
        yield consumer
    finally:
        await consumer.stop()


async def _until(consumer: Any, left: dict[TP, int]) -> AsyncIterator[tuple[TP, list[Any]]]:
    while left:
        for tp, records in (await consumer.getmany(*_kafkas(left), timeout_ms=200, max_records=_BATCH)).items():
            if records:
                yield _tp(tp), records
        # Not the last record's offset: compaction may have taken that one away.
        for tp in [tp for tp in left if await consumer.position(ensure_aiokafka_TP(tp)) >= left[tp]]:
            del left[tp]


def _kafkas(partitions: Iterable[TP]) -> list[Any]:
    return [ensure_aiokafka_TP(tp) for tp in partitions]


def _tp(tp: Any) -> TP:
    return TP(tp.topic, tp.partition)

"""A stage's table: rows behind a changelog, one changelog per stage.

The rows of a stage and its watermark share one changelog partition, so a watermark never comes
back without the rows written before it. Faust decides who owns which partition; restoring is done
by `lawful.streams.restoring`, with a plain consumer: Faust's recovery runs through the flow control
of the main consumer and was seen to lose updates on the way (design: traps).
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import faust
from aiokafka.errors import KafkaError
from faust.stores.memory import Store as UnusedStore
from faust.tables.manager import TableManager
from faust.tables.recovery import Recovery
from faust.types import TP, StoreT

from lawful.streams.reading import passes
from lawful.streams.restoring import GivenOutAnew, Restorer
from lawful.streams.rows import PartitionRows
from lawful.streams.store import MemoryStore, PartitionStore, RocksStore

log = logging.getLogger(__name__)

OpenStore = Callable[[str, int], PartitionStore]
"""Opens the rows of a table's partition."""

_AGAIN = 0.2


def in_memory(_table: str, _partition: int) -> PartitionStore:
    """Rows that are gone with the process."""
    return MemoryStore()


def in_rocksdb(folder: Path) -> OpenStore:
    """Rows on disk; the folder belongs to one worker."""
    return lambda table, partition: RocksStore(folder / f"{table}-{partition}")


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
        self._given: set[int] = set()
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
        """Closes partitions that went to somebody else."""
        self.revoke()
        mine = {tp.partition for tp in assigned if tp.topic == self.changelog_topic_name}
        for partition in [number for number in self._stores if number not in mine]:
            self._stores.pop(partition).close()
        self._given |= mine

    async def on_recovery_completed(self, active_tps: set[TP], standby_tps: set[TP]) -> None:
        """Reads the changelogs of all active partitions to their end."""
        try:
            await self._restore(active_tps)
        except Exception as error:
            log.exception("table %s could not be restored", self.name)
            await self.app.must_stop(f"table {self.name} could not be restored: {error!r}")

    def revoke(self) -> None:
        """Nothing counts as restored until it is again; nothing is restored until it is known whose it is."""
        self.rows.clear()
        self._given.clear()
        self._era += 1

    async def reopen(self, partition: int) -> None:
        """Reads what others have written to a closed partition's changelog, and claims it anew, if it is still here."""
        await self._restore([TP(self.changelog_topic_name, partition)])

    async def _restore(self, active: Iterable[TP]) -> None:
        era, partitions = self._era, [tp for tp in active if tp.partition in self._given]
        while era == self._era:
            try:
                await self._restore_once(partitions, era)
            except GivenOutAnew:
                return
            except KafkaError as error:
                if not passes(error):
                    raise
                log.warning("table %s cannot be restored yet: %r", self.name, error)
                await asyncio.sleep(_AGAIN)
            else:
                return

    async def _restore_once(self, partitions: list[TP], era: int) -> None:
        began, restorer = time.monotonic(), Restorer(self.app, lambda: era == self._era)
        rows = await restorer.restore({tp: self._opened(tp.partition) for tp in partitions})
        self.rows.update({tp.partition: each for tp, each in rows.items()})
        seconds, read = time.monotonic() - began, restorer.read
        log.info("table %s: %d partitions restored from %d records in %.2f s", self.name, len(rows), read, seconds)

    def _opened(self, partition: int) -> PartitionStore:
        if partition not in self._stores:
            self._stores[partition] = self._open_store(self.name, partition)
        return self._stores[partition]

    async def on_stop(self) -> None:
        """Lets go of all files."""
        self.revoke()
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

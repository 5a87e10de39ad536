"""A changelog in memory: one partition, written by several workers, some of whom have been replaced."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from types import SimpleNamespace
from typing import Any

from faust.types import TP

from lawful.streams.claims import Claims
from lawful.streams.store import MemoryStore, PartitionStore
from lawful.streams.tables import OpenStore, StateTable

CHANGELOG = TP("lawful-workers-progress-changelog", 0)


class Changelog:
    """What the broker has, and what workers use of it.

    Attributes:
        records: in the order of their offsets.
        end: the next record's offset.
        before: what comes in just before the next record does.
        faults: what becomes of the next records instead.
    """

    def __init__(self) -> None:
        self.records: list[Any] = []
        self.end = 0
        self.before: list[Any] = []
        self.faults: list[Exception] = []

    async def send(
        self, _topic: str, key: bytes, value: bytes | None, _partition: int, _stamp: object, headers: Any
    ) -> "asyncio.Future[Any]":
        """As Faust's producer does."""
        sent: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        if self.faults:
            sent.set_exception(self.faults.pop(0))
            return sent
        while self.before:
            row = self.before.pop(0)
            self._append(row.key, row.value, row.headers)
        sent.set_result(SimpleNamespace(offset=self._append(key, value, headers)))
        return sent

    async def read(
        self, _app: Any, starts: Mapping[TP, int], ends: Mapping[TP, int] | None = None
    ) -> AsyncGenerator[tuple[TP, list[Any]], None]:
        """As `lawful.streams.reading.read_to_end` does."""
        await asyncio.sleep(0)
        for tp, start in starts.items():
            end = self.end if ends is None else ends[tp]
            if found := [row for row in self.records if start <= row.offset and (start < end) and row.offset <= end]:
                yield tp, found

    def rows(self) -> dict[bytes, bytes | None]:
        """What counts of it, by key."""
        claims = Claims()
        return {row.key: row.value for row in self.records if claims.count(row.key, row.value, row.offset, row.headers)}

    def compact(self) -> None:
        """Keeps the last record of every key, and no tombstone."""
        last = {row.key: row.offset for row in self.records}
        self.records = [row for row in self.records if row.offset == last[row.key] and row.value is not None]

    def last(self, key: bytes) -> bytes | None:
        """The value of a key's last row, whether it counts or not."""
        return next((row.value for row in reversed(self.records) if row.key == key), None)

    def lose(self, count: int) -> None:
        """The broker has lost its last records."""
        self.end -= count
        self.records = [row for row in self.records if row.offset < self.end]

    def table(self, store: PartitionStore | None = None) -> StateTable:
        """A worker's table, without the app that Faust wants around it."""
        kept = MemoryStore() if store is None else store
        return table(lambda _table, _partition: kept, self)

    def _append(self, key: bytes, value: bytes | None, headers: Any) -> int:
        offset, self.end = self.end, self.end + 1
        self.records.append(SimpleNamespace(key=key, value=value, headers=tuple(headers), offset=offset))
        return offset


def table(open_store: OpenStore, producer: Any) -> StateTable:
    """A table without the app that Faust wants around it."""
    made = StateTable.__new__(StateTable)
    made.name, made.rows, made._stores, made._given, made._era = "progress", {}, {}, {CHANGELOG.partition}, 0
    made._open_store = open_store
    made.app = SimpleNamespace(must_stop=_must_stop, producer=producer)
    made.changelog_topic = SimpleNamespace(get_topic_name=lambda: CHANGELOG.topic)  # type: ignore[assignment]
    return made


async def _must_stop(reason: str) -> None:
    raise AssertionError(reason)

"""From rows to batches: dropping duplicates, cutting, naming. No I/O.

A batch must be one part of one table partition, since only that is inserted all or not at all; if
a later half could be there without the earlier one, the position read from ClickHouse would skip
rows. So batches are cut where the day (UTC) of the log changes, per Kafka partition, in order.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby
from typing import Any

from lawful.infra.audit_writer.ports import Table
from lawful.infra.clickhouse.rows import Row


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows that are inserted together.

    Attributes:
        token: the same for the same rows from the same places, and for nothing else.
    """

    table: Table
    rows: tuple[Row, ...]
    token: str


@dataclass(frozen=True, slots=True)
class Read:
    """One record as a row of one of the tables; `readable` tells the limit."""

    table: Table
    row: Row
    readable: bool


def rows_of(read: Iterable[Read], table: Table) -> list[Row]:
    """The rows that go into a table, in their order."""
    return [each.row for each in read if each.table is table]


def first_of_each(found: Iterable[Row], known: set[tuple[Any, ...]]) -> list[Row]:
    """The rows whose key is neither known nor that of an earlier row."""
    seen = set(known)
    fresh = []
    for row in found:
        if row.key not in seen:
            seen.add(row.key)
            fresh.append(row)
    return fresh


def cut(table: Table, found: Sequence[Row]) -> list[Batch]:
    """Batches in the order in which they must be inserted."""
    return [Batch(table, tuple(part), token(part)) for part in _by_day(found)]


def token(found: Sequence[Row]) -> str:
    """Names a batch by its places and its keys.

    The places alone would not do: after a topic was made anew, the same places hold other rows,
    and ClickHouse drops in silence what has a token that it knows.
    """
    spans = []
    for (topic, partition), part in groupby(sorted(found, key=_place), key=lambda row: _place(row)[:2]):
        offsets = [row.place.offset for row in part]
        spans.append(f"{topic}/{partition}/{offsets[0]}-{offsets[-1]}")
    keys = sha256("\0".join(str(part) for row in found for part in row.key).encode(errors="surrogatepass"))
    return f"{','.join(spans)}/{keys.hexdigest()[:32]}"


def _by_day(found: Sequence[Row]) -> Iterator[list[Row]]:
    """Runs of one day each, such that no row comes before an earlier one of its Kafka partition."""
    ordered = sorted(found, key=_place)
    queues = [
        [(day, list(run)) for day, run in groupby(part, key=lambda row: row.place.day)]
        for _, part in groupby(ordered, key=lambda row: _place(row)[:2])
    ]
    while queues:
        today = min(queue[0][0] for queue in queues)
        due = [queue.pop(0)[1] for queue in queues if queue[0][0] == today]
        yield [row for run in due for row in run]
        queues = [queue for queue in queues if queue]


def _place(row: Row) -> tuple[str, int, int]:
    return row.place.topic, row.place.partition, row.place.offset

"""From rows to batches: dropping duplicates, cutting, linking, naming. No I/O.

A batch must be one part of one table partition, since only that is inserted all or not at all; if
a later half could be there without the earlier one, the position read from ClickHouse would skip
rows. So batches are cut where the day (UTC) of the log changes, per Kafka partition, in order.

Audit rows are links of a chain, so a batch of them is of one Kafka partition, and is named by the
number of its first row in the chain. ClickHouse takes one insert of a name: of two writers who both
believe that the chain ends here, one gets his rows in, and the other's are dropped.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby
from typing import Any

from lawful.infra.audit_chain.link import Head, Linker
from lawful.infra.audit_writer.ports import Batch, Table
from lawful.infra.clickhouse.rows import Partition, Row


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


def cut(found: Sequence[Row]) -> list[Batch]:
    """Dead letters as batches, in the order in which they must be inserted."""
    return [Batch(Table.DEAD_LETTERS, tuple(part), token(part)) for part in _by_day(found)]


def linked(found: Sequence[Row], heads: Mapping[Partition, Head], linker: Linker) -> list[Batch]:
    """Audit rows as batches, each behind what its chain ends with once the ones before it are in."""
    ends = dict(heads)
    return [_link(tuple(part), ends, linker) for part in _by_partition_and_day(found)]


def _link(part: tuple[Row, ...], ends: dict[Partition, Head], linker: Linker) -> Batch:
    partition = Partition(part[0].place.topic, part[0].place.partition)
    before = ends.get(partition, Head())
    made = linker.link(part, before)
    ends[partition] = made.head
    name = f"chain/{partition.topic}/{partition.number}/{before.number + 1}"
    return Batch(Table.AUDIT, part, name, made.wire, before, made.head)


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


def _by_partition_and_day(found: Sequence[Row]) -> Iterator[list[Row]]:
    for _, part in groupby(sorted(found, key=_place), key=lambda row: _place(row)[:2]):
        for _, run in groupby(part, key=lambda row: row.place.day):
            yield list(run)


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

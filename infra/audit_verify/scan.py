"""Streams the rows of all chains, each in the order of the log, in constant memory.

The table is sorted by event, not by place in the log. So rows are fetched in runs that ClickHouse
sorts in memory, and a run takes from every chain what was written at about the same time: that lies
together in the table, and is read once. How many rows lie where is asked first, so a row at an
absurd offset costs one run and no more.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from clickhouse_connect.driver.binding import format_str
from clickhouse_connect.driver.client import Client
from clickhouse_connect.driver.common import StreamContext

from lawful.infra.audit_chain.form import canonical_sql
from lawful.infra.clickhouse.client import mapped
from lawful.infra.clickhouse.rows import Partition

RUN_ROWS = 65_536
"""Rows that ClickHouse sorts at once: some 75 MB, while the run before is read."""

VIEW = "chain"
_LEAST = 512


class Link(NamedTuple):
    """One row as it stands in the table. A tuple, since there are millions of them.

    Attributes:
        number: what its column says.
        form: its canonical form, which the hash covers.
    """

    tenant_id: str
    event_id: bytes
    offset: int
    number: int
    prev_hash: str
    row_hash: str
    note: bytes
    form: bytes


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of one chain: from one offset to another, how many rows, written at about what time."""

    of: Partition
    first: int
    last: int
    rows: int
    at: int


def partitions(client: Client) -> list[Partition]:
    """The chains that have rows."""
    with mapped("listing the chains"):
        found = client.query(
            f"SELECT log_topic, log_partition FROM {VIEW} GROUP BY log_topic, log_partition "  # noqa: S608 - a constant
            "ORDER BY log_topic, log_partition"
        ).result_rows
    return [Partition(str(topic), int(number)) for topic, number in found]


def links(
    client: Client, chains: Sequence[Partition], since: Mapping[Partition, int]
) -> Iterator[tuple[Partition, Iterator[Link]]]:
    """The rows that are there now, in stretches of one chain each; a chain's stretches are in order.

    Args:
        client: on the audit's database.
        chains: those that have rows.
        since: offsets to begin at, in chains that are not read from their beginning.
    """
    found = runs(_pieces(client, max(_LEAST, RUN_ROWS // max(1, len(chains))), since))
    with ThreadPoolExecutor(1, thread_name_prefix="rows-ahead") as pool, ExitStack() as last:
        ahead: deque[Future[StreamContext]] = deque()
        last.callback(_close, ahead)
        for run in found:
            # ClickHouse sorts the next run while this one is checked.
            ahead.append(pool.submit(_rows, client, " OR ".join(map(_where, run))))
            if len(ahead) > 1:
                yield from _read(ahead.popleft())
        while ahead:
            yield from _read(ahead.popleft())


def runs(pieces: Sequence[Piece], most: int = RUN_ROWS) -> Iterator[list[Piece]]:
    """Pieces of about the same time together, up to so many rows; each chain's in their order."""
    run: list[Piece] = []
    for piece in sorted(pieces, key=lambda each: (each.at, each.of.topic, each.of.number, each.first)):
        if run and sum(each.rows for each in run) + piece.rows > most:
            yield run
            run = []
        run.append(piece)
    if run:
        yield run


def _pieces(client: Client, size: int, since: Mapping[Partition, int]) -> list[Piece]:
    with mapped("counting rows"):
        found = client.query(
            "SELECT log_topic, log_partition, min(log_offset), max(log_offset), count(), "  # noqa: S608 - constants
            f"toUnixTimestamp64Milli(min(logged_at)) FROM {VIEW} "
            f"GROUP BY log_topic, log_partition, intDiv(log_offset, {size:d}) ORDER BY 1, 2, 3"
        ).result_rows
    pieces: list[Piece] = []
    for topic, number, first, last, count, at in found:
        of = Partition(str(topic), int(number))
        begin = since.get(of)
        if begin is not None and last < begin:
            continue
        # Times never go back along a chain here, whatever columns say: the order of the log is what counts.
        latest = pieces[-1].at if pieces and pieces[-1].of == of else at
        pieces.append(Piece(of, first if begin is None else max(first, begin), last, count, max(at, latest)))
    return pieces


def _where(piece: Piece) -> str:
    chain = f"log_topic = {format_str(piece.of.topic)} AND log_partition = {piece.of.number:d}"
    return f"({chain} AND log_offset >= {piece.first:d} AND log_offset <= {piece.last:d})"


def _rows(client: Client, where: str) -> StreamContext:
    sql = (
        "SELECT log_topic, log_partition, tenant_id, event_id, log_offset, chain_no, prev_hash, "  # noqa: S608 - quoted
        f"row_hash, note, {canonical_sql()} AS form FROM {VIEW} WHERE {where} "
        "ORDER BY log_topic, log_partition, log_offset, chain_no, row_hash"
    )
    return client.query_column_block_stream(sql, query_formats={"String": "bytes"})


def _read(rows: "Future[StreamContext]") -> Iterator[tuple[Partition, Iterator[Link]]]:
    with mapped("reading rows"), rows.result() as blocks:
        for topics, numbers, *columns in blocks:
            begin = 0
            for (topic, number), same in groupby(zip(topics, numbers, strict=True)):
                end = begin + sum(1 for _ in same)
                yield Partition(topic.decode(), number), _links(columns, begin, end)
                begin = end


def _close(ahead: "Iterable[Future[StreamContext]]") -> None:
    """Lets go of what nobody will read, since something else failed."""
    for each in ahead:
        with suppress(Exception), each.result():
            pass


def _links(columns: Sequence[Sequence[object]], begin: int, end: int) -> Iterator[Link]:
    tenants, events, offsets, numbers, before, hashes, notes, forms = (column[begin:end] for column in columns)
    texts = [map(_text, column) for column in (tenants, before, hashes)]  # type: ignore[arg-type]
    return map(Link, texts[0], events, offsets, numbers, texts[1], texts[2], notes, forms)


def _text(raw: bytes) -> str:
    return raw.decode(errors="surrogateescape")

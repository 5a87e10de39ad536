"""Streams the rows of a chain in the order of the log, in constant memory.

The table is sorted by event, not by place in the log, so rows are fetched in runs of offsets, each
small enough to be sorted in memory by ClickHouse. How many rows lie where is asked first, so a row
at an absurd offset costs one run and no more.
"""

from collections.abc import Iterator
from typing import NamedTuple

from clickhouse_connect.driver.binding import format_str
from clickhouse_connect.driver.client import Client

from lawful.infra.audit_chain.form import canonical_sql
from lawful.infra.clickhouse.client import mapped
from lawful.infra.clickhouse.rows import Partition

RUN_ROWS = 32_768
"""Rows that ClickHouse sorts at once: some 40 MB."""

VIEW = "chain"


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


def partitions(client: Client) -> list[Partition]:
    """The chains that have rows."""
    with mapped("listing the chains"):
        found = client.query(
            f"SELECT log_topic, log_partition FROM {VIEW} GROUP BY log_topic, log_partition "  # noqa: S608 - a constant
            "ORDER BY log_topic, log_partition"
        ).result_rows
    return [Partition(str(topic), int(number)) for topic, number in found]


def links(client: Client, of: Partition, since: tuple[int, int] | None = None) -> Iterator[Link]:
    """The rows of one chain that are there now, in the order of the log.

    Args:
        client: on the audit's database.
        of: the chain.
        since: offset and number of the row to begin with.
    """
    where = f"log_topic = {format_str(of.topic)} AND log_partition = {of.number:d}"
    if since is not None:
        offset, number = since
        where += f" AND (log_offset > {offset:d} OR log_offset = {offset:d} AND chain_no >= {number:d})"
    for first, last in _runs(client, where):
        yield from _run(client, f"{where} AND log_offset >= {first} AND log_offset <= {last}")


def _runs(client: Client, where: str) -> Iterator[tuple[int, int]]:
    with mapped("counting rows"):
        found = client.query(
            "SELECT min(log_offset), max(log_offset), count() AS n "  # noqa: S608 - quoted above
            f"FROM {VIEW} WHERE {where} GROUP BY intDiv(log_offset, {RUN_ROWS // 4}) ORDER BY min(log_offset)"
        ).result_rows
    begin, size = None, 0
    end = 0
    for low, high, count in found:
        if begin is not None and size + count > RUN_ROWS:
            yield begin, end
            begin, size = None, 0
        begin, size, end = low if begin is None else begin, size + count, high
    if begin is not None:
        yield begin, end


def _run(client: Client, where: str) -> Iterator[Link]:
    sql = (
        "SELECT tenant_id, event_id, log_offset, chain_no, prev_hash, row_hash, note, "  # noqa: S608 - quoted above
        f"{canonical_sql()} AS form FROM {VIEW} WHERE {where} ORDER BY log_offset, chain_no, row_hash"
    )
    with mapped("reading rows"), client.query_column_block_stream(sql, query_formats={"String": "bytes"}) as blocks:
        for tenants, events, offsets, numbers, before, hashes, notes, forms in blocks:
            texts = [map(_text, column) for column in (tenants, before, hashes)]
            yield from map(Link, texts[0], events, offsets, numbers, texts[1], texts[2], notes, forms)


def _text(raw: bytes) -> str:
    return raw.decode(errors="surrogateescape")

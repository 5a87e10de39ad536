"""The audit writer's view of ClickHouse: ends of chains, what is there already, and inserts."""

import struct
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from clickhouse_connect.driver.binding import format_str
from clickhouse_connect.driver.client import Client
from clickhouse_connect.driver.external import ExternalData
from clickhouse_connect.driver.insert import InsertContext

from lawful.infra.audit_chain import binary, form
from lawful.infra.audit_chain.link import Head
from lawful.infra.audit_writer.ports import Batch, Table
from lawful.infra.clickhouse.client import PATIENT, Timeouts, connect, mapped
from lawful.infra.clickhouse.rows import LETTER_COLUMNS, columns
from lawful.infra.settings import ClickHouseSettings
from lawful.schemas.errors import MustStop, RetryLater

_KEYS = {
    Table.AUDIT: ("tenant_id", "event_id", "kind", "digest"),
    Table.DEAD_LETTERS: ("topic", "partition", "offset"),
}
_QUERY_ID = "lawful-audit-insert"
_RUNNING = (
    "SELECT count() FROM system.processes WHERE query_kind = 'Insert' AND user = currentUser() "
    "AND current_database = currentDatabase() AND query_id LIKE 'lawful-audit-insert%'"
)
_STRUCTURE = {
    Table.AUDIT: "tenant_id String, event_id String, kind String, digest String",
    Table.DEAD_LETTERS: "topic String, partition Int32, offset Int64",
}


class ClickHouseStore:
    """Implements `Store`; connects on first use and again after a failure.

    Args:
        settings: where and as whom.
        timeouts: how long to wait; the server gives up on an insert before the client does.
        sleep: how to wait, in seconds.
    """

    def __init__(
        self,
        settings: ClickHouseSettings,
        *,
        timeouts: Timeouts = PATIENT,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._settings = settings
        self._timeouts = timeouts
        self._sleep = sleep
        self._client: Client | None = None
        self._letters: InsertContext | None = None

    def settle(self) -> None:
        """Waits for inserts of an earlier run, which was killed, to end one way or the other.

        Until then positions would be too low, and its rows would be inserted a second time.

        Raises:
            RetryLater: they did not end within the time that the server gives them.
        """
        for attempt in range(20):
            if not self._ask(_RUNNING, "waiting for earlier inserts")[0][0]:
                return
            self._sleep(self._timeouts.query / 20 if attempt else 0.05)
        raise RetryLater("ClickHouse still executes an insert of an earlier run")

    def positions(self, topic: str) -> Mapping[int, int]:
        """See `Store`."""
        sql = (
            f"SELECT log_partition, max(log_offset) FROM {Table.DEAD_LETTERS} "  # noqa: S608 - a constant
            f"WHERE log_topic = {format_str(topic)} GROUP BY log_partition"
        )
        return {int(partition): int(offset) for partition, offset in self._ask(sql, "reading positions")}

    def heads(self, topic: str, partition: int | None = None) -> Mapping[int, Head]:
        """See `Store`. Answered by the projection of the same name, so it costs milliseconds."""
        one = "" if partition is None else f"AND log_partition = {partition:d} "
        sql = (
            "SELECT log_partition, max(log_offset), max(chain_no), argMax(row_hash, chain_no) "  # noqa: S608 - quoted
            f"FROM {Table.AUDIT} WHERE log_topic = {format_str(topic)} {one}GROUP BY log_partition"
        )
        found = self._ask(sql, "reading the ends of the chains")
        return {int(number): Head(int(offset), int(count), str(row_hash)) for number, offset, count, row_hash in found}

    def known(self, table: Table, keys: Collection[tuple[Any, ...]]) -> set[tuple[Any, ...]]:
        """See `Store`."""
        if not keys:
            return set()
        names = ", ".join(_KEYS[table])
        sql = f"SELECT {names} FROM {table} WHERE ({names}) IN (SELECT * FROM wanted)"  # noqa: S608 - constants
        # As a table beside the query, in binary: ten times faster than a list in its text, and safe
        # for whatever an event id may hold.
        wanted = ExternalData(
            data=b"".join(map(_ENCODE[table], keys)), file_name="wanted", fmt="RowBinary", structure=_STRUCTURE[table]
        )
        return {tuple(row) for row in self._ask(sql, "looking for duplicates", external_data=wanted)}

    def insert(self, batch: Batch, attempt: int = 0) -> None:
        """See `Store`. One block, so that it becomes one part."""
        settings = {
            "async_insert": 0,
            "insert_deduplication_token": f"{batch.token}#{attempt}" if attempt else batch.token,
            "query_id": f"{_QUERY_ID}-{time.monotonic_ns()}",
        }
        with self._forgetting(), mapped(f"inserting into {batch.table}"):
            client = self._connected()
            if batch.table is Table.AUDIT:
                client.raw_insert(str(batch.table), form.COLUMNS, batch.wire, settings, fmt="RowBinary")
                return
            context = self._letters = self._letters or _context(client)
            context.block_size = len(batch.rows)  # type: ignore[attr-defined]
            context.req_block_size = len(batch.rows)
            context.data = columns(batch.rows)
            context.settings = settings
            client.insert(context=context)

    def close(self) -> None:
        """Drops the connection."""
        if self._client:
            self._client.close()
        self._client = None
        self._letters = None

    def _ask(self, sql: str, what: str, external_data: ExternalData | None = None) -> Sequence[Sequence[Any]]:
        with self._forgetting(), mapped(what):
            return self._connected().query(sql, external_data=external_data).result_rows

    def _connected(self) -> Client:
        if self._client is None:
            self._client = connect(self._settings, timeouts=self._timeouts)
        return self._client

    def _forgetting(self) -> "_Forgetting":
        return _Forgetting(self)


class _Forgetting:
    """After a failure the connection is not trusted any more."""

    def __init__(self, store: ClickHouseStore) -> None:
        self._store = store

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: object) -> None:
        if isinstance(error, RetryLater | MustStop):
            self._store.close()


def _context(client: Client) -> InsertContext:
    return client.create_insert_context(str(Table.DEAD_LETTERS), column_names=LETTER_COLUMNS, column_oriented=True)


def _strings(key: tuple[Any, ...]) -> bytes:
    return b"".join(map(binary.string, key))


def _position(key: tuple[Any, ...]) -> bytes:
    topic, partition, offset = key
    return binary.string(topic) + struct.pack("<iq", partition, offset)


_ENCODE = {Table.AUDIT: _strings, Table.DEAD_LETTERS: _position}

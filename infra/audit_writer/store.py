"""The audit writer's view of ClickHouse: positions, what is there already, and inserts."""

import struct
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from clickhouse_connect.driver.binding import format_str
from clickhouse_connect.driver.client import Client
from clickhouse_connect.driver.external import ExternalData
from clickhouse_connect.driver.insert import InsertContext

from lawful.infra.audit_writer.ports import Table
from lawful.infra.clickhouse.client import PATIENT, Timeouts, connect, mapped
from lawful.infra.clickhouse.rows import AUDIT_COLUMNS, LETTER_COLUMNS, Row, columns
from lawful.infra.settings import ClickHouseSettings
from lawful.schemas.errors import MustStop, RetryLater

_COLUMNS = {Table.AUDIT: AUDIT_COLUMNS, Table.DEAD_LETTERS: LETTER_COLUMNS}
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
        self._contexts: dict[Table, InsertContext] = {}

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

    def positions(self, table: Table, topic: str) -> Mapping[int, int]:
        """See `Store`."""
        sql = (
            f"SELECT log_partition, max(log_offset) FROM {table} "  # noqa: S608 - the table is one of two constants
            f"WHERE log_topic = {format_str(topic)} GROUP BY log_partition"
        )
        return {int(partition): int(offset) for partition, offset in self._ask(sql, "reading positions")}

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

    def insert(self, table: Table, rows: Sequence[Row], token: str) -> None:
        """See `Store`. One block, so that it becomes one part."""
        with self._forgetting(), mapped(f"inserting into {table}"):
            client = self._connected()
            context = self._contexts.get(table) or self._context(client, table)
            context.block_size = len(rows)  # type: ignore[attr-defined]
            context.req_block_size = len(rows)
            context.data = columns(rows)
            context.settings = {
                "async_insert": 0,
                "insert_deduplication_token": token,
                "query_id": f"{_QUERY_ID}-{time.monotonic_ns()}",
            }
            client.insert(context=context)

    def close(self) -> None:
        """Drops the connection."""
        if self._client:
            self._client.close()
        self._client = None
        self._contexts.clear()

    def _context(self, client: Client, table: Table) -> InsertContext:
        context = client.create_insert_context(str(table), column_names=_COLUMNS[table], column_oriented=True)
        self._contexts[table] = context
        return context

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


def _strings(key: tuple[Any, ...]) -> bytes:
    return b"".join(_string(part) for part in key)


def _position(key: tuple[Any, ...]) -> bytes:
    topic, partition, offset = key
    return _string(topic) + struct.pack("<iq", partition, offset)


def _string(text: str) -> bytes:
    """RowBinary: the length as LEB128, then the bytes."""
    raw = text.encode(errors="surrogatepass")
    length, rest = bytearray(), len(raw)
    while rest >= 0x80:  # noqa: PLR2004 - seven bits a byte
        length.append(rest & 0x7F | 0x80)
        rest >>= 7
    length.append(rest)
    return bytes(length) + raw


_ENCODE = {Table.AUDIT: _strings, Table.DEAD_LETTERS: _position}

"""Where a worker keeps the rows of its partitions: in memory for tests, in RocksDB otherwise.

A store holds nothing that its changelog does not hold: rows are written after the broker has
acknowledged them, together with the changelog offset they include, in one atomic batch. So what
is on disk after any crash is the changelog up to one offset, and the rest can be read from there.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from rocksdict import AccessType, BlockBasedOptions, Cache, Options, Rdict, WriteBatch, WriteBufferManager

Row = tuple[bytes, bytes | None]

_OFFSET = b"\x00\x00offset"
_MEGABYTE = 1 << 20
_CACHE = 32 * _MEGABYTE  # what is in the buffers counts, too
_BUFFERS = 16 * _MEGABYTE
_SIZES = ("estimate-num-keys", "total-sst-files-size", "cur-size-all-mem-tables")


class PartitionStore(Protocol):
    """The rows of one partition."""

    def get(self, key: bytes) -> bytes | None:
        """One row."""
        ...

    def items(self) -> Iterator[tuple[bytes, bytes]]:
        """All rows, in no promised order."""
        ...

    def write(self, rows: Iterable[Row], through: int) -> None:
        """Sets rows (`None` deletes) that include the changelog up to an offset, all or nothing."""
        ...

    @property
    def through(self) -> int:
        """The changelog offset that the rows include; -1 for none."""
        ...

    @property
    def size(self) -> tuple[int, int]:
        """How many rows there are and how many bytes they take, about; costs next to nothing."""
        ...

    def close(self) -> None:
        """Lets go of files and locks."""
        ...


class MemoryStore:
    """Rows in a dictionary; gone with the process, restored from the changelog."""

    def __init__(self) -> None:
        self._rows: dict[bytes, bytes] = {}
        self._bytes = 0
        self._through = -1

    def get(self, key: bytes) -> bytes | None:
        """One row."""
        return self._rows.get(key)

    def items(self) -> Iterator[tuple[bytes, bytes]]:
        """All rows."""
        return iter(list(self._rows.items()))

    def write(self, rows: Iterable[Row], through: int) -> None:
        """Sets or deletes rows."""
        for key, value in rows:
            before = self._rows.get(key)
            self._bytes -= 0 if before is None else len(key) + len(before)
            if value is None:
                self._rows.pop(key, None)
            else:
                self._rows[key] = value
                self._bytes += len(key) + len(value)
        self._through = through

    @property
    def through(self) -> int:
        """The changelog offset that the rows include."""
        return self._through

    @property
    def size(self) -> tuple[int, int]:
        """Rows, and the bytes of their keys and values."""
        return len(self._rows), self._bytes

    def close(self) -> None:
        """Nothing to let go of."""


class RocksStore:
    """Rows in a RocksDB of their own; one process at a time (RocksDB's lock).

    Args:
        folder: where the database lives; created if it is not there.
    """

    def __init__(self, folder: Path) -> None:
        folder.parent.mkdir(parents=True, exist_ok=True)
        self._db = Rdict(str(folder), options=_options(), access_type=AccessType.read_write())

    def get(self, key: bytes) -> bytes | None:
        """One row."""
        value: bytes | None = self._db.get(key)
        return value

    def items(self) -> Iterator[tuple[bytes, bytes]]:
        """All rows."""
        every: Any = self._db.items()  # typed for keys of any kind; in raw mode they are bytes
        return ((key, value) for key, value in every if key != _OFFSET)

    def write(self, rows: Iterable[Row], through: int) -> None:
        """Sets or deletes rows, in one batch."""
        batch = WriteBatch(raw_mode=True)
        for key, value in rows:
            if value is None:
                batch.delete(key)
            else:
                batch.put(key, value)
        batch.put(_OFFSET, str(through).encode())
        self._db.write(batch)

    @property
    def through(self) -> int:
        """The changelog offset that the rows include."""
        value = self._db.get(_OFFSET)
        return -1 if value is None else int(value)

    @property
    def size(self) -> tuple[int, int]:
        """RocksDB's own estimates: rows, and bytes on disk and waiting to get there."""
        asked = [self._db.property_int_value(f"rocksdb.{name}") or 0 for name in _SIZES]
        return max(0, asked[0] - (self.through >= 0)), asked[1] + asked[2]

    def close(self) -> None:
        """Lets go of the database's lock."""
        self._db.close()


def _options() -> Options:
    """Small buffers of its own, and a share in what all databases of the process may take together."""
    cache, buffers = _shared()
    options = Options(raw_mode=True)
    options.create_if_missing(True)
    options.set_write_buffer_size(2 * _MEGABYTE)
    options.set_max_write_buffer_number(2)
    options.set_write_buffer_manager(buffers)
    options.set_keep_log_file_num(2)
    table = BlockBasedOptions()
    table.set_bloom_filter(10, block_based=False)
    table.set_block_cache(cache)
    table.set_cache_index_and_filter_blocks(True)
    options.set_block_based_table_factory(table)
    return options


@lru_cache(maxsize=1)
def _shared() -> tuple[Cache, WriteBufferManager]:
    """One limit for all of a process: a worker opens a database for each table of each partition."""
    cache = Cache(_CACHE)
    return cache, WriteBufferManager.new_write_buffer_manager_with_cache(_BUFFERS, False, cache)

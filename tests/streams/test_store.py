"""Rows are kept with the changelog offset they include, in memory and on disk alike."""

from pathlib import Path

import pytest

from lawful.streams import store as store_module
from lawful.streams.rows import PartitionRows
from lawful.streams.store import PartitionStore, RocksStore
from tests.engines import eventually


def test_rows_are_set_and_deleted_with_their_offset(store: PartitionStore) -> None:
    """The last write of a batch wins; the offset is that of the batch."""
    assert store.through == -1
    store.write([(b"a", b"1"), (b"b", b"2"), (b"a", b"3")], 7)
    store.write([(b"b", None), (b"c", None)], 9)
    assert store.get(b"a") == b"3"
    assert store.get(b"b") is None
    assert list(store.items()) == [(b"a", b"3")]
    assert store.through == 9


def test_all_databases_of_a_process_share_one_limit(tmp_path: Path) -> None:
    """Of 128 megabytes written to eight, no more than the limit stays in buffers once the disk has caught up.

    Until then, each has two buffers of its own at the most, however slow the disk is, and the batch that fills one.
    """
    stores = [RocksStore(tmp_path / f"rows-{number}") for number in range(8)]
    _, buffers = store_module._shared()
    for batch in range(32):
        for store in stores:
            store.write([(f"{batch}-{row}".encode(), bytes(8_192)) for row in range(64)], batch)
        assert 0 < buffers.get_usage() <= 8 * (2 * 2 + 1) * store_module._MEGABYTE
    assert eventually(lambda: 0 < buffers.get_usage() <= store_module._BUFFERS)
    assert all(store.get(b"0-0") == bytes(8_192) for store in stores)
    for store in stores:
        store.close()


def test_rows_on_disk_outlive_the_process(tmp_path: Path) -> None:
    """Closing and opening again loses nothing."""
    first = RocksStore(tmp_path / "rows")
    first.write([(b"a", b"1")], 3)
    first.close()
    second = RocksStore(tmp_path / "rows")
    assert (second.get(b"a"), second.through) == (b"1", 3)
    second.close()


def test_a_folder_has_one_owner(tmp_path: Path) -> None:
    """A second worker on the same folder is refused."""
    mine = RocksStore(tmp_path / "rows")
    with pytest.raises(Exception, match=r"(?i)lock"):
        RocksStore(tmp_path / "rows")
    mine.close()


def test_what_is_in_flight_is_seen_but_not_stored(store: PartitionStore) -> None:
    """The store holds only what the changelog has acknowledged."""
    rows = PartitionRows(store)
    rows.put(b"a", b"1")
    rows.flush()
    assert (rows.get(b"a"), store.get(b"a")) == (b"1", None)
    assert rows.settle(b"a", b"1", 0)
    rows.flush()
    assert (rows.get(b"a"), store.get(b"a"), store.through) == (b"1", b"1", 0)


def test_a_newer_row_in_flight_stays_visible_when_an_older_one_settles(store: PartitionStore) -> None:
    """Two writes of one key, one acknowledged."""
    rows = PartitionRows(store)
    rows.put(b"a", b"old")
    rows.put(b"a", b"new")
    rows.settle(b"a", b"old", 0)
    rows.flush()
    assert (rows.get(b"a"), store.get(b"a")) == (b"new", b"old")


def test_going_back_forgets_what_was_never_acknowledged(store: PartitionStore) -> None:
    """Acknowledged rows stay, others were never there."""
    rows = PartitionRows(store)
    rows.put(b"a", b"1")
    rows.put(b"b", b"2")
    rows.put(b"c", None)
    rows.settle(b"a", b"1", 0)
    rows.forget()
    assert [rows.get(key) for key in (b"a", b"b", b"c")] == [b"1", None, None]


def test_a_store_goes_no_further_than_to_what_others_have_written(store: PartitionStore) -> None:
    """An offset that is left out is somebody else's: what comes behind may rest on less than the changelog has."""
    store.write([(b"a", b"0")], 4)
    rows = PartitionRows(store)
    assert rows.settle(b"a", b"1", 5)
    assert not rows.settle(b"b", b"2", 7)
    assert not rows.settle(b"b", b"3", 8)
    assert rows.torn
    rows.forget()
    assert (store.get(b"a"), store.get(b"b"), store.through) == (b"1", None, 5)

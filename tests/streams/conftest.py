"""Stores of both kinds."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lawful.streams.store import MemoryStore, PartitionStore, RocksStore


@pytest.fixture(params=["memory", "rocksdb"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[PartitionStore]:
    """An empty store of either kind."""
    opened: PartitionStore = MemoryStore() if request.param == "memory" else RocksStore(tmp_path / "rows")
    yield opened
    opened.close()

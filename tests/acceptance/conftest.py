"""One installation that the tests of this folder share: real workers, audit writer, broker and ClickHouse."""

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from lawful.client import Guard
from lawful.schemas.event import Identifier
from tests.acceptance.house import House, values
from tests.engines import EMBEDDED, Engines

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the tests of this folder that need engines `service`."""
    for item in items:
        if HERE in item.path.parents and "engines" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.service)


@pytest.fixture(scope="session")
def house(engines: Engines, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Two workers and an audit writer that say all they can; tests use people of their own."""
    folder = tmp_path_factory.mktemp("house")
    with House(values(engines.broker(EMBEDDED), engines.clickhouse()), folder) as made:
        made.start("worker-1", "worker-2", "audit-writer", options=("--log-level", "debug"))
        yield made


@pytest.fixture
def bare(engines: Engines, tmp_path: Path) -> Iterator[House]:
    """An installation of the test's own, in which nothing runs yet."""
    with House(values(engines.broker(EMBEDDED), engines.clickhouse()), tmp_path) as made:
        yield made


@pytest.fixture
def guard(house: House) -> Guard:
    """A guard that waits long enough for a busy machine."""
    return house.guard()


@pytest.fixture
def someone() -> Identifier:
    """A person whom no other test knows."""
    return person()


@pytest.fixture
def other() -> Identifier:
    """Another one."""
    return person()


def person() -> Identifier:
    """Somebody with an e-mail address of their own."""
    return Identifier("email", f"p{uuid.uuid4().hex[:10]}@example.com")

"""Installations that the tests of this folder share: real workers, audit writer, broker and ClickHouse."""

import contextlib
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from lawful.client import Guard
from lawful.schemas.event import Identifier
from tests.acceptance.house import House, values
from tests.engines import Engines

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the tests of this folder that need engines `service`."""
    for item in items:
        if HERE in item.path.parents and "engines" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.service)


class Houses:
    """The shared installations, one per kind of broker, each made when first asked for."""

    def __init__(self, engines: Engines, folders: pytest.TempPathFactory) -> None:
        self._engines, self._folders = engines, folders
        self._stack = contextlib.ExitStack()
        self._made: dict[str, House] = {}

    def on(self, kind: str) -> House:
        """The one on this broker, its two workers and its audit writer at work."""
        if kind not in self._made:
            told = values(self._engines.broker(kind), self._engines.clickhouse())
            made = self._stack.enter_context(House(told, self._folders.mktemp("house")))
            made.start("worker-1", "worker-2", "audit-writer", options=("--log-level", "debug"))
            self._made[kind] = made
        return self._made[kind]

    def close(self) -> None:
        """Stops them all."""
        self._stack.close()


@pytest.fixture(scope="session")
def houses(engines: Engines, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Houses]:
    """All shared installations."""
    shared = Houses(engines, tmp_path_factory)
    yield shared
    shared.close()


@pytest.fixture
def house(broker_kind: str, houses: Houses) -> House:
    """Two workers and an audit writer that say all they can; tests use people of their own."""
    return houses.on(broker_kind)


@pytest.fixture
def bare(broker_kind: str, engines: Engines, tmp_path: Path) -> Iterator[House]:
    """An installation of the test's own, in which nothing runs yet."""
    with House(values(engines.broker(broker_kind), engines.clickhouse()), tmp_path) as made:
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

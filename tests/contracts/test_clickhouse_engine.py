"""What the audit relies on from ClickHouse, on the embedded engine and, when Docker answers, on the server."""

# ruff: noqa: S608 - the names in these statements are made here
from collections.abc import Iterator
from typing import Any, Protocol

import pytest
from clickhouse_connect.driver.client import Client
from clickhouse_connect.driver.exceptions import DatabaseError

from lawful.infra.engines import containers
from lawful.infra.engines.ports import LOOPBACK
from tests.engines import Engines

pytestmark = pytest.mark.service
TABLE = "(n Int64, s String) ENGINE = MergeTree ORDER BY n SETTINGS non_replicated_deduplication_window = 100"


class Server(Protocol):
    """Either of the two."""

    @property
    def port(self) -> int | None:
        """The port of its HTTP interface; it has one while it runs."""
        ...

    def client(self, user: str = ..., database: str = ...) -> Client:
        """A client for one of the users."""
        ...


@pytest.fixture(params=["embedded", "container"])
def server(request: pytest.FixtureRequest, engines: Engines) -> Iterator[Server]:
    """A running ClickHouse."""
    if request.param == "embedded":
        yield engines.clickhouse()
        return
    if why := containers.missing():
        pytest.skip(f"clickhouse-server cannot be had here: {why}")
    container = containers.ClickHouseContainer().start()
    yield container
    container.stop()


@pytest.fixture
def table(server: Server, prefix: str) -> Iterator[str]:
    """A table with two columns in a database of its own."""
    owner = server.client()
    owner.command(f"CREATE DATABASE {prefix}")
    owner.command(f"CREATE TABLE {prefix}.t {TABLE}")
    yield f"{prefix}.t"
    owner.command(f"DROP DATABASE {prefix}")
    owner.close()


@pytest.fixture
def ask(server: Server) -> Iterator[Any]:
    """Runs one statement as a user and returns its rows."""
    clients: dict[str, Client] = {}

    def run(user: str, statement: str) -> list[tuple[object, ...]]:
        client = clients.setdefault(user, server.client(user))
        return [tuple(row) for row in client.query(statement).result_rows]

    yield run
    for client in clients.values():
        client.close()


def test_the_writer_adds_rows_that_the_officer_reads(table: str, ask: Any) -> None:
    """What one user inserts, another sees."""
    ask("writer", f"INSERT INTO {table} VALUES (1, 'x'), (2, 'y')")
    assert ask("officer", f"SELECT n, s FROM {table} ORDER BY n") == [(1, "x"), (2, "y")]
    assert ask("writer", f"SELECT max(n) FROM {table}") == [(2,)]


@pytest.mark.parametrize(
    ("user", "statement"),
    [
        ("writer", "ALTER TABLE {table} DELETE WHERE 1"),
        ("writer", "ALTER TABLE {table} UPDATE s = '' WHERE 1"),
        ("writer", "DELETE FROM {table} WHERE 1"),
        ("writer", "TRUNCATE TABLE {table}"),
        ("writer", "DROP TABLE {table}"),
        ("writer", "SELECT * FROM file('/etc/hostname', 'LineAsString')"),
        ("officer", "INSERT INTO {table} VALUES (3, 'z')"),
        ("officer", "ALTER TABLE {table} DELETE WHERE 1"),
        ("officer", "CREATE TABLE {table}2 (n Int64) ENGINE = Memory"),
        ("officer", "SELECT * FROM file('/etc/hostname', 'LineAsString')"),
        ("officer", "SELECT * FROM url('http://127.0.0.1:1', 'LineAsString')"),
    ],
)
def test_nobody_but_the_owner_changes_rows_or_reads_the_host(table: str, ask: Any, user: str, statement: str) -> None:
    """The trail is append-only for the writer, read-only for the officer, and neither reaches files."""
    ask("writer", f"INSERT INTO {table} VALUES (1, 'x')")
    with pytest.raises(DatabaseError, match=r"Not enough privileges|READONLY|readonly"):
        ask(user, statement.format(table=table))
    assert ask("officer", f"SELECT n FROM {table}") == [(1,)]


def test_a_repeated_insert_with_its_token_adds_nothing(table: str, ask: Any) -> None:
    """The deduplication window holds: the same token twice is one insert."""
    for token, value in (("a", 1), ("a", 1), ("b", 1)):
        ask("writer", f"INSERT INTO {table} SETTINGS insert_deduplication_token = '{token}' VALUES ({value}, 'x')")
    assert ask("officer", f"SELECT count() FROM {table}") == [(2,)]


def test_an_officer_s_client_may_choose_output_settings(table: str, server: Server) -> None:
    """Read-only means rows, not the settings of the reader's own query."""
    client = server.client("officer")
    assert client.query("SELECT 1", settings={"max_threads": 1}).result_rows == [(1,)]
    client.close()


@pytest.mark.parametrize(("user", "password"), [("owner", ""), ("owner", "wrong"), ("nobody", "")])
def test_a_wrong_login_is_refused(server: Server, user: str, password: str) -> None:
    """Passwords count, also on loopback."""
    with pytest.raises(DatabaseError, match="Authentication failed"):
        _login(server, user, password)


def _login(server: Server, user: str, password: str) -> None:
    import clickhouse_connect  # noqa: PLC0415 - used here only

    clickhouse_connect.get_client(host=LOOPBACK, port=server.port, username=user, password=password)

"""What the writer and the officer may do, enforced by ClickHouse itself."""

from collections.abc import Iterator

import pytest
from clickhouse_connect.driver.exceptions import DatabaseError

from lawful.infra.audit_writer.ports import Table
from lawful.infra.audit_writer.store import ClickHouseStore
from lawful.infra.clickhouse import grants
from lawful.infra.clickhouse.client import connect
from lawful.infra.clickhouse.migrate import migrate
from lawful.infra.clickhouse.query import Officer
from lawful.infra.clickhouse.rows import LogPlace, process
from lawful.infra.engines.clickhouse import EmbeddedClickHouse
from lawful.infra.settings import ClickHouseSettings
from lawful.schemas.errors import MustStop
from tests.infra import records

DATABASE = "lawful"


@pytest.fixture(scope="module")
def engine() -> Iterator[EmbeddedClickHouse]:
    """A ClickHouse whose users have exactly the privileges that `grants` lists."""
    rights = {grants.WRITER: grants.writer(DATABASE), grants.OFFICER: grants.officer(DATABASE)}
    with EmbeddedClickHouse(grants=rights) as running:
        migrate(acting(running, grants.OWNER))
        yield running


def acting(engine: EmbeddedClickHouse, user: str) -> ClickHouseSettings:
    """Settings of one of the users."""
    return ClickHouseSettings(
        host=engine.host, port=engine.port or 0, user=user, password=engine.password(user), database=DATABASE
    )


def test_the_writer_can_do_all_it_needs(engine: EmbeddedClickHouse) -> None:
    """Settling, positions, look-ups and inserts work with its few privileges."""
    store = ClickHouseStore(acting(engine, grants.WRITER))
    row = process(records.audited(1), LogPlace("t.audit", 0, 5, 1_000))
    store.settle()
    store.insert(Table.AUDIT, [row], "token")
    assert store.known(Table.AUDIT, {row.key}) == {row.key}
    assert store.known(Table.DEAD_LETTERS, {("t", 0, 1)}) == set()
    assert store.positions(Table.AUDIT, "t.audit") == {0: 5}
    assert store.positions(Table.DEAD_LETTERS, "t.dead-letters") == {}
    store.close()


@pytest.mark.parametrize("user", [grants.WRITER, grants.OFFICER])
@pytest.mark.parametrize(
    "sql",
    [
        "ALTER TABLE audit DELETE WHERE 1",
        "ALTER TABLE audit UPDATE decision = 'forward' WHERE 1",
        "DELETE FROM audit WHERE 1",
        "TRUNCATE TABLE audit",
        "DROP TABLE audit",
        "ALTER TABLE audit DROP PARTITION 197001",
        "RENAME TABLE audit TO other",
        "CREATE TABLE mine (x Int32) ENGINE = MergeTree ORDER BY x",
        "SELECT * FROM file('/etc/hostname', 'LineAsString')",
    ],
)
def test_neither_can_change_or_remove_a_row(engine: EmbeddedClickHouse, user: str, sql: str) -> None:
    """ClickHouse refuses, whoever holds the password."""
    client = connect(acting(engine, user))
    with pytest.raises(DatabaseError, match=r"Not enough privileges|readonly"):
        client.command(sql)
    client.close()


def test_the_writer_cannot_read_what_was_found(engine: EmbeddedClickHouse) -> None:
    """It reads keys and positions, not findings, verdicts or people."""
    client = connect(acting(engine, grants.WRITER))
    with pytest.raises(DatabaseError, match="Not enough privileges"):
        client.query("SELECT subject FROM audit")
    with pytest.raises(DatabaseError, match="Not enough privileges"):
        client.query("SELECT * FROM verdicts")
    client.close()


def test_the_officer_can_read_all_and_only_read(engine: EmbeddedClickHouse) -> None:
    """Views and tables answer; an insert is refused."""
    officer = Officer(acting(engine, grants.OFFICER))
    assert officer.ask("SELECT count() >= 0 FROM verdicts").rows == [(1,)]
    assert officer.ask("SELECT count() >= 0 FROM latest_consent").rows == [(1,)]
    assert "audit" in [name for (name,) in officer.ask("SHOW TABLES").rows]
    with pytest.raises(MustStop, match=r"ACCESS_DENIED|READONLY"):
        officer.ask("INSERT INTO dead_letters (topic) VALUES ('x')")


def test_a_refused_login_names_the_cause(engine: EmbeddedClickHouse) -> None:
    """A wrong password stops with a message that does not show it."""
    wrong = ClickHouseSettings(host=engine.host, port=engine.port or 0, user="writer", password="not-this-one")
    with pytest.raises(MustStop, match="AUTHENTICATION_FAILED") as caught:
        connect(wrong)
    assert "not-this-one" not in str(caught.value)

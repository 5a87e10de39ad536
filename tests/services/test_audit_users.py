"""What the writer and the officer may do, enforced by ClickHouse itself."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from clickhouse_connect.driver.exceptions import DatabaseError

from lawful.infra.audit_writer.ports import Table
from lawful.infra.audit_writer.store import ClickHouseStore
from lawful.infra.clickhouse import grants
from lawful.infra.clickhouse.client import connect
from lawful.infra.clickhouse.migrate import migrate
from lawful.infra.clickhouse.query import Officer
from lawful.infra.clickhouse.rows import LogPlace, process
from lawful.infra.engines import clickhouse_config
from lawful.infra.engines.clickhouse import EmbeddedClickHouse
from lawful.infra.engines.clickhouse_config import least_grants
from lawful.infra.settings import ClickHouseSettings
from lawful.schemas.errors import ConfigurationError, MustStop
from tests.infra import records
from tests.infra.chains import write

DATABASE = "lawful"


@pytest.fixture(scope="module")
def engine() -> Iterator[EmbeddedClickHouse]:
    """A ClickHouse whose users have exactly the privileges that `grants` lists."""
    rights = {**least_grants(DATABASE), grants.OWNER: grants.owner(DATABASE)}
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
    write(store, [row])
    assert store.known(Table.AUDIT, {row.key}) == {row.key}
    assert store.known(Table.DEAD_LETTERS, {("t", 0, 1)}) == set()
    assert {number: head.offset for number, head in store.heads("t.audit").items()} == {0: 5}
    assert store.positions("t.dead-letters") == {}
    store.close()


@pytest.mark.parametrize("user", [grants.WRITER, grants.OFFICER, grants.OWNER])
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
        "ALTER TABLE audit MODIFY TTL logged_at + INTERVAL 1 DAY",
        "DETACH TABLE audit",
        "SELECT * FROM file('/etc/hostname', 'LineAsString')",
        "INSERT INTO FUNCTION file('taken.tsv') SELECT event_id FROM audit",
    ],
)
def test_nobody_can_change_or_remove_a_row(engine: EmbeddedClickHouse, user: str, sql: str) -> None:
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


def test_the_officer_can_read_every_view_and_only_read(engine: EmbeddedClickHouse) -> None:
    """Views answer, and read the tables for the officer, who cannot; an insert is refused."""
    officer = Officer(acting(engine, grants.OFFICER))
    for view in grants.VIEWS:
        assert officer.ask(f"SELECT count() >= 0 FROM {view}").rows == [(1,)]  # noqa: S608 - a view of ours
    assert "audit" in [name for (name,) in officer.ask("SHOW TABLES").rows]
    for table in ("audit", "dead_letters"):
        with pytest.raises(ConfigurationError, match=rf"SELECT\(…?[^()]*\) ON lawful.{table}. \(ACCESS_DENIED\)"):
            officer.ask(f"SELECT * FROM {table}")  # noqa: S608 - a table of ours
    with pytest.raises(ConfigurationError, match=r"ACCESS_DENIED|READONLY"):
        officer.ask("INSERT INTO dead_letters (topic) VALUES ('x')")


def test_a_refused_login_names_the_cause(engine: EmbeddedClickHouse) -> None:
    """A wrong password stops with a message that does not show it."""
    wrong = ClickHouseSettings(host=engine.host, port=engine.port or 0, user="writer", password="not-this-one")
    with pytest.raises(MustStop, match="AUTHENTICATION_FAILED") as caught:
        connect(wrong)
    assert "not-this-one" not in str(caught.value)


def test_every_view_is_among_those_that_officers_read(engine: EmbeddedClickHouse) -> None:
    """A view that a migration adds is granted, and told of, or this fails."""
    client = connect(acting(engine, grants.OWNER))
    sql = "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine = 'View'"
    assert {name for (name,) in client.query(sql).result_rows} == set(grants.VIEWS)
    client.close()


def test_the_sql_for_a_server_parses(engine: EmbeddedClickHouse) -> None:
    """Users, grants and row policies are in ClickHouse's own grammar, whatever a tenant is called."""
    client = engine.client()
    for statement in grants.users_sql("lawful", ["acme", "it's \\ `odd`"]):
        client.query("SELECT formatQuery({sql:String})", parameters={"sql": statement})
    client.close()


def test_the_sql_for_a_server_is_refused_until_passwords_are_filled_in(engine: EmbeddedClickHouse) -> None:
    """Run as it is printed, it makes no user with a password that everybody knows."""
    client = engine.client()
    for statement in grants.users_sql("lawful", ["acme"]):
        if "CREATE USER" in statement:
            with pytest.raises(DatabaseError, match="is not set"):
                client.command(statement)
    client.close()


def test_an_officer_of_one_tenant_sees_that_tenant_s_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row policy on a view holds although the view reads the table on behalf of its owner."""
    whole = clickhouse_config.users_xml

    def limited(*given: Any) -> str:
        view = "<verdicts><filter>tenant_id = 'acme'</filter></verdicts>"
        databases = f"<databases><{DATABASE}>{view}</{DATABASE}></databases>"
        return (
            whole(*given)
            .replace("</officer></users>", f"{databases}</officer></users>")
            .replace("</officer><retention>", f"{databases}</officer><retention>")
        )

    monkeypatch.setattr(clickhouse_config, "users_xml", limited)
    with EmbeddedClickHouse(grants=least_grants(DATABASE)) as engine:
        migrate(acting(engine, grants.OWNER))
        store = ClickHouseStore(acting(engine, grants.WRITER))
        ours = records.audited(1)
        theirs = replace(ours, view=replace(ours.view, tenant_id="other"))
        write(store, [process(each, LogPlace("t.audit", 0, n, 1_000)) for n, each in enumerate((ours, theirs))])
        store.close()
        seen = {
            user: Officer(acting(engine, user)).ask("SELECT tenant_id FROM verdicts ORDER BY tenant_id").rows
            for user in (grants.OFFICER, grants.OWNER)
        }
    assert seen == {grants.OFFICER: [("acme",)], grants.OWNER: [("acme",), ("other",)]}

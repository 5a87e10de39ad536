"""The clustered forms on a real engine: all are understood, and the audit works through a table over shards."""

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from clickhouse_connect.driver.exceptions import DatabaseError

from lawful.infra.audit_chain.keys import ChainKeys
from lawful.infra.audit_chain.link import Linker
from lawful.infra.audit_verify.views import compare
from lawful.infra.audit_writer import batch
from lawful.infra.audit_writer import store as store_module
from lawful.infra.audit_writer.ports import Table
from lawful.infra.audit_writer.store import ClickHouseStore
from lawful.infra.clickhouse import grants
from lawful.infra.clickhouse.client import connect
from lawful.infra.clickhouse.clustered import clustered, create_database
from lawful.infra.clickhouse.grants import OFFICER, OWNER, RETENTION, WRITER
from lawful.infra.clickhouse.migrate import _let_views_read, packaged, spoken
from lawful.infra.clickhouse.rows import LogPlace, Partition, dead_letter, process
from lawful.infra.clickhouse.sql import split
from lawful.infra.engines import clickhouse_config
from lawful.infra.engines.clickhouse import EmbeddedClickHouse
from lawful.infra.engines.clickhouse_config import Accounts
from lawful.infra.settings import ClickHouseSettings
from tests.infra import records
from tests.infra.chains import CHAIN_KEY

Config = Callable[[Path, int, int | None], str]
NAME, DATABASE = "spread", "proofs"
FAR: dict[str, Any] = {"prefer_localhost_replica": 0}
"""A server asks itself over the wire, as it would ask another one."""


@pytest.fixture(scope="module")
def cluster_of_one() -> Iterator[EmbeddedClickHouse]:
    """An embedded engine that knows a cluster whose only node it is."""
    accounts = Accounts({**Accounts.generate().passwords, grants.SHARDS: "among ourselves"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clickhouse_config, "config_xml", with_cluster(clickhouse_config.config_xml))
        with EmbeddedClickHouse(tcp=True, accounts=accounts, grants=least()) as engine:
            yield engine


def with_cluster(plain: Config) -> Config:
    """The server's file, with a cluster as docs/scaling.md says to define it."""

    def config(folder: Path, http_port: int, tcp_port: int | None) -> str:
        asked_as = f"<user>{grants.SHARDS}</user><password>among ourselves</password>"
        node = f"<replica><host>127.0.0.1</host><port>{tcp_port}</port>{asked_as}</replica>"
        servers = f"<remote_servers><{NAME}><shard>{node}</shard></{NAME}></remote_servers>"
        return plain(folder, http_port, tcp_port).replace("</clickhouse>", f"{servers}</clickhouse>")

    return config


def least() -> dict[str, tuple[str, ...]]:
    """What each user needs on a cluster, and no more."""
    users = {OWNER: grants.owner, WRITER: grants.writer, OFFICER: grants.officer, RETENTION: grants.retention}
    rights = {user: tuple(grants.on_cluster(user, of(DATABASE), DATABASE)) for user, of in users.items()}
    return {**rights, grants.SHARDS: grants.shards(DATABASE)}


def login(engine: EmbeddedClickHouse, user: str = OWNER) -> ClickHouseSettings:
    """Settings of a user."""
    return ClickHouseSettings(port=engine.port or 0, user=user, password=engine.password(user), database=DATABASE)


def test_the_engine_understands_every_clustered_statement(cluster_of_one: EmbeddedClickHouse) -> None:
    """Replication needs a keeper, which is not here; the engine's own parser is."""
    client = cluster_of_one.client()
    said = spoken(ClickHouseSettings(cluster=NAME, database=DATABASE))
    for statement in said:
        assert client.raw_query(f"EXPLAIN AST {statement}"), statement
    client.close()
    assert len(said) > 15


def on_one_node(statement: str) -> str:
    """The same statement, without what a keeper is needed for."""
    bare = statement.replace(f" ON CLUSTER `{NAME}`", "").replace(" replicated_dedup", " non_replicated_dedup")
    return re.sub(r"ReplicatedMergeTree\('[^']*', '[^']*'\)", "MergeTree", bare)


def migrated(engine: EmbeddedClickHouse) -> None:
    """The audit's tables and views on the cluster of one, as its owner makes them."""
    settings = login(engine)
    with closing(connect(replace(settings, database=""))) as client:
        client.command(on_one_node(create_database(DATABASE, NAME)))
    with closing(connect(settings)) as client:
        for statement in (each.text for migration in packaged() for each in split(migration.text)):
            for form in clustered(statement, NAME, DATABASE):
                client.command(on_one_node(form))
        _let_views_read(client, settings)


def test_the_audit_works_through_a_table_over_shards_with_the_least_rights(cluster_of_one: EmbeddedClickHouse) -> None:
    """Writer and officer do all they need, here and over the wire, in a database of any name; tables stay closed."""
    migrated(cluster_of_one)
    rows = [process(records.audited(number), LogPlace("t.audit", 1, number, 1_000)) for number in range(3)]
    (audit,) = batch.linked(rows, {}, Linker(ChainKeys(CHAIN_KEY)))
    (letters,) = batch.cut([dead_letter(records.letter(5), LogPlace("t.letters", 0, 5, 1_000))])
    ways: tuple[dict[str, Any], ...] = ({}, FAR)
    with pytest.MonkeyPatch.context() as patch:
        for further in ways:
            patch.setattr(store_module, "connect", partial(connect, distributed_foreground_insert=1, **further))
            store = ClickHouseStore(login(cluster_of_one, WRITER))
            store.insert(audit)
            store.insert(letters)
            assert store.heads("t.audit")[1] == audit.after
            assert store.positions("t.letters") == {0: 5}
            assert store.known(Table.AUDIT, {rows[0].key, ("nobody", "x", "verdict", "")}) == {rows[0].key}
            store.close()
    assert Partition("t.audit", 1) == audit.partition
    for further in ways:
        with closing(connect(login(cluster_of_one), **further)) as client:
            assert client.query("SELECT count() FROM audit").result_rows == [(3,)]
        with closing(connect(login(cluster_of_one, OFFICER), **further)) as client:
            for view, count in (("verdicts", 3), ("chain", 3), ("unreadable", 1)):
                assert client.query(f"SELECT count() FROM {view}").result_rows == [(count,)], view  # noqa: S608
            found = compare(client)
            assert (found.faults, found.unseen) == ((), ())
            for table in ("audit", "audit_local", "dead_letters_local"):
                with pytest.raises(DatabaseError, match="ACCESS_DENIED"):
                    client.query(f"SELECT count() FROM {table}")  # noqa: S608
        with closing(connect(login(cluster_of_one, WRITER), **further)) as client:
            for forbidden in ("SELECT decision FROM audit", "SELECT * FROM verdicts", "TRUNCATE TABLE audit_local"):
                with pytest.raises(DatabaseError, match="ACCESS_DENIED"):
                    client.command(forbidden)


def test_officers_do_not_need_the_tables_because_servers_ask_as_a_user_of_their_own() -> None:
    """The user that servers use among themselves reads and writes the two tables with data, and owns nothing."""
    said = grants.statements("proofs", cluster=True)
    assert [each for each in said if each.endswith(f" TO {grants.SHARDS}")] == [
        "GRANT SELECT, INSERT ON proofs.audit_local TO shards",
        "GRANT SELECT, INSERT ON proofs.dead_letters_local TO shards",
    ]
    assert not [each for each in said if "_local" in each and each.endswith(f" TO {OFFICER}")]
    assert not [each for each in grants.statements("proofs") if grants.SHARDS in each]
    assert any(
        each.startswith("CREATE USER IF NOT EXISTS shards ") for each in grants.users_sql("proofs", cluster=True)
    )

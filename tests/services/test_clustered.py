"""The clustered forms on a real engine: all are understood, and the audit works through a table over shards."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from lawful.infra.audit_chain.keys import ChainKeys
from lawful.infra.audit_chain.link import Linker
from lawful.infra.audit_writer import batch
from lawful.infra.audit_writer.ports import Table
from lawful.infra.audit_writer.store import ClickHouseStore
from lawful.infra.clickhouse.client import connect
from lawful.infra.clickhouse.clustered import clustered
from lawful.infra.clickhouse.migrate import packaged, spoken
from lawful.infra.clickhouse.query import Officer
from lawful.infra.clickhouse.rows import LogPlace, Partition, dead_letter, process
from lawful.infra.clickhouse.sql import split
from lawful.infra.engines import clickhouse_config
from lawful.infra.engines.clickhouse import EmbeddedClickHouse
from lawful.infra.settings import ClickHouseSettings
from tests.infra import records
from tests.infra.chains import CHAIN_KEY

NAME = "spread"


@pytest.fixture(scope="module")
def cluster_of_one() -> Iterator[EmbeddedClickHouse]:
    """An embedded engine that knows a cluster whose only node it is."""
    plain = clickhouse_config.config_xml

    def with_cluster(folder: Path, http_port: int, tcp_port: int | None) -> str:
        node = f"<replica><host>127.0.0.1</host><port>{tcp_port}</port></replica>"
        servers = f"<remote_servers><{NAME}><shard>{node}</shard></{NAME}></remote_servers>"
        return plain(folder, http_port, tcp_port).replace("</clickhouse>", f"{servers}</clickhouse>")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clickhouse_config, "config_xml", with_cluster)
        with EmbeddedClickHouse(tcp=True) as engine:
            yield engine


def login(engine: EmbeddedClickHouse, user: str = "owner") -> ClickHouseSettings:
    """Settings of a user."""
    return ClickHouseSettings(port=engine.port, user=user, password=engine.password(user), database="default")


def test_the_engine_understands_every_clustered_statement(cluster_of_one: EmbeddedClickHouse) -> None:
    """Replication needs a keeper, which is not here; the engine's own parser is."""
    client = cluster_of_one.client()
    said = spoken(ClickHouseSettings(cluster=NAME, database="default"))
    for statement in said:
        assert client.raw_query(f"EXPLAIN AST {statement}"), statement
    client.close()
    assert len(said) > 15


def on_one_node(statement: str) -> str:
    """The same statement, without what a keeper is needed for."""
    bare = statement.replace(f" ON CLUSTER `{NAME}`", "").replace(" replicated_dedup", " non_replicated_dedup")
    return re.sub(r"ReplicatedMergeTree\('[^']*', '[^']*'\)", "MergeTree", bare)


def test_the_audit_works_through_a_table_over_shards(cluster_of_one: EmbeddedClickHouse) -> None:
    """Inserts and their names, positions, heads, look-ups of duplicates and officers' views, over `Distributed`."""
    settings = login(cluster_of_one)
    client = connect(settings, distributed_foreground_insert=1)
    for statement in (each.text for migration in packaged() for each in split(migration.text)):
        for form in clustered(statement, NAME, "default"):
            client.command(on_one_node(form))
    rows = [process(records.audited(number), LogPlace("t.audit", 1, number, 1_000)) for number in range(3)]
    store = ClickHouseStore(settings)
    (audit,) = batch.linked(rows, {}, Linker(ChainKeys(CHAIN_KEY)))
    (letters,) = batch.cut([dead_letter(records.letter(5), LogPlace("t.letters", 0, 5, 1_000))])
    for _ in range(2):
        store.insert(audit)
        store.insert(letters)
    assert client.query("SELECT count() FROM audit").result_rows == [(3,)]
    assert client.query("SELECT count() FROM audit_local").result_rows == [(3,)]
    assert store.heads("t.audit")[1] == audit.after
    assert store.positions("t.letters") == {0: 5}
    assert store.known(Table.AUDIT, {rows[0].key, ("nobody", "x", "verdict", "")}) == {rows[0].key}
    assert Officer(login(cluster_of_one, "officer")).ask("SELECT count() FROM verdicts").rows == [(3,)]
    assert Partition("t.audit", 1) == audit.partition
    store.close()
    client.close()

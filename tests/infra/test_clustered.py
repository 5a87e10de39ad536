"""The migrations' forms for a cluster: every statement has one, and a single server gets the file as it is."""

import json
import re

import pytest

from lawful.cli.main import run
from lawful.infra.clickhouse.clustered import NotForClusters, clustered, create_database, ledger
from lawful.infra.clickhouse.grants import VIEWS
from lawful.infra.clickhouse.migrate import Migration, migrate, packaged, spoken
from lawful.infra.clickhouse.sql import split
from lawful.infra.settings import ClickHouseSettings
from lawful.schemas.errors import ConfigurationError

STATEMENTS = [statement.text for migration in packaged() for statement in split(migration.text)]
TABLE = """CREATE TABLE IF NOT EXISTS t
(
    x Int32
)
ENGINE = MergeTree
ORDER BY x
SETTINGS non_replicated_deduplication_window = 9"""


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda text: re.sub(r"\W+", "-", text)[:50])
def test_without_a_cluster_a_statement_is_as_it_is_written(statement: str) -> None:
    """One server runs the reviewed file, byte for byte."""
    assert clustered(statement, "", "lawful") == (statement,)


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda text: re.sub(r"\W+", "-", text)[:50])
def test_with_a_cluster_every_statement_runs_on_all_of_it(statement: str) -> None:
    """Each form names the cluster, and none leaves a table that only one node has."""
    for form in clustered(statement, "main", "lawful"):
        assert form.count("ON CLUSTER `main`") == 1
        assert not re.search(r"ENGINE = MergeTree\b|non_replicated", form)


def test_a_table_becomes_a_replicated_one_and_one_over_all_shards() -> None:
    """Columns and order stay, the window of insert names is the replicated one, and shards go by partition."""
    local, spread = clustered(TABLE, "main", "lawful")
    assert local == (
        "CREATE TABLE IF NOT EXISTS t_local ON CLUSTER `main`\n(\n    x Int32\n)\n"
        "ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')\n"
        "ORDER BY x\nSETTINGS replicated_deduplication_window = 9"
    )
    assert spread == (
        "CREATE TABLE IF NOT EXISTS t ON CLUSTER `main` AS t_local "
        "ENGINE = Distributed(`main`, `lawful`, t_local, log_partition)"
    )


def test_a_column_is_added_to_both_tables_and_an_index_to_the_one_with_data() -> None:
    """The table over shards has columns and no data."""
    column = clustered("ALTER TABLE t ADD COLUMN IF NOT EXISTS y Int32", "main", "lawful")
    assert [form.split()[2] for form in column] == ["t_local", "t"]
    index = clustered("ALTER TABLE t ADD INDEX IF NOT EXISTS i y TYPE minmax", "main", "lawful")
    assert [form.split()[2] for form in index] == ["t_local"]


def test_the_ledger_is_the_same_on_every_server() -> None:
    """All nodes are replicas of one small table, whichever shard they are of."""
    text = ledger("CREATE TABLE IF NOT EXISTS schema_migrations (v Int32) ENGINE = MergeTree ORDER BY v", "main")
    assert "schema_migrations ON CLUSTER `main`" in text
    assert "'/clickhouse/tables/everywhere/{database}/{table}', '{shard}-{replica}'" in text
    assert ledger(TABLE, "") == TABLE
    assert create_database("a", "main") == "CREATE DATABASE IF NOT EXISTS `a` ON CLUSTER `main`"
    assert create_database("a", "") == "CREATE DATABASE IF NOT EXISTS `a`"


def test_a_migration_without_a_form_for_clusters_is_refused_everywhere() -> None:
    """So that nobody finds out on the cluster."""
    with pytest.raises(NotForClusters):
        clustered("CREATE TABLE IF NOT EXISTS t (x Int32) ENGINE = Log", "main", "lawful")
    bad = Migration(1, "0001_bad.sql", "CREATE TABLE IF NOT EXISTS t (x Int32) ENGINE = Log;")
    with pytest.raises(ConfigurationError, match=r"0001_bad\.sql, no form for clusters"):
        migrate(ClickHouseSettings(host="localhost", port=1), [bad])


def test_every_view_reads_on_behalf_of_the_owner_on_every_server() -> None:
    """By the owner's name: a server that runs a statement of the cluster's has no user of ours to take for it."""
    said = spoken(ClickHouseSettings(cluster="main", user="owner"))
    behalf = {text for text in said if "SQL SECURITY" in text}
    step = "ON CLUSTER `main` MODIFY SQL SECURITY DEFINER DEFINER = `owner`"
    assert behalf == {f"ALTER TABLE `{view}` {step}" for view in VIEWS}
    assert said.index(min(behalf, key=said.index)) > max(said.index(text) for text in said if "CREATE" in text)
    assert "ALTER TABLE `verdicts` MODIFY SQL SECURITY DEFINER DEFINER = `me`" in spoken(ClickHouseSettings(user="me"))


def test_every_table_has_a_key_to_shard_by() -> None:
    """The column that rows are spread by is in each of them."""
    tables = [text for text in STATEMENTS if text.startswith("CREATE TABLE")]
    assert len(tables) >= 2
    assert all("log_partition Int32" in text for text in tables)


def test_the_statements_can_be_read_before_they_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`lawful migrate --show` connects to nothing."""
    monkeypatch.setenv("LAWFUL_CLICKHOUSE_PORT", "1")
    monkeypatch.setenv("LAWFUL_CLICKHOUSE_CLUSTER", "main")
    assert run(["migrate", "--show", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)["statements"]
    assert said == spoken(ClickHouseSettings(cluster="main"))
    assert sum("Distributed(" in statement for statement in said) == 2

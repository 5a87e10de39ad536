"""The migrations' statements for a cluster: the same SQL, replicated and spread over shards.

Each table becomes two: `audit_local`, replicated within a shard, and `audit`, which reads and writes
all shards. Rows of one Kafka partition stay on one shard, so that a chain, its head and the names of
its inserts are in one place. Views and what is added to tables later follow. What a server without
a cluster gets is the file as it is.
"""

import re
from collections.abc import Iterator
from typing import Final

from lawful.infra.clickhouse.client import quoted

REPLICA_PATH: Final = "/clickhouse/tables/{shard}/{database}/{table}"
EVERYWHERE_PATH: Final = "/clickhouse/tables/everywhere/{database}/{table}"
SHARD_BY: Final = "log_partition"
LOCAL: Final = "_local"

_CREATE = re.compile(
    r"CREATE TABLE IF NOT EXISTS (?P<name>\w+)\b(?P<columns>.*?)\bENGINE = MergeTree\b(?P<rest>.*)", re.DOTALL
)
VIEW: Final = re.compile(r"CREATE OR REPLACE VIEW (?P<name>\w+) AS\b(?P<query>.*)", re.DOTALL)
_ALTER = re.compile(r"ALTER TABLE (?P<name>\w+) (?P<what>ADD (?:COLUMN|INDEX|PROJECTION)\b.*)", re.DOTALL)
_CREATE_DATABASE: Final = "CREATE DATABASE IF NOT EXISTS "


class NotForClusters(ValueError):
    """The statement has a form that is not known how to spread."""


def clustered(statement: str, cluster: str, database: str) -> tuple[str, ...]:
    """What a statement of a migration is on a cluster.

    Args:
        statement: as the migration has it.
        cluster: the cluster's name; empty leaves the statement as it is.
        database: the audit's.

    Raises:
        NotForClusters: it is none that migrations are made of.
    """
    if not cluster:
        return (statement,)
    on = f"ON CLUSTER {quoted(cluster)}"
    if match := _CREATE.fullmatch(statement):
        return tuple(_tables(match, on, cluster, database))
    if match := VIEW.fullmatch(statement):
        return (f"CREATE OR REPLACE VIEW {match['name']} {on} AS{match['query']}",)
    if match := _ALTER.fullmatch(statement):
        return tuple(_alterations(match["name"], match["what"], on))
    raise NotForClusters(f"no form for clusters: {' '.join(statement.split()[:4])} ...")


def ledger(statement: str, cluster: str) -> str:
    """The table of applied migrations: small, and the same on every server."""
    if not cluster:
        return statement
    return statement.replace(
        "CREATE TABLE IF NOT EXISTS schema_migrations",
        f"CREATE TABLE IF NOT EXISTS schema_migrations ON CLUSTER {quoted(cluster)}",
    ).replace("ENGINE = MergeTree", f"ENGINE = ReplicatedMergeTree('{EVERYWHERE_PATH}', '{{shard}}-{{replica}}')")


def create_database(database: str, cluster: str) -> str:
    """The database, everywhere."""
    return f"{_CREATE_DATABASE}{quoted(database)}" + (f" ON CLUSTER {quoted(cluster)}" if cluster else "")


def _tables(match: "re.Match[str]", on: str, cluster: str, database: str) -> Iterator[str]:
    name = match["name"]
    rest = match["rest"].replace("non_replicated_deduplication_window", "replicated_deduplication_window")
    engine = f"ReplicatedMergeTree('{REPLICA_PATH}', '{{replica}}')"
    yield f"CREATE TABLE IF NOT EXISTS {name}{LOCAL} {on}{match['columns']}ENGINE = {engine}{rest}"
    spread = f"Distributed({quoted(cluster)}, {quoted(database)}, {name}{LOCAL}, {SHARD_BY})"
    yield f"CREATE TABLE IF NOT EXISTS {name} {on} AS {name}{LOCAL} ENGINE = {spread}"


def _alterations(name: str, what: str, on: str) -> Iterator[str]:
    yield f"ALTER TABLE {name}{LOCAL} {on} {what}"
    if what.startswith("ADD COLUMN"):  # the table of all shards keeps no data: no index, no projection
        yield f"ALTER TABLE {name} {on} {what}"

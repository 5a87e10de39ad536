"""Brings the audit's database to the newest version, one numbered SQL file after the other.

Each file's checksum is recorded in `schema_migrations`; a file that was changed after it was
applied is refused by name. Every statement can be run twice, so a migration that was cut off, or
that two processes start at once, ends well.
"""

import re
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

from clickhouse_connect.driver.client import Client

from lawful.infra.clickhouse.client import connect, mapped, quoted
from lawful.infra.clickhouse.clustered import NotForClusters, clustered, create_database, ledger
from lawful.infra.clickhouse.grants import VIEWS
from lawful.infra.clickhouse.sql import UnsafeSql, check, split
from lawful.infra.settings import ClickHouseSettings
from lawful.schemas.errors import ConfigurationError

_NAME = re.compile(r"(\d{4})_[a-z0-9_]+\.sql")

_LEDGER = """
CREATE TABLE IF NOT EXISTS schema_migrations
(
    version UInt32,
    name String,
    checksum String,
    applied_at DateTime64(3, 'UTC') DEFAULT now64(3)
)
ENGINE = MergeTree
ORDER BY version
"""


@dataclass(frozen=True, slots=True)
class Migration:
    """One numbered file."""

    version: int
    name: str
    text: str

    @property
    def checksum(self) -> str:
        """SHA-256 of the file, in hex."""
        return sha256(self.text.encode()).hexdigest()


def migrate(settings: ClickHouseSettings, migrations: list[Migration] | None = None) -> list[str]:
    """Creates the database if it is missing and applies what is not applied yet.

    Returns:
        The names of the files that were applied now.

    Raises:
        ConfigurationError: a file is unsafe, was changed after it was applied, or is missing.
        RetryLater: ClickHouse is away.
        MustStop: the user may not do this.
    """
    wanted = packaged() if migrations is None else migrations
    for migration in wanted:
        _check(migration)
    _create_database(settings)
    client = connect(settings)
    try:
        with mapped("reading which migrations are applied"):
            client.command(ledger(_LEDGER, settings.cluster))
        todo = pending(client, wanted)
        for migration in todo:
            _apply(client, migration, settings)
        _let_views_read(client, settings)
        return [migration.name for migration in todo]
    finally:
        client.close()


def spoken(settings: ClickHouseSettings) -> list[str]:
    """Every statement that these settings lead to, in order, for whoever wants to read them first.

    Raises:
        ConfigurationError: a migration is unsafe.
    """
    said = [create_database(settings.database, settings.cluster), ledger(_LEDGER, settings.cluster).strip()]
    for migration in packaged():
        _check(migration)
        for statement in split(migration.text):
            said += clustered(statement.text, settings.cluster, settings.database)
    return [*said, *(_on_behalf_of_the_owner(view, settings) for view in VIEWS)]


def pending(client: Client, migrations: list[Migration]) -> list[Migration]:
    """The migrations that are not applied yet.

    Raises:
        ConfigurationError: what is applied is not what the files say.
    """
    applied = _applied(client)
    by_version = {migration.version: migration for migration in migrations}
    for version, (name, checksum) in applied.items():
        migration = by_version.get(version)
        if migration is None:
            raise ConfigurationError(
                f"migration {name} is applied in the database, but this version of the product has no such file",
                hint="the database is newer: upgrade this installation",
            )
        if migration.checksum != checksum:
            raise ConfigurationError(
                f"migration {migration.name} was changed after it was applied",
                hint="restore the file and put the change into a new one with the next number",
            )
    return [migration for migration in migrations if migration.version not in applied]


def packaged() -> list[Migration]:
    """The migrations that come with this version, in order."""
    return read(files("lawful.infra.clickhouse") / "migrations")


def read(folder: Traversable) -> list[Migration]:
    """The migrations in a folder, in order.

    Raises:
        ConfigurationError: a number is missing or used twice.
    """
    found = sorted((entry for entry in folder.iterdir() if _NAME.fullmatch(entry.name)), key=lambda entry: entry.name)
    migrations = [Migration(int(entry.name[:4]), entry.name, entry.read_text("utf-8")) for entry in found]
    for expected, migration in enumerate(migrations, start=1):
        if migration.version != expected:
            raise ConfigurationError(f"migration {migration.name} should have number {expected:04}", hint="renumber it")
    return migrations


def _check(migration: Migration) -> None:
    try:
        for statement in split(migration.text):
            check(statement)
            clustered(statement.text, "any", "any")  # whatever is written for one server is to have a form for many
    except (UnsafeSql, NotForClusters) as error:
        raise ConfigurationError(
            f"migration {migration.name}, {error}", hint="migrations may only add tables, columns, indexes and views"
        ) from None


def _create_database(settings: ClickHouseSettings) -> None:
    client = connect(settings, database="")
    try:
        with mapped(f"creating the database {settings.database}"):
            if not client.query(
                "SELECT 1 FROM system.databases WHERE name = {name:String}", parameters={"name": settings.database}
            ).result_rows:
                client.command(create_database(settings.database, settings.cluster))
    finally:
        client.close()


def _applied(client: Client) -> dict[int, tuple[str, str]]:
    with mapped("reading which migrations are applied"):
        rows = client.query("SELECT version, name, checksum FROM schema_migrations ORDER BY version").result_rows
    return {int(version): (str(name), str(checksum)) for version, name, checksum in rows}


def _let_views_read(client: Client, settings: ClickHouseSettings) -> None:
    """Has every view read on behalf of its owner, so that an officer needs no right on the tables behind it.

    By name: on a cluster each server runs the statement by itself, and would take CURRENT_USER for its own.
    """
    with mapped("letting the views read the tables"):
        names = client.query(
            "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine = 'View' "
            "AND NOT match(create_table_query, '\\bSQL SECURITY DEFINER\\b') ORDER BY name"
        ).result_rows
        for (name,) in names:
            client.command(_on_behalf_of_the_owner(name, settings))


def _on_behalf_of_the_owner(view: str, settings: ClickHouseSettings) -> str:
    on = f" ON CLUSTER {quoted(settings.cluster)}" if settings.cluster else ""
    return f"ALTER TABLE {quoted(view)}{on} MODIFY SQL SECURITY DEFINER DEFINER = {quoted(settings.user)}"


def _apply(client: Client, migration: Migration, settings: ClickHouseSettings) -> None:
    for statement in split(migration.text):
        for text in clustered(statement.text, settings.cluster, settings.database):
            with mapped(f"applying {migration.name}, line {statement.line}"):
                client.command(text)
    with mapped(f"recording {migration.name}"):
        client.insert(
            "schema_migrations",
            [[migration.version, migration.name, migration.checksum]],
            column_names=["version", "name", "checksum"],
        )

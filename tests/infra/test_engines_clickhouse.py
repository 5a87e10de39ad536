"""The embedded ClickHouse: its life, its folder, its locks, and what strangers on this machine may do."""

# ruff: noqa: S608 - the names in these statements are made here
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from lawful.infra.clickhouse.grants import OFFICER, WRITER
from lawful.infra.engines.clickhouse import EmbeddedClickHouse
from lawful.infra.engines.clickhouse_config import Accounts, least_grants
from lawful.schemas.errors import ConfigurationError

pytestmark = pytest.mark.service


def rows(clickhouse: EmbeddedClickHouse, statement: str, user: str = "owner") -> list[tuple[object, ...]]:
    """Runs one statement on a connection of its own."""
    client = clickhouse.client(user)
    try:
        return [tuple(row) for row in client.query(statement).result_rows]
    finally:
        client.close()


def anonymous(clickhouse: EmbeddedClickHouse, statement: str) -> str:
    """What a stranger without a login is told."""
    try:
        with urllib.request.urlopen(f"http://{clickhouse.host}:{clickhouse.port}/", statement.encode(), 5) as answer:
            return str(answer.read().decode())
    except urllib.error.HTTPError as error:
        with error:
            return error.read().decode()


def test_data_survives_a_restart_and_a_kill(tmp_path: Path) -> None:
    """Same folder, same rows, same ports and passwords; what a killed run left behind is swept."""
    with EmbeddedClickHouse(tmp_path, tcp=True) as clickhouse:
        ports = clickhouse.port, clickhouse.tcp_port
        rows(clickhouse, "CREATE TABLE default.t (n Int64) ENGINE = MergeTree ORDER BY n")
        rows(clickhouse, "INSERT INTO default.t VALUES (1)")
        clickhouse.restart()
        rows(clickhouse, "INSERT INTO default.t VALUES (2)")
        clickhouse.kill()
        (tmp_path / "tmp" / "left-behind").touch()
        clickhouse.start()
        assert rows(clickhouse, "SELECT n FROM default.t ORDER BY n") == [(1,), (2,)]
        assert (clickhouse.port, clickhouse.tcp_port) == ports
        assert not (tmp_path / "tmp" / "left-behind").exists()


def test_one_process_per_folder(tmp_path: Path) -> None:
    """A second engine on the same folder is refused, and may have it when the first has stopped."""
    refused = pytest.raises(ConfigurationError, match="another process runs ClickHouse")
    with EmbeddedClickHouse(tmp_path), refused:
        EmbeddedClickHouse(tmp_path).start()
    with EmbeddedClickHouse(tmp_path) as second:
        assert rows(second, "SELECT 1") == [(1,)]


def test_a_stranger_on_this_machine_learns_nothing(clickhouse: EmbeddedClickHouse, database: str) -> None:
    """The engine's own passwordless user may not read, write, or reach files."""
    rows(clickhouse, f"CREATE TABLE {database}.t (n Int64) ENGINE = MergeTree ORDER BY n")
    for statement in (
        f"SELECT * FROM {database}.t",
        "SELECT * FROM file('/etc/hostname', 'LineAsString')",
        "SELECT * FROM system.processes",
        f"INSERT INTO {database}.t VALUES (1)",
        "CREATE DATABASE stranger",
        "SYSTEM SHUTDOWN",
    ):
        assert "Not enough privileges" in anonymous(clickhouse, statement), statement


def test_least_grants_leave_the_writer_its_keys_only() -> None:
    """With the grants of one audit database, the writer inserts and finds its place, and reads nothing else."""
    with EmbeddedClickHouse(grants=least_grants("audited")) as clickhouse:
        columns = (
            "log_topic String, log_partition Int32, log_offset Int64, tenant_id String, event_id String, kind String"
        )
        rows(clickhouse, "CREATE DATABASE audited")
        rows(
            clickhouse,
            f"CREATE TABLE audited.audit ({columns}, findings String) ENGINE = MergeTree ORDER BY log_offset",
        )
        rows(clickhouse, "INSERT INTO audited.audit VALUES ('t', 0, 7, 'a', 'e', 'k', 'f')", WRITER)
        assert rows(clickhouse, "SELECT max(log_offset) FROM audited.audit", WRITER) == [(7,)]
        for user in (WRITER, OFFICER):
            with pytest.raises(Exception, match="Not enough privileges"):
                rows(clickhouse, "SELECT findings FROM audited.audit", user)


def test_passwords_are_neither_shown_nor_stored(tmp_path: Path) -> None:
    """The repr is empty of them, and files hold only digests, readable by their owner."""
    accounts = Accounts.generate()
    secrets = set(accounts.passwords.values())
    assert len(secrets) == 4
    assert not any(secret in repr(accounts) for secret in secrets)
    with EmbeddedClickHouse(tmp_path, accounts=accounts):
        assert (tmp_path / "users.xml").stat().st_mode & 0o077 == 0
        for file in ("users.xml", "config.xml", "engine.log"):
            assert not any(secret in (tmp_path / file).read_text() for secret in secrets)


def test_a_temporary_folder_goes_with_the_engine() -> None:
    """Nothing is left on disk."""
    with EmbeddedClickHouse() as clickhouse:
        folder = clickhouse.data_dir
        assert folder.exists()
    assert not folder.exists()

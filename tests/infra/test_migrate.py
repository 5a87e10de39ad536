"""Migrations: split safely, only ever add, in order."""

from pathlib import Path

import pytest

from lawful.infra.clickhouse import grants
from lawful.infra.clickhouse.migrate import Migration, migrate, packaged, read
from lawful.infra.clickhouse.sql import Statement, UnsafeSql, bare, check, split
from lawful.infra.settings import ClickHouseSettings
from lawful.schemas.errors import ConfigurationError


def test_statements_are_split_outside_of_strings_and_comments() -> None:
    """A semicolon in a string, a name or a comment ends nothing; lines are counted."""
    text = "-- one; two\nSELECT ';', `a;b`, \"c;d\", 'it''s;' /* ; */;\n\n/* more; */\nSELECT 2 -- end;\n;\n"
    first, second = split(text)
    assert first == Statement("SELECT ';', `a;b`, \"c;d\", 'it''s;' /* ; */", 2)
    assert (bare(second.text), second.line) == ("SELECT 2", 5)


@pytest.mark.parametrize("text", ["SELECT 'a; SELECT 1", "SELECT /* a", "SELECT `a"])
def test_what_is_not_closed_is_refused(text: str) -> None:
    """An open quote or comment could hide anything."""
    with pytest.raises(UnsafeSql, match="not closed"):
        split(text)


@pytest.mark.parametrize(
    "text",
    [
        "DROP TABLE audit",
        "TRUNCATE TABLE audit",
        "ALTER TABLE audit DELETE WHERE 1",
        "ALTER TABLE audit UPDATE decision = 'forward' WHERE 1",
        "ALTER TABLE audit ADD COLUMN IF NOT EXISTS x Int32, DROP COLUMN decision",
        "ALTER TABLE audit /* harmless */ DROP PARTITION 202601",
        "ALTER TABLE audit MODIFY TTL recorded_at + INTERVAL 1 DAY",
        "DELETE FROM audit WHERE 1",
        "RENAME TABLE audit TO old",
        "CREATE TABLE audit (x Int32) ENGINE = MergeTree ORDER BY x",
        "CREATE OR REPLACE TABLE audit (x Int32) ENGINE = MergeTree ORDER BY x",
        "CREATE TABLE IF NOT EXISTS t (x DateTime) ENGINE = MergeTree ORDER BY x TTL x + INTERVAL 1 DAY",
        "CREATE OR REPLACE VIEW v AS SELECT * FROM file('/etc/passwd')",
        "CREATE OR REPLACE VIEW v SQL SECURITY NONE AS SELECT 1",
        "CREATE MATERIALIZED VIEW v ENGINE = MergeTree AS SELECT 1",
        "GRANT ALL ON *.* TO writer",
        "SYSTEM STOP MERGES",
        "drop/**/table audit",
    ],
)
def test_what_could_lose_rows_is_refused(text: str) -> None:
    """The audit is append-only for maintainers, too."""
    with pytest.raises(UnsafeSql):
        check(Statement(text, 1))


@pytest.mark.parametrize(
    "text",
    [
        "CREATE TABLE IF NOT EXISTS t (x Int32 COMMENT 'DROP TABLE is a phrase') ENGINE = MergeTree ORDER BY x",
        "CREATE OR REPLACE VIEW v AS SELECT 1 -- TRUNCATE",
        "ALTER TABLE audit ADD COLUMN IF NOT EXISTS x Int32",
        "ALTER TABLE audit ADD INDEX IF NOT EXISTS i x TYPE minmax",
    ],
)
def test_what_only_adds_is_let_through(text: str) -> None:
    """Tables, columns, indexes and views may come; words in strings and comments are no commands."""
    check(Statement(text, 1))


def test_packaged_migrations_are_in_order_and_safe() -> None:
    """The files that come along are numbered from 1 and pass the check."""
    migrations = packaged()
    assert [migration.version for migration in migrations] == list(range(1, len(migrations) + 1))
    for migration in migrations:
        for statement in split(migration.text):
            check(statement)


def test_an_unsafe_migration_is_named_before_anything_runs() -> None:
    """It is refused by file and line without connecting anywhere."""
    bad = Migration(1, "0001_bad.sql", "-- a\nDROP TABLE audit;")
    with pytest.raises(ConfigurationError, match=r"0001_bad\.sql, line 2"):
        migrate(ClickHouseSettings(host="localhost", port=1), [bad])


def test_a_missing_number_is_refused(tmp_path: Path) -> None:
    """Numbers leave no gap, so that no file can be forgotten."""
    (tmp_path / "0001_a.sql").write_text("CREATE OR REPLACE VIEW v AS SELECT 1;")
    (tmp_path / "0003_b.sql").write_text("CREATE OR REPLACE VIEW v AS SELECT 1;")
    with pytest.raises(ConfigurationError, match="should have number 0002"):
        read(tmp_path)


def test_grants_are_the_least_each_user_needs() -> None:
    """The writer reads keys only; the officer reads views only; nobody but the user for retention may delete."""
    text = "\n".join(grants.statements("lawful"))
    assert (
        "GRANT SELECT(log_topic, log_partition, log_offset, tenant_id, event_id, kind, digest, chain_no, row_hash) "
        "ON lawful.audit TO writer" in text
    )
    assert "ON lawful.audit TO officer" not in text
    assert "GRANT SELECT ON lawful.verdicts TO officer" in text
    assert {line.rpartition(" ")[2] for line in text.splitlines() if "DELETE" in line} == {"retention"}
    assert not any(word in text for word in ("UPDATE", "TRUNCATE", "DROP TABLE", "FILE", "ALL"))


def test_grants_on_a_cluster_are_for_the_servers_own_tables_too() -> None:
    """Each server checks them on its `_local` table; only who drops months may do so everywhere at once."""
    plain, spread = set(grants.statements("lawful")), set(grants.statements("lawful", cluster=True))
    assert plain < spread
    assert {
        "GRANT INSERT ON lawful.audit_local TO writer",
        "GRANT SELECT, INSERT, ALTER DELETE ON lawful.audit_local TO retention",
        "GRANT ALTER DELETE ON lawful.dead_letters_local TO retention",
        "GRANT CLUSTER ON *.* TO retention",
    } < spread
    assert not any(line.endswith(("officer", "writer")) for line in spread if "CLUSTER" in line or "REMOTE" in line)

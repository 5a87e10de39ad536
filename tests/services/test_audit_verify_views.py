"""A view that officers read is not replaced unnoticed, even by who owns the database."""

import json
from collections.abc import Iterator

import pytest

from lawful.cli.exits import Exit
from lawful.cli.main import run
from lawful.infra.audit_verify import Keys, Kind, VerifyReport, verify
from lawful.infra.audit_verify.views import NO_VIEW, REPLACED, RETYPED, wanted
from lawful.infra.audit_writer.store import ClickHouseStore
from lawful.infra.clickhouse import grants
from lawful.infra.clickhouse.client import connect
from lawful.infra.clickhouse.migrate import _let_views_read, migrate
from lawful.infra.clickhouse.rows import LogPlace, process
from lawful.infra.engines.clickhouse import EmbeddedClickHouse
from lawful.infra.engines.clickhouse_config import least_grants
from lawful.infra.settings import ClickHouseSettings
from lawful.schemas.verdict import Decision
from tests.infra import records
from tests.infra.chains import CHAIN_KEY, KEYS, write

DATABASE = "lawful"
HIDES = "CREATE OR REPLACE VIEW verdicts AS " + wanted()["verdicts"] + " AND decision != 'block'"


def acting(engine: EmbeddedClickHouse, user: str) -> ClickHouseSettings:
    """Settings of one of the users."""
    return ClickHouseSettings(
        host=engine.host, port=engine.port or 0, user=user, password=engine.password(user), database=DATABASE
    )


@pytest.fixture(scope="module")
def made() -> Iterator[EmbeddedClickHouse]:
    """An audit of a few rows, in which every user has the least rights; the owner can clean up after a test, too."""
    rights = {**least_grants(DATABASE), grants.OWNER: (*grants.owner(DATABASE), f"DROP TABLE ON {DATABASE}.*")}
    with EmbeddedClickHouse(grants=rights) as running:
        migrate(acting(running, grants.OWNER))
        store = ClickHouseStore(acting(running, grants.WRITER))
        write(store, [process(records.audited(n, Decision(n % 4)), LogPlace("t.audit", 0, n, 1_000)) for n in range(8)])
        store.close()
        yield running


@pytest.fixture
def engine(made: EmbeddedClickHouse) -> Iterator[EmbeddedClickHouse]:
    """The audit with all its views, however a test leaves it."""
    yield made
    spoil(
        made,
        *(f"DROP TABLE IF EXISTS {table}" for table in ("copy", *wanted())),
        *(f"CREATE VIEW {view} AS {query}" for view, query in wanted().items()),
    )


def spoil(engine: EmbeddedClickHouse, *statements: str) -> None:
    """What the owner can do; officers can read the views afterwards."""
    settings = acting(engine, grants.OWNER)
    client = connect(settings)
    for statement in statements:
        client.command(statement)
    _let_views_read(client, settings)
    client.close()


def checked(engine: EmbeddedClickHouse, user: str = grants.OFFICER) -> VerifyReport:
    """What verification finds."""
    client = connect(acting(engine, user))
    report = verify(client, Keys(KEYS, None))
    client.close()
    return report


def told(report: VerifyReport) -> list[tuple[Kind, str, str]]:
    """The faults of views, and why."""
    return [(fault.kind, fault.view, fault.message) for fault in report.faults]


def test_the_views_that_officers_read_are_all_compared(engine: EmbeddedClickHouse) -> None:
    """As they were made they are fine, and an officer sees the definition of each."""
    report = checked(engine)
    assert report.ok, report.first
    assert set(report.views) == set(grants.VIEWS) == set(wanted())
    assert report.unseen == ()


def test_a_view_that_hides_what_was_blocked_is_told(engine: EmbeddedClickHouse) -> None:
    """Whoever reads it would never see a block; the chain itself is whole."""
    spoil(engine, HIDES)
    report = checked(engine)
    assert told(report) == [(Kind.VIEW, "verdicts", REPLACED)]
    assert str(report.first).startswith("view verdicts was replaced")
    assert report.rows == 8


def test_a_chain_that_is_read_from_a_copy_is_told(engine: EmbeddedClickHouse) -> None:
    """The copy verifies, whatever becomes of the table."""
    spoil(
        engine,
        "CREATE TABLE copy AS audit",
        "INSERT INTO copy SELECT * FROM audit",
        "CREATE OR REPLACE VIEW chain AS SELECT * FROM copy",
    )
    for user in (grants.OFFICER, grants.RETENTION):
        assert (Kind.VIEW, "chain", REPLACED) in told(checked(engine, user))


def test_a_view_whose_words_stand_for_others_is_told(engine: EmbeddedClickHouse) -> None:
    """The query is the migrations', but its columns are given types in which `block` is another decision."""
    (columns,) = (
        connect(acting(engine, grants.OWNER))
        .query(
            "SELECT arrayStringConcat(groupArray(concat('`', name, '` ', type)), ', ') FROM "
            "(SELECT name, type FROM system.columns WHERE database = 'lawful' AND table = 'blocked' ORDER BY position)"
        )
        .result_rows[0]
    )
    retyped = str(columns).replace("`kind` LowCardinality(String)", "`kind` FixedString(30)")
    assert retyped != columns
    spoil(engine, f"CREATE OR REPLACE VIEW blocked ({retyped}) AS {wanted()['blocked']}")
    assert told(checked(engine)) == [(Kind.VIEW, "blocked", RETYPED)]


def test_a_table_in_a_views_place_is_told(engine: EmbeddedClickHouse) -> None:
    """It can hold anything; a view that is gone deceives nobody, and is named as not compared."""
    spoil(
        engine, "DROP VIEW totals", "CREATE TABLE copy AS requests ENGINE = MergeTree ORDER BY ()", "DROP VIEW requests"
    )
    spoil(engine, "CREATE TABLE requests AS copy ENGINE = MergeTree ORDER BY ()")
    report = checked(engine)
    assert told(report) == [(Kind.VIEW, "requests", NO_VIEW)]
    assert report.unseen == ("totals",)


def test_what_a_user_may_not_see_is_told_as_unseen(engine: EmbeddedClickHouse) -> None:
    """It is neither a fault nor fine."""
    spoil(engine, HIDES)
    report = checked(engine, grants.RETENTION)
    assert report.ok
    assert report.views == ("chain", "retention_notes", "unreadable")
    assert "verdicts" in report.unseen
    assert set(report.views) | set(report.unseen) == set(grants.VIEWS)


def test_the_command_fails_and_names_the_view(
    engine: EmbeddedClickHouse, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """For people and for machines; what the user may not read is said beside it."""
    login(engine, monkeypatch, grants.OFFICER)
    assert run(["audit", "verify", "--no-topic"]) == Exit.FINE
    spoil(engine, HIDES)
    assert run(["audit", "verify", "--no-topic"]) == Exit.FAULT
    assert "view_changed view verdicts was replaced" in " ".join(capsys.readouterr().out.split())
    assert run(["audit", "verify", "--no-topic", "--json"]) == Exit.FAULT
    found = json.loads(capsys.readouterr().out)
    assert (found["ok"], found["first"]["kind"], found["first"]["view"]) == (False, "view_changed", "verdicts")
    login(engine, monkeypatch, grants.RETENTION)
    assert run(["audit", "verify", "--no-topic"]) == Exit.FINE
    assert "may not read how they are defined" in " ".join(capsys.readouterr().err.split())
    assert run(["audit", "verify", "--no-topic", "--json"]) == Exit.FINE
    assert "verdicts" in json.loads(capsys.readouterr().out)["views_unseen"]


def login(engine: EmbeddedClickHouse, monkeypatch: pytest.MonkeyPatch, user: str) -> None:
    """Has the command run as a user."""
    settings = {"HOST": engine.host, "PORT": str(engine.port), "USER": user, "PASSWORD": engine.password(user)}
    for name, value in settings.items():
        monkeypatch.setenv(f"LAWFUL_CLICKHOUSE_{name}", value)
    monkeypatch.setenv("LAWFUL_AUDIT_CHAIN_KEY", CHAIN_KEY.decode())

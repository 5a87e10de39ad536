"""The officers' views, on rows as the writer makes them."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from lawful.infra.audit_chain.form import COLUMNS
from lawful.infra.audit_writer.ports import Table
from lawful.infra.audit_writer.store import ClickHouseStore
from lawful.infra.clickhouse.client import connect
from lawful.infra.clickhouse.migrate import Migration, migrate, packaged
from lawful.infra.clickhouse.query import Officer
from lawful.infra.clickhouse.rows import AUDIT_COLUMNS, LETTER_COLUMNS, LogPlace, process
from lawful.infra.engines.clickhouse import EmbeddedClickHouse
from lawful.infra.settings import ClickHouseSettings
from lawful.schemas.audit import AuditKind, AuditRecord, GuardReport
from lawful.schemas.errors import ConfigurationError, MustStop
from lawful.schemas.verdict import Decision, Outcome
from tests.engines import eventually
from tests.infra import records
from tests.infra.chains import batches, write


@pytest.fixture
def settings(clickhouse: EmbeddedClickHouse, database: str) -> ClickHouseSettings:
    """A migrated database, as its owner."""
    made = ClickHouseSettings(
        host=clickhouse.host, port=clickhouse.port or 0, user="owner", password=clickhouse.password(), database=database
    )
    migrate(made)
    return made


@pytest.fixture
def store(settings: ClickHouseSettings) -> Iterator[ClickHouseStore]:
    """The writer's side."""
    made = ClickHouseStore(settings)
    yield made
    made.close()


@pytest.fixture
def ask(settings: ClickHouseSettings) -> Any:
    """The officer's side."""
    officer = Officer(settings)
    return lambda sql: officer.ask(sql).rows


def put(store: ClickHouseStore, *found: AuditRecord | GuardReport) -> None:
    """Stores records."""
    rows = [process(each, LogPlace("t.audit", 0, n, records.T0 // 1_000 + n)) for n, each in enumerate(found)]
    write(store, rows)


def test_tables_have_the_columns_that_rows_have(ask: Any, settings: ClickHouseSettings) -> None:
    """Names in code and in SQL are the same, in the same order, save the ones kept for the hash chain."""
    sql = "SELECT name FROM system.columns WHERE database = currentDatabase() AND table = '{}' ORDER BY position"
    audit = [name for (name,) in ask(sql.format("audit"))]
    assert sorted(audit) == sorted(COLUMNS)
    assert [name for (name,) in ask(sql.format("dead_letters"))] == list(LETTER_COLUMNS)


def test_a_row_reads_back_as_it_was_written(store: ClickHouseStore, ask: Any) -> None:
    """No value changes on its way into the table and out of it."""
    record = records.audited(3, Decision.REDACT)
    put(store, record)
    answer = ask(
        "SELECT event_id, occurred_at, findings.score, findings.essential, violations.evidence, decision FROM audit"
    )
    ((event_id, occurred_at, scores, essential, evidence, decision),) = answer
    assert event_id == record.view.event_id
    assert round(occurred_at.timestamp() * 1e6) == record.view.occurred_at
    assert (scores, essential) == ([0.95, 0.85], [True, False])
    assert evidence == [list(record.verdict.violations[0].evidence)]
    assert decision == "redact"


def test_the_usual_questions_have_answers(store: ClickHouseStore, ask: Any) -> None:
    """Each view answers its question about the same few events."""
    put(
        store,
        *(records.audited(n, Decision(n % 4)) for n in range(8)),
        records.report(20),
        records.report(1, AuditKind.LATE_VERDICT),
        records.report(1, AuditKind.FIREWALL),
    )
    assert ask("SELECT decision, count() FROM verdicts GROUP BY decision ORDER BY decision") == [
        *(("forward", 2), ("warn", 2), ("redact", 2), ("block", 2))
    ]
    assert ask(
        "SELECT subject, count(), countIf(has(reasons, 'consent_missing')) FROM per_subject GROUP BY subject"
    ) == [(records.ANNA, 8, 4)]
    assert ask("SELECT purpose, provenance, count() FROM per_purpose GROUP BY 1, 2 ORDER BY 1") == [
        *(("marketing.email", "tool", 8), ("orders", "declared", 8))
    ]
    assert ask("SELECT kind, reasons, count() FROM blocked GROUP BY 1, 2 ORDER BY 1") == [
        *(("no_verdict", ["deadline_passed"], 1), ("verdict", ["consent_missing"], 2))
    ]
    assert ask("SELECT policy_id, policy_version, events, blocked, p1, p3, p4 FROM per_policy_version") == [
        ("shopper", "1.0.0", 8, 2, 4, 2, 0)
    ]
    assert ask("SELECT kind, decision, waited_ms FROM guard_reports ORDER BY kind") == [
        *(("firewall", "none", 500), ("late_verdict", "none", 500), ("no_verdict", "block", 500))
    ]
    assert ask("SELECT events, forwarded, redacted, blocked, guard_reports, people FROM totals") == [(8, 2, 2, 2, 3, 1)]


def consent_states(ask: Any) -> dict[str, str]:
    """State by purpose."""
    return dict(ask("SELECT purpose, state FROM latest_consent ORDER BY purpose"))


def test_latest_consent_follows_grants_and_withdrawals(store: ClickHouseStore, ask: Any) -> None:
    """A withdrawal ends the purposes below its own, a later grant begins anew, time alone ends one."""
    put(
        store,
        records.consent(1, "marketing", "marketing.email", "orders"),
        records.consent(2, "profiling", expires_at=records.T0),
        records.consent(3, "support", expires_at=records.T0 + 10**15),
        records.withdrawal(4, "marketing"),
        records.consent(5, "marketing.email"),
    )
    assert consent_states(ask) == {
        "marketing": "withdrawn",
        "marketing.email": "given",
        "orders": "given",
        "profiling": "expired",
        "support": "given",
    }


@pytest.mark.parametrize(
    ("end", "state"), [(records.withdrawal(4), "withdrawn"), (records.erasure(4, Outcome.ERASED), "erased")]
)
def test_latest_consent_ends_with_everything(store: ClickHouseStore, ask: Any, end: AuditRecord, state: str) -> None:
    """A withdrawal of everything and an erasure end all; a re-enrolment after it begins anew."""
    put(store, records.consent(1, "orders", "support"), end, records.consent(5, "support", re_enrols=True))
    assert consent_states(ask) == {"orders": state, "support": "given"}


def test_repeating_an_erasure_is_one_row_of_the_ledger(store: ClickHouseStore, ask: Any) -> None:
    """The ledger has the erasure that took effect; every request leaves its evidence (A02, A03)."""
    put(
        store,
        records.erasure(1, Outcome.ERASED),
        records.erasure(2, Outcome.ALREADY_ERASED),
        records.erasure(3, Outcome.UNKNOWN_SUBJECT, records.BERT),
    )
    assert ask("SELECT subject, request_id FROM erasure_ledger") == [(records.ANNA, "dsr-1")]
    assert ask("SELECT request_id, outcome FROM requests ORDER BY request_id") == [
        *(("dsr-1", "erased"), ("dsr-2", "already_erased"), ("dsr-3", "unknown_subject"))
    ]


def test_an_officer_sees_one_person_in_order(store: ClickHouseStore, settings: ClickHouseSettings) -> None:
    """`about` finds what concerned any of a person's pseudonyms, and nobody else's."""
    put(store, records.audited(2), records.audited(1, Decision.BLOCK), records.audited(3, subject=records.BERT))
    answer = Officer(settings).about([records.ANNA], tenant_id="acme")
    decisions = [row[answer.columns.index("decision")] for row in answer.rows]
    assert decisions == ["block", "forward"]
    assert Officer(settings).about([records.ANNA], tenant_id="other").rows == []


@pytest.mark.parametrize(
    "sql",
    ["DROP TABLE audit", "ALTER TABLE audit DELETE WHERE 1", "INSERT INTO audit (kind) VALUES ('x')"],
)
def test_asking_can_only_read(ask: Any, sql: str) -> None:
    """Even a user who could do more reads only, and is told which views there are."""
    with pytest.raises(ConfigurationError, match="officers read the views and nothing else") as caught:
        ask(sql)
    assert "verdicts, per_subject" in caught.value.hint


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("SELECT nothing", "nothing"),
        ("SELECT 1 FROM absent", "absent"),
        ("SELEC 1", "[Ss]yntax"),
        ("SELECT kind, count() FROM audit", "GROUP BY"),
        ("-- no more than a comment", "empty"),
    ],
)
def test_a_wrong_query_is_for_its_writer_to_mend(ask: Any, sql: str, words: str) -> None:
    """ClickHouse's words are told, without the server's version and address."""
    with pytest.raises(ConfigurationError, match=words) as caught:
        ask(sql)
    assert "docs/audit.md" in caught.value.hint
    assert "version" not in caught.value.message
    assert "http" not in caught.value.message


@pytest.mark.parametrize("sql", ["selec x from verdicts", "select kind from audit where ("])
def test_no_place_behind_the_query_is_named(ask: Any, sql: str) -> None:
    """What the driver puts behind a query is nothing that its writer could find."""
    with pytest.raises(ConfigurationError, match="behind its last word") as caught:
        ask(sql)
    assert "Native" not in caught.value.message
    with pytest.raises(ConfigurationError, match="failed at position 24"):
        ask("select kind from (where) x")


def test_a_retry_with_the_same_token_adds_nothing(store: ClickHouseStore, ask: Any) -> None:
    """ClickHouse itself drops an insert that it has carried out already (A37)."""
    rows = [process(records.audited(n), LogPlace("t.audit", 0, n, records.T0 // 1_000)) for n in range(50)]
    (batch,) = batches(rows)
    for _ in range(3):
        store.insert(batch)
    assert ask("SELECT count(), uniqExact(event_id) FROM audit") == [(50, 50)]


def test_what_is_known_is_told_whatever_ids_hold(store: ClickHouseStore) -> None:
    """Look-ups are exact for ids with quotes, tabs, newlines and none at all."""
    names = ["it's", "a\tb", "a\nb", "\\", "", "ä" * 200]
    rows = []
    for n, name in enumerate(names):
        row = process(records.audited(n), LogPlace("t.audit", 0, n, 1_000))
        values = list(row.values)
        values[AUDIT_COLUMNS.index("event_id")] = name
        values[AUDIT_COLUMNS.index("digest")] = "d"
        rows.append(type(row)(("acme", name, "verdict", "d"), row.place, tuple(values)))
    write(store, rows)
    wanted = {("acme", name, "verdict", digest) for name in [*names, "x", "a\\tb"] for digest in ("d", "other")}
    assert store.known(Table.AUDIT, wanted) == {row.key for row in rows}
    assert {number: head.offset for number, head in store.heads("t.audit").items()} == {0: len(names) - 1}
    assert store.heads("it's") == {}


def test_migrating_twice_does_nothing(settings: ClickHouseSettings, ask: Any) -> None:
    """What is applied is recorded with its checksum and not applied again."""
    assert migrate(settings) == []
    assert ask("SELECT count() FROM schema_migrations") == [(len(packaged()),)]


def test_a_migration_that_was_changed_is_refused(settings: ClickHouseSettings) -> None:
    """The message names the file; nothing is applied."""
    changed = [
        *packaged()[:-1],
        Migration(packaged()[-1].version, packaged()[-1].name, "CREATE OR REPLACE VIEW x AS SELECT 1;"),
    ]
    with pytest.raises(ConfigurationError, match=f"{packaged()[-1].name} was changed"):
        migrate(settings, changed)


def test_a_database_that_is_newer_is_refused(settings: ClickHouseSettings) -> None:
    """An old version of the product does not work on tables that it doesn't know."""
    with pytest.raises(ConfigurationError, match="newer"):
        migrate(settings, packaged()[:-1])


def test_a_migration_that_was_cut_off_is_completed(settings: ClickHouseSettings, ask: Any) -> None:
    """Statements can be run twice, so a file that was applied in part is applied again in whole."""
    nxt = len(packaged()) + 1
    text = "ALTER TABLE audit ADD COLUMN IF NOT EXISTS extra Int64;CREATE OR REPLACE VIEW more AS SELECT {} FROM audit;"
    broken = Migration(nxt, f"{nxt:04}_more.sql", text.format("missing"))
    with pytest.raises(MustStop, match="applying"):
        migrate(settings, [*packaged(), broken])
    mended = Migration(nxt, broken.name, text.format("extra"))
    assert migrate(settings, [*packaged(), mended]) == [mended.name]
    assert ask("SELECT * FROM more") == []


def test_a_writer_waits_for_an_insert_that_still_runs(settings: ClickHouseSettings) -> None:
    """Positions are read only after an earlier run's insert has ended one way or the other."""
    slow = (
        "INSERT INTO dead_letters (log_topic, topic) SELECT 't', 't' FROM numbers(10) WHERE sleepEachRow(0.1) = 0 "
        "SETTINGS max_block_size = 1"
    )
    client = connect(settings)
    insert = threading.Thread(
        target=client.command, args=(slow,), kwargs={"settings": {"query_id": "lawful-audit-insert-1"}}
    )
    insert.start()
    eventually(lambda: client.query("SELECT 1 FROM system.processes WHERE query_kind = 'Insert'").result_rows)
    store = ClickHouseStore(settings)
    store.settle()
    assert client.query("SELECT count() FROM dead_letters").result_rows == [(10,)]
    insert.join()
    store.close()
    client.close()

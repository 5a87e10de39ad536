"""Votes and commitments in ClickHouse: written by the writer, read by officers, held against the key."""

from dataclasses import replace

import pytest

from lawful.infra.audit_writer.store import ClickHouseStore
from lawful.infra.auditors.verifying import Fault, history, verify
from lawful.infra.clickhouse.migrate import migrate
from lawful.infra.clickhouse.query import Officer
from lawful.infra.clickhouse.rows import LogPlace, process
from lawful.infra.engines.clickhouse import EmbeddedClickHouse
from lawful.infra.settings import ClickHouseSettings
from lawful.policies.auditing import commitment, draw
from lawful.policies.auditing.record import Record
from lawful.policies.auditing.sentries import terms_of
from lawful.schemas.audit import AuditKind, AuditRecord, GuardReport
from lawful.schemas.verdict import Decision, Vote
from tests.infra import records
from tests.infra.chains import write

pytestmark = pytest.mark.service
KEY, OTHER = b"k" * 32, b"o" * 32
POOL = ["mfotl", "python", "rego"]


@pytest.fixture
def officer(clickhouse: EmbeddedClickHouse, database: str) -> Officer:
    """An audit with a commitment and three voted events, the last one's sentries picked by hand."""
    settings = ClickHouseSettings(
        host=clickhouse.host, port=clickhouse.port or 0, user="owner", password=clickhouse.password(), database=database
    )
    migrate(settings)
    terms = terms_of(POOL, 2)
    told = replace(records.report(0, AuditKind.SENTRIES), tenant_id="", event_id=commitment(KEY, terms), reason=terms)
    found: list[AuditRecord | GuardReport] = [
        told,
        voted(1),
        voted(2, doubt=True),
        records.audited(3),
        voted(4, key=OTHER),
    ]
    store = ClickHouseStore(settings)
    write(store, [process(each, LogPlace("t.audit", 0, n, records.T0 // 1_000 + n)) for n, each in enumerate(found)])
    store.close()
    return Officer(settings)


def voted(number: int, *, key: bytes = KEY, doubt: bool = False) -> AuditRecord:
    """An event that auditors looked at; in doubt the first sentry objected, and everybody was asked."""
    record = records.audited(number)
    drawn = list(draw(key, "acme", record.view.event_id, POOL, 2))
    if key is OTHER and tuple(drawn) == draw(KEY, "acme", record.view.event_id, POOL, 2):
        drawn = [name for name in POOL if name != drawn[0]]
    votes = [Vote(name, "1", Decision.FORWARD, "agrees", sentry=True) for name in drawn]
    if doubt:
        votes[0] = replace(votes[0], decision=Decision.BLOCK, reason="stricter")
        votes += [Vote(name, "1", Decision.FORWARD, "agrees", sentry=False) for name in POOL if name not in drawn]
    return replace(record, verdict=replace(record.verdict, votes=tuple(votes)))


def test_votes_are_rows_of_a_view_and_verify_against_the_key(officer: Officer) -> None:
    """Two events are fine, the third one's sentries were not drawn; of another key nothing is known."""
    rows = officer.ask("SELECT event_id, auditor, vote, reason, sentry, escalated FROM votes ORDER BY event_id").rows
    assert len(rows) == 7
    assert {row[0] for row in rows if row[5]} == {records.event_id(2)}
    report = verify(officer, KEY)
    assert (report.commitments, report.votings, report.others) == (1, 3, 0)
    assert [(each.fault, each.event_id) for each in report.wrong] == [(Fault.NOT_DRAWN, records.event_id(4))]
    assert verify(officer, OTHER).commitments == 0


def test_an_officer_sees_commitments_and_records(officer: Officer) -> None:
    """The commitment is no guard's report; who objected alone deviated once."""
    assert officer.ask("SELECT terms FROM sentry_keys").rows == [("2 of mfotl,python,rego",)]
    assert officer.ask("SELECT * FROM guard_reports").rows == []
    found = history(officer)
    assert sum(each.votes for each in found.values()) == 7
    assert sorted(each.deviations for each in found.values()) == [0, 0, 1]
    assert Record() not in found.values()

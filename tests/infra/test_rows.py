"""Rows: pure, complete, and safe for whatever a record holds."""

from dataclasses import fields, replace

import pytest

from lawful.infra.clickhouse import rows
from lawful.infra.clickhouse.rows import AUDIT_COLUMNS, LETTER_COLUMNS, VOTES, LogPlace, Row
from lawful.schemas.audit import AuditKind, AuditRecord, GuardReport
from lawful.schemas.event import RequestKind
from lawful.schemas.history import ConsentFact, Fact, LinkFact, MergeFact, RequestFact, SeenFact, WithdrawalFact
from lawful.schemas.verdict import Decision, Verdict, Vote
from lawful.schemas.view import View
from tests.infra import records

PLACE = LogPlace("t.audit", 1, 7, 1_790_000_000_123)


def named(row: Row) -> dict[str, object]:
    """A row of the audit, by column."""
    return dict(zip(AUDIT_COLUMNS, row.values, strict=True))


@pytest.mark.parametrize(
    "record", [records.audited(3, Decision.BLOCK), records.report(3), records.consent(3, "orders")]
)
def test_a_record_is_the_same_row_however_often_it_is_made(record: AuditRecord | GuardReport) -> None:
    """Processing twice yields equal rows: the basis of retrying."""
    assert rows.process(record, PLACE) == rows.process(record, PLACE)


def test_every_column_has_a_value() -> None:
    """A row of each kind has exactly as many values as the table has columns."""
    for record in (records.audited(1), records.report(1)):
        assert len(rows.process(record, PLACE).values) == len(AUDIT_COLUMNS) == len(set(AUDIT_COLUMNS))
    assert len(rows.dead_letter(records.letter(1), PLACE).values) == len(LETTER_COLUMNS)


def test_no_field_of_a_record_is_left_out() -> None:
    """A field added to the vocabulary must get a column, or be named here as one that has none."""
    names = (*AUDIT_COLUMNS, *VOTES)
    columns = {name.replace(".", "_") for name in names} | {name.split(".")[0] for name in names}
    elsewhere = {"key", "position", "recipient", "fact", "reply_to", "kind", "violations", "obligations"}
    elsewhere |= {"slice", "acted"}  # of views for rules alone, which are never the audited one
    elsewhere |= {
        "origin",
        "parted",
        "key_id",
        "heavy",
        "reread",
        "flow",
        "channels",
    }  # ways of the pipeline; who and what came of it have columns
    for cls in (View, Verdict, GuardReport):
        assert {field.name for field in fields(cls)} - elsewhere - {"reason"} <= columns


def test_a_verdict_is_flattened() -> None:
    """Findings, violations, obligations and positions become parallel lists."""
    row = named(rows.process(records.audited(5, Decision.REDACT), PLACE))
    assert (row["log_topic"], row["log_partition"], row["log_offset"]) == ("t.audit", 1, 7)
    assert row["findings.category"] == ("user.contact.email", "user.name")
    assert row["findings.subject"] == (records.ANNA, "")
    assert row["violations.decision"] == (2,)
    assert row["violations.evidence"] == ((records.event_id(1), records.event_id(2)),)
    assert row["obligations.action"] == ("replace",)
    assert row["decided_on.offset"] == (5,)
    assert row["decision"] == 2


def test_votes_have_columns_of_their_own() -> None:
    """One list per part of a vote; a verdict without any fills none."""
    record = records.audited(5)
    votes = (
        Vote("rego", "1", Decision.BLOCK, "stricter", sentry=True),
        Vote("a", "2", Decision.WARN, "late", sentry=False),
    )
    row = rows.process(replace(record, verdict=replace(record.verdict, votes=votes)), PLACE)
    told = dict(row.more)
    assert (told["votes.auditor"], told["votes.decision"]) == (("rego", "a"), ("block", "warn"))
    assert (told["votes.sentry"], told["votes.part"]) == ((True, False), (0, 0))
    assert rows.process(record, PLACE).more == ()


@pytest.mark.parametrize(
    ("kind", "decision"),
    [(AuditKind.NO_VERDICT, 3), (AuditKind.GUARD_BLOCK, 3), (AuditKind.LATE_VERDICT, -1), (AuditKind.FIREWALL, -1)],
)
def test_a_guard_report_says_what_the_guard_did(kind: AuditKind, decision: int) -> None:
    """A guard that blocked is a block; one that saw a late verdict, or let a firewall's rest go on, decided nothing."""
    row = named(rows.process(records.report(5, kind), PLACE))
    assert (row["kind"], row["decision"], row["waited_ms"], row["guard_reason"]) == (
        kind,
        decision,
        500,
        "deadline_passed",
    )
    assert row["recorded_at"] == PLACE.logged_at * 1_000


@pytest.mark.parametrize(
    ("fact", "kind", "told"),
    [
        (
            ConsentFact("e", ("a", "b"), None, 9, re_enrols=True),
            "consent",
            {"fact_purposes": ("a", "b"), "fact_expires_at": 9},
        ),
        (
            ConsentFact("e", ("a",), ("user.name",)),
            "consent",
            {"fact_categories": ("user.name",), "fact_expires_at": None},
        ),
        (WithdrawalFact("e", None), "withdrawal", {"fact_all_purposes": True, "fact_purposes": ()}),
        (RequestFact("e", RequestKind.ERASURE, "r"), "request", {"request_kind": "erasure", "request_id": "r"}),
        (LinkFact("e", "f" * 64, "a" * 64), "link", {"link_alias": "f" * 64, "link_root": "a" * 64}),
        (MergeFact("e", "f" * 64), "merge", {"link_alias": "f" * 64}),
        (SeenFact("e"), "seen", {"fact_purposes": ()}),
    ],
)
def test_a_fact_keeps_what_it_says(fact: Fact, kind: str, told: dict[str, object]) -> None:
    """What a history learnt can be read from its row."""
    row = named(rows.process(records.audited(1, fact=fact), PLACE))
    assert row["fact_kind"] == kind
    assert {name: row[name] for name in told} == told


def test_a_clock_that_says_anything_still_gives_a_stamp_that_fits() -> None:
    """Times of producers are cut to what the column holds, so that no record can stop the writer."""
    for wild in (-(2**63), 2**63 - 1):
        record = records.audited(1)
        row = named(rows.process(replace(record, view=replace(record.view, occurred_at=wild)), PLACE))
        assert -(2**53) < int(str(row["occurred_at"])) < 2**63 - 2**60


def test_another_event_under_a_used_id_is_another_row() -> None:
    """A duplicate has the first one's key, wherever it stands; an event with another payload has not."""
    record = records.audited(1)
    other = replace(record, view=replace(record.view, digest="e" * 64))
    first, again = (rows.process(record, replace(PLACE, offset=offset)) for offset in (1, 2))
    assert first.key == again.key
    assert rows.process(other, PLACE).key != first.key


def test_an_unreadable_record_is_known_by_its_place() -> None:
    """Reading it twice is one row."""
    first, second = (rows.unreadable(PLACE, "undecodable", "truncated", size) for size in (5, 5))
    assert first == second
    assert first.key == ("t.audit", 1, 7)


def test_columns_are_rows_turned() -> None:
    """ClickHouse takes columns: one list per column, in the order of the rows."""
    made = [rows.process(records.audited(n), replace(PLACE, offset=n)) for n in range(3)]
    columns = rows.columns(made)
    assert columns[AUDIT_COLUMNS.index("log_offset")] == (0, 1, 2)
    assert len(columns) == len(AUDIT_COLUMNS)

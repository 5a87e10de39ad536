"""The audit proves itself: what real writers wrote verifies, whatever happens to them, and nothing else does."""

import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import pytest
from confluent_kafka.cimpl import NewPartitions

from lawful.infra.audit_chain.form import COLUMNS
from lawful.infra.audit_verify import Keys, Kind, VerifyReport, evidence, verify
from lawful.infra.audit_writer.log import group_id
from lawful.infra.clickhouse.client import connect
from lawful.infra.engines.leave_group import leave_group
from lawful.infra.kafka_admin import admin
from lawful.schemas.audit import Anchor, AuditKind, GuardReport
from lawful.schemas.codec import encode
from lawful.schemas.event import UserMessage
from lawful.schemas.ids import uuid7
from tests.acceptance.house import PARTITIONS, TENANT, House
from tests.engines import eventually, installed_on_every_broker

ALL = ", ".join(f"`{name}`" for name in COLUMNS)
PARTS_BEARABLE = 60


def report(number: int) -> GuardReport:
    """What a guard says of an event."""
    return GuardReport(
        kind=AuditKind.NO_VERDICT,
        event_id=uuid7(),
        tenant_id=TENANT,
        source="urn:test",
        agent_id=f"agent-{number % 5}",
        session_id="s",
        occurred_at=1_700_000_000_000_000 + number,
        reason="deadline_passed",
        payload_kind="UserMessage",
        waited_ms=number,
    )


def put(house: House, count: int, partitions: int = PARTITIONS) -> None:
    """Puts reports on the audit topic, one record each, in turns."""
    with house.producing() as producer:
        for number in range(count):
            producer.produce(house.topics.audit, encode(report(number)), partition=number % partitions)
            producer.poll(0)


def checked(house: House, client: Any = None) -> VerifyReport:
    """What verification finds, with this installation's keys and anchors."""
    anchors = evidence.anchors(house.settings)
    own = client or connect(house.clickhouse)
    try:
        return verify(own, Keys.of(house.settings), anchors)
    finally:
        if client is None:
            own.close()


def left(house: House, name: str) -> None:
    """Says goodbye for a writer that is gone: the embedded broker would wait for it for ever."""
    leave_group(house.settings.kafka.bootstrap, group_id(house.settings), f"{name}-audit")


@dataclass
class Copy:
    """The installation's audit, in another database, to be spoilt."""

    client: Any
    source: str

    def become(self, select: str) -> None:
        """The rows are what this gives."""
        self.client.command("TRUNCATE TABLE audit")
        self.client.command(f"INSERT INTO audit ({ALL}) {select}")


@contextmanager
def copied(house: House) -> Iterator[Copy]:
    """A copy with the view that verification reads."""
    source, name = house.clickhouse.database, f"{house.clickhouse.database}_copy"
    owner = connect(house.clickhouse)
    owner.command(f"CREATE DATABASE {name}")
    owner.command(f"CREATE TABLE {name}.audit AS {source}.audit")
    owner.command(f"CREATE VIEW {name}.chain AS SELECT * FROM {name}.audit")  # noqa: S608 - the test's own
    client = connect(replace(house.clickhouse, database=name))
    try:
        yield Copy(client, source)
    finally:
        client.close()
        owner.command(f"DROP DATABASE {name}")
        owner.close()


@pytest.fixture
def anchored(house: House) -> list[Anchor]:
    """Anchors of what the workers and the audit writer wrote about some new events."""
    waiting = [house.transport.submit(house.event(UserMessage(f"hello {n}"))) for n in range(40)]
    ids = [each.result(timeout=60).event_id for each in waiting]
    house.ask_for(len(ids), "SELECT 1 FROM audit WHERE event_id IN {ids:Array(String)}", ids=ids)
    count = "SELECT max(chain_no) AS n FROM audit GROUP BY log_partition"

    def signed() -> list[Anchor]:
        ends = {row["n"] for row in house.ask(count)}
        found = evidence.latest(evidence.anchors(house.settings))
        return found if {each.number for each in found} >= ends else []

    return eventually(signed, pause=0.2)


def test_a_flipped_bit_in_a_row_is_found_at_that_row(house: House, anchored: Sequence[Anchor]) -> None:
    """A32: among rows that real workers and a real writer wrote, whichever column it is."""
    end = max(anchored, key=lambda each: each.number)
    flips = {
        "decision": "if(decision = 'warn', 'block', 'warn')",
        "policy_digest": "concat(char(bitXor(ascii(policy_digest), 1)), substring(policy_digest, 2))",
        "recorded_at": "addMicroseconds(recorded_at, 1)",
        "part": "bitXor(part, 1)",
        "roles": "arrayPushBack(roles, '')",
        "row_hash": "reverse(row_hash)",
        "guard_reason": "concat(guard_reason, 'x')",
    }
    numbers = dict(zip(flips, itertools.count(end.number - 2 * len(flips), 2), strict=False))
    mine = f"log_partition = {end.partition}"
    listed = ", ".join(
        f"if({mine} AND chain_no = {numbers[name]}, {flips[name]}, `{name}`)" if name in flips else f"`{name}`"
        for name in COLUMNS
    )
    with copied(house) as copy:
        copy.become(f"SELECT {listed} FROM {copy.source}.audit")  # noqa: S608 - the test's own
        found = checked(house, copy.client)
    wanted = [(Kind.CHANGED, end.partition, number) for number in sorted(numbers.values())]
    assert [(fault.kind, fault.partition, fault.number) for fault in found.faults] == wanted
    assert all(fault.event_id for fault in found.faults)


def test_a_cut_off_tail_is_found_through_the_anchors_in_kafka(house: House, anchored: Sequence[Anchor]) -> None:
    """A33: what is left fits, but more was signed and published; without anchors it would not show."""
    end = max(anchored, key=lambda each: each.number)
    with copied(house) as copy:
        gone = f"log_partition = {end.partition} AND chain_no >= {end.number}"
        copy.become(f"SELECT {ALL} FROM {copy.source}.audit WHERE NOT ({gone})")  # noqa: S608 - the test's own
        found = checked(house, copy.client)
        blind = verify(copy.client, Keys.of(house.settings))
    assert [(fault.kind, fault.partition, fault.number) for fault in found.faults] == [
        (Kind.CUT_OFF, end.partition, end.number)
    ]
    assert blind.ok


@installed_on_every_broker
@pytest.mark.timeout(300)
def test_the_chain_holds_over_kills_hand_overs_and_new_partitions(bare: House) -> None:
    """A34: two writers, one killed in mid-work, one that comes back, a partition more: one chain each, no row twice."""
    bare.start("audit-writer-1", "audit-writer-2", audit__batch_ms="20", audit__batch_rows="50")
    put(bare, 300)
    eventually(lambda: bare.ask("SELECT count() AS n FROM audit")[0]["n"] >= 100, pause=0.02)
    bare.processes["audit-writer-1"].kill()
    left(bare, "audit-writer-1")
    put(bare, 300)
    bare.spawn("audit-writer-1")
    for name in ("audit-writer-2", "audit-writer-1"):
        bare.processes[name].stop()
        left(bare, name)
    kafka = admin(bare.settings.kafka)
    for outcome in kafka.create_partitions([NewPartitions(bare.topics.audit, PARTITIONS + 1)]).values():
        outcome.result(20)
    put(bare, 300, PARTITIONS + 1)
    bare.spawn("audit-writer-3")
    counted = "SELECT count() AS n, uniqExact(event_id) AS u, uniqExact(log_partition) AS chains FROM audit"
    eventually(lambda: bare.ask(counted) == [{"n": 900, "u": 900, "chains": PARTITIONS + 1}], seconds=60, pause=0.1)
    bare.processes["audit-writer-3"].stop()
    found = checked(bare)
    assert found.ok, found.first
    assert sum(each.last for each in found.chains) == 900
    assert all(each.unanchored == 0 for each in found.chains)


def test_many_single_events_do_not_make_too_many_parts(bare: House) -> None:
    """A38: 10,000 records that come one by one are few inserts, and few parts."""
    bare.start("audit-writer", audit__batch_ms="1000")
    put(bare, 10_000)
    eventually(lambda: bare.ask("SELECT count() AS n FROM audit") == [{"n": 10_000}], seconds=60, pause=0.1)
    parts = "SELECT count() AS n, max(max_block_number) AS inserts FROM system.parts "
    where = "WHERE database = currentDatabase() AND table = 'audit'"
    (found,) = bare.ask(f"{parts}{where}")
    assert found["n"] <= PARTS_BEARABLE
    assert found["inserts"] <= PARTS_BEARABLE
    bare.processes["audit-writer"].stop()
    report_found = checked(bare)
    assert report_found.ok, report_found.first

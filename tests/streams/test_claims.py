"""A worker that was replaced writes on for a moment; nothing that it writes then counts."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest
from aiokafka.errors import CommitFailedError, KafkaConnectionError, KafkaError, TopicAuthorizationFailedError
from faust.types import TP
from hypothesis import given
from hypothesis import strategies as st

from lawful.streams import tables
from lawful.streams.claims import CLAIM, Claims, naming
from lawful.streams.store import MemoryStore, PartitionStore
from lawful.streams.tables import PartitionRows, StateTable
from tests.streams.changelog import CHANGELOG, Changelog

A, B, KEY = b"claim of a", b"claim of b", b"k"


@pytest.fixture
def changelog(monkeypatch: pytest.MonkeyPatch) -> Changelog:
    """An empty one, from which tables restore themselves."""
    made = Changelog()
    monkeypatch.setattr(tables, "read_to_end", made.read)
    return made


async def opened(table: StateTable) -> PartitionRows:
    """Restores and claims the partition; gives its rows."""
    await table.on_recovery_completed({CHANGELOG}, set())
    return table.rows[0]


async def write(changelog: Changelog, rows: PartitionRows, value: bytes) -> bool:
    """Writes a row as a stage does. Returns whether nobody else has written."""
    rows.put(KEY, value)
    sent = await (await changelog.send("", KEY, value, 0, None, naming(rows.claim)))
    settled = rows.settle(KEY, value, sent.offset)
    rows.flush()
    return settled


def test_rows_count_while_no_other_claim_was_made() -> None:
    """Those of a release that knows of no claims count always, and those from before all claims that are left."""
    claims = Claims()
    rows = [(KEY, A), (CLAIM, A), (KEY, A), (KEY, B), (KEY, None), (CLAIM, B), (KEY, A), (KEY, B)]
    counted = [
        claims.count(key, by if key == CLAIM else b"row", None if by is None else naming(by)) for key, by in rows
    ]
    assert counted == [True, True, True, False, True, True, False, True]


async def test_a_row_that_comes_late_changes_nothing(changelog: Changelog) -> None:
    """Neither what the next worker knows nor what compaction will leave."""
    sleeper = await opened(changelog.table())
    await write(changelog, sleeper, b"old")
    successor = await opened(changelog.table())
    assert await write(changelog, successor, b"new")
    assert not await write(changelog, sleeper, b"older")
    assert changelog.records[-1].value == b"older"
    third = await opened(changelog.table())
    assert third.get(KEY) == b"new"
    assert [(row.key, row.value) for row in changelog.records[-2:]] == [(CLAIM, third.claim), (KEY, b"new")]


async def test_a_store_on_disk_is_not_taken_further_by_a_late_row(changelog: Changelog) -> None:
    """The one who slept gets its partition back, and reads what was written meanwhile, behind which its row stands."""
    table = changelog.table()
    sleeper = await opened(table)
    await write(changelog, sleeper, b"old")
    await write(changelog, await opened(changelog.table()), b"new")
    await write(changelog, sleeper, b"older")
    await table.on_rebalance({CHANGELOG}, set(), set())
    assert (await opened(table)).get(KEY) == b"new"


async def test_whoever_is_not_alone_notices_and_reads_again(changelog: Changelog) -> None:
    """The owner's next row is not where it should be; then it opens the partition anew."""
    sleeper, table = await opened(changelog.table()), changelog.table()
    owner = await opened(table)
    await write(changelog, owner, b"new")
    await write(changelog, sleeper, b"older")
    assert not await write(changelog, owner, b"newer")
    await table.reopen(0)
    assert table.rows[0].get(KEY) == b"newer"
    assert changelog.rows()[KEY] == b"newer"
    assert await write(changelog, table.rows[0], b"newest")


async def test_what_was_written_until_the_claim_counts(changelog: Changelog) -> None:
    """The worker before was still at work when its successor had read the changelog's end."""
    before = await opened(changelog.table())
    changelog.before.append(SimpleNamespace(key=KEY, value=b"last", headers=naming(before.claim)))
    assert (await opened(changelog.table())).get(KEY) == b"last"


async def test_records_that_compaction_took_leave_no_gap(changelog: Changelog, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last record may be a tombstone that is gone: the changelog ends behind what can be read."""
    store = MemoryStore()
    await opened(changelog.table(store))
    changelog.records.append(SimpleNamespace(key=KEY, value=None, headers=(), offset=1))

    async def without(*args: Any) -> AsyncIterator[tuple[TP, list[Any]]]:
        async for tp, records in changelog.read(*args):
            if left := [record for record in records if record.value is not None]:
                yield tp, left

    monkeypatch.setattr(tables, "read_to_end", without)
    rows = await opened(changelog.table(store))
    assert store.through == 2
    assert await write(changelog, rows, b"new")


async def test_what_the_broker_has_lost_does_not_count(changelog: Changelog, store: PartitionStore) -> None:
    """Nobody else would know of it: the store becomes what the changelog is."""
    table = changelog.table(store)
    rows = await opened(table)
    await write(changelog, rows, b"old")
    await write(changelog, rows, b"lost")
    await write(changelog, rows, b"lost, too")
    del changelog.records[2:]
    assert not await write(changelog, rows, b"new")
    del changelog.records[2:]
    await table.reopen(0)
    assert (table.rows[0].get(KEY), store.through) == (b"old", 2)
    assert await write(changelog, table.rows[0], b"new")


async def test_a_claim_waits_for_the_broker(changelog: Changelog) -> None:
    """Who is out of touch for a moment claims later."""
    changelog.faults.append(CommitFailedError("this worker lost touch with its group"))
    assert (await opened(changelog.table())).claim == changelog.records[0].value


@pytest.mark.parametrize("fault", [KafkaConnectionError(), TopicAuthorizationFailedError()])
async def test_a_partition_is_opened_anew_once_the_broker_answers(
    changelog: Changelog, monkeypatch: pytest.MonkeyPatch, fault: KafkaError
) -> None:
    """A connection that breaks in the middle is no reason to end; that it may not be read is."""
    table = changelog.table()
    before, faults = await opened(table), [fault] * 2
    await write(changelog, before, b"new")

    def read(*args: Any) -> AsyncIterator[tuple[TP, list[Any]]]:
        if faults:
            raise faults.pop()
        return changelog.read(*args)

    monkeypatch.setattr(tables, "read_to_end", read)
    monkeypatch.setattr(tables, "_AGAIN", 0.0)
    table.rows.clear()
    with contextlib.nullcontext() if fault.retriable else pytest.raises(type(fault)):
        await table.reopen(0)
    assert (0 in table.rows) == fault.retriable


async def test_a_partition_that_is_given_out_anew_is_not_claimed_on(changelog: Changelog) -> None:
    """As long as the broker refuses it is tried, and no longer than the partition is here."""
    table = changelog.table()
    changelog.faults += [CommitFailedError("this worker lost touch with its group")] * 1_000
    opening = asyncio.create_task(table.on_recovery_completed({CHANGELOG}, set()))
    await asyncio.sleep(0.01)
    await table.on_rebalance(set(), {CHANGELOG}, set())
    await opening
    assert table.rows == {}
    await table.reopen(0)
    assert (table.rows, changelog.records) == ({}, [])


Acts = st.lists(st.tuples(st.sampled_from(["open", "write", "late claim"]), st.integers(0, 2)), max_size=25)


@given(Acts)
def test_whatever_workers_do_the_last_claims_rows_count(acts: list[tuple[str, int]]) -> None:
    """Of three workers in any order: what the owner knows is what it and the owners before have written."""
    changelog = Changelog()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(tables, "read_to_end", changelog.read)
        asyncio.run(_play(changelog, acts))


async def _play(changelog: Changelog, acts: list[tuple[str, int]]) -> None:
    workers = [changelog.table() for _ in range(3)]
    owner, known, unclaimed = -1, None, False
    for number, (act, who) in enumerate(acts):
        value = b"%d" % number
        if act == "open":
            await workers[who].on_rebalance({CHANGELOG}, set(), set())
            assert (await opened(workers[who])).get(KEY) == known
            owner, unclaimed = who, False
        elif act == "late claim":  # of somebody who had been given the partition before the owner was
            await changelog.send("", CLAIM, value, 0, None, naming(value))
            unclaimed = True
        elif rows := workers[who].rows.get(0):
            alone = await write(changelog, rows, value)
            if who == owner:
                assert not (unclaimed and alone)
                known = known if unclaimed else value  # what does not count is done again
                if not alone:
                    await workers[who].reopen(0)
                    unclaimed = False
                assert workers[who].rows[0].get(KEY) == known
    assert changelog.rows().get(KEY) == known

"""A worker that was replaced writes on for a moment; nothing that it writes then counts."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Mapping
from types import SimpleNamespace
from typing import Any

import pytest
from aiokafka.errors import (
    CommitFailedError,
    KafkaConnectionError,
    KafkaError,
    KafkaTimeoutError,
    TopicAuthorizationFailedError,
)
from faust.types import TP
from hypothesis import given
from hypothesis import strategies as st

from lawful.streams import restoring, tables
from lawful.streams.claims import CLAIM, NOBODY, Claim, Claims, naming
from lawful.streams.restoring import STALE
from lawful.streams.rows import PartitionRows
from lawful.streams.store import MemoryStore, PartitionStore
from lawful.streams.tables import StateTable
from tests.streams.changelog import CHANGELOG, Changelog

KEY = b"k"


@pytest.fixture
def changelog(monkeypatch: pytest.MonkeyPatch) -> Changelog:
    """An empty one, from which tables restore themselves."""
    made = Changelog()
    monkeypatch.setattr(restoring, "read_to_end", made.read)
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
    """Those of a release that knows of no claims count always; a row tells of its claim where compaction took that."""
    claims, lost = Claims(), Claim(6, b"lost")
    rows: list[tuple[bytes, Claim | None, bool]] = [
        (KEY, NOBODY, True),
        (KEY, None, True),
        (CLAIM, None, True),
        (KEY, Claim(2, b"2"), True),
        (KEY, Claim(1, b"1"), False),
        (KEY, None, True),
        (CLAIM, None, True),
        (KEY, Claim(2, b"2"), False),
        (KEY, lost, False),
        (KEY, Claim(6, b"6"), True),
        (KEY, Claim(8, b"taken by compaction"), True),
        (KEY, Claim(6, b"6"), False),
        (KEY, Claim(12, b"not there yet"), False),
    ]
    for offset, (key, claim, counts) in enumerate(rows):
        headers = [] if claim is None else naming(claim)
        assert claims.count(key, b"%d" % offset, offset, headers) == counts, offset
    assert not claims.count(KEY, b"", 13, [("claim", b"?")])


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
    assert [(row.key, row.value) for row in changelog.records[-2:]] == [(CLAIM, third.claim.value), (KEY, b"new")]


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


async def test_records_that_compaction_took_leave_no_gap(changelog: Changelog) -> None:
    """The last record may be a tombstone that is gone: the changelog ends behind what can be read."""
    first = await opened(changelog.table())
    await (await changelog.send("", KEY, None, 0, None, naming(first.claim)))
    changelog.compact()
    store = MemoryStore()
    rows = await opened(changelog.table(store))
    assert (rows.claim.offset, store.through) == (2, 2)
    assert await write(changelog, rows, b"new")


async def test_a_store_that_was_away_while_compaction_ran_is_read_anew(
    changelog: Changelog, store: PartitionStore
) -> None:
    """Claims and tombstones that it never saw are gone: what counts cannot be told from what it has."""
    table = changelog.table(store)
    before = await opened(table)
    await write(changelog, before, b"old")
    await (await changelog.send("", b"gone", b"x", 0, None, naming(before.claim)))
    before.settle(b"gone", b"x", 2)
    before.flush()
    between = changelog.table()
    await write(changelog, await opened(between), b"new")
    await (await changelog.send("", b"gone", None, 0, None, naming(between.rows[0].claim)))
    await between.on_rebalance({CHANGELOG}, set(), set())
    await opened(between)
    changelog.compact()
    await table.on_rebalance({CHANGELOG}, set(), set())
    rows = await opened(table)
    assert (rows.get(KEY), rows.get(b"gone")) == (b"new", None)
    assert changelog.rows()[KEY] == b"new"


async def test_a_late_row_is_made_good_though_the_first_attempt_is_interrupted(
    changelog: Changelog, store: PartitionStore
) -> None:
    """What does not count is remembered with the store, until the key's row is the last again."""
    table, sleeper = changelog.table(store), await opened(changelog.table())
    owner = await opened(table)
    await write(changelog, owner, b"new")
    await write(changelog, sleeper, b"late")
    table.rows.clear()
    changelog.faults.append(TopicAuthorizationFailedError())
    with pytest.raises(TopicAuthorizationFailedError):
        await table.reopen(0)
    assert store.get(STALE) is not None
    await table.reopen(0)
    assert changelog.records[-1].value == b"new"
    assert store.get(STALE) is None
    changelog.compact()
    assert (await opened(changelog.table())).get(KEY) == b"new"


@pytest.mark.parametrize("refilled", [0, 4])
async def test_what_the_broker_has_lost_does_not_count(
    changelog: Changelog, store: PartitionStore, refilled: int
) -> None:
    """Nobody else would know of it: the store becomes what the changelog is, though it has grown since."""
    table = changelog.table(store)
    rows = await opened(table)
    for value in (b"old", b"lost", b"lost, too"):
        await write(changelog, rows, value)
    changelog.lose(2)
    assert not await write(changelog, rows, b"new")
    for _ in range(refilled):
        await write(changelog, rows, b"new")
    rows.forget()
    await table.reopen(0)
    assert (table.rows[0].get(KEY), store.through) == (b"new", 3 + refilled)
    assert await write(changelog, table.rows[0], b"newer")


async def test_a_store_whose_last_record_is_another_one_is_read_anew(
    changelog: Changelog, store: PartitionStore
) -> None:
    """The broker lost it, and others have written since; or the topic was made anew, and the folder was not."""
    table = changelog.table(store)
    rows = await opened(table)
    for value in (b"old", b"lost", b"lost, too"):
        await write(changelog, rows, value)
    changelog.lose(3)
    other = await opened(changelog.table())
    await (await changelog.send("", b"other", b"y", 0, None, naming(other.claim)))
    other.settle(b"other", b"y", 2)
    for _ in range(3):
        await write(changelog, other, b"new")
    await table.on_rebalance({CHANGELOG}, set(), set())
    rows = await opened(table)
    assert (rows.get(KEY), rows.get(b"other")) == (b"new", b"y")
    assert changelog.rows()[KEY] == b"new"


async def test_a_late_row_under_a_claim_that_the_broker_lost_does_not_count(changelog: Changelog) -> None:
    """Its successor's claim has the same offset."""
    await opened(changelog.table())
    sleeper = await opened(changelog.table())
    changelog.lose(1)
    await write(changelog, await opened(changelog.table()), b"new")
    await write(changelog, sleeper, b"late")
    assert (await opened(changelog.table())).get(KEY) == b"new"


@pytest.mark.parametrize("again", ["the same process", "another process"])
async def test_reading_from_the_beginning_goes_on_where_it_was_interrupted(
    changelog: Changelog, monkeypatch: pytest.MonkeyPatch, again: str
) -> None:
    """Though compaction has left gaps. Another process begins anew: nobody knows how long ago it was."""
    first = await opened(changelog.table())
    for _ in range(3):
        await write(changelog, first, b"x")
    await (await changelog.send("", b"other", b"y", 0, None, naming(first.claim)))
    changelog.compact()
    starts: list[int] = []

    async def read(app: Any, asked: Mapping[TP, int], *ends: Any) -> AsyncGenerator[tuple[TP, list[Any]], None]:
        starts.append(asked[CHANGELOG])
        async for tp, records in changelog.read(app, asked, *ends):
            for record in records:
                yield tp, [record]
                if len(starts) == 1:
                    raise TopicAuthorizationFailedError

    monkeypatch.setattr(restoring, "read_to_end", read)
    table = changelog.table()
    with pytest.raises(AssertionError, match="TopicAuthorizationFailedError"):
        await opened(table)
    if again == "another process":
        monkeypatch.setattr(restoring, "_PROCESS", b"another")
    assert (await opened(table)).get(b"other") == b"y"
    assert starts == ([0, 1] if again == "the same process" else [0, 0, 0])


async def test_nothing_is_restored_before_it_is_known_whose_it_is(changelog: Changelog) -> None:
    """Partitions were revoked; Faust may still be busy with the time before."""
    table = changelog.table()
    await opened(table)
    table.revoke()
    claimed = len(changelog.records)
    await table.on_recovery_completed({CHANGELOG}, set())
    await table.reopen(0)
    assert (table.rows, len(changelog.records)) == ({}, claimed)
    await table.on_rebalance({CHANGELOG}, set(), set())
    await opened(table)


async def test_a_claim_waits_for_the_broker(changelog: Changelog) -> None:
    """Who is out of touch for a moment claims later."""
    changelog.faults.append(CommitFailedError("this worker lost touch with its group"))
    assert (await opened(changelog.table())).claim.offset == 0


@pytest.mark.parametrize(
    ("fault", "passes"),
    [(KafkaConnectionError(), True), (KafkaTimeoutError(), True), (TopicAuthorizationFailedError(), False)],
)
async def test_a_partition_is_opened_anew_once_the_broker_answers(
    changelog: Changelog, monkeypatch: pytest.MonkeyPatch, fault: KafkaError, *, passes: bool
) -> None:
    """A connection that breaks in the middle is no reason to end; that it may not be read is."""
    table = changelog.table()
    before, faults = await opened(table), [fault] * 2
    await write(changelog, before, b"new")

    def read(*args: Any) -> AsyncGenerator[tuple[TP, list[Any]], None]:
        if faults:
            raise faults.pop()
        return changelog.read(*args)

    monkeypatch.setattr(restoring, "read_to_end", read)
    monkeypatch.setattr(tables, "_AGAIN", 0.0)
    table.rows.clear()
    with contextlib.nullcontext() if passes else pytest.raises(type(fault)):
        await table.reopen(0)
    assert (0 in table.rows) == passes


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


Acts = st.lists(
    st.tuples(st.sampled_from(["open", "write", "late claim", "compaction"]), st.integers(0, 2)), max_size=25
)


@given(Acts)
def test_whatever_workers_do_the_last_claims_rows_count(acts: list[tuple[str, int]]) -> None:
    """Of three workers in any order: what the owner knows is what it and the owners before have written."""
    changelog = Changelog()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(restoring, "read_to_end", changelog.read)
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
            await changelog.send("", CLAIM, value, 0, None, [])
            unclaimed = True
        elif act == "compaction":
            if changelog.rows().get(KEY) == changelog.last(KEY):  # else a late row is not made good yet
                changelog.compact()
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

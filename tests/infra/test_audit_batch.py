"""Batches: cut so that a kill between two inserts loses nothing, named so that a retry adds nothing."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from lawful.infra.audit_chain.link import Head
from lawful.infra.audit_writer.batch import cut, first_of_each, token
from lawful.infra.clickhouse.rows import LogPlace, Partition, Row, process
from tests.infra import records
from tests.infra.chains import LINKER, batches

DAY_MS = 86_400_000


def row(number: int, *, partition: int = 0, day: int = 20_000, key: object = None) -> Row:
    """A row with a place; its content does not matter here."""
    place = LogPlace("t.audit", partition, number, day * DAY_MS + number)
    return Row((key if key is not None else f"{partition}-{number}",), place, ())


places = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 30), st.integers(20_000, 20_003)), unique_by=lambda each: each[:2]
)


@given(places)
def test_batches_hold_every_row_once_and_one_day_each(drawn: list[tuple[int, int, int]]) -> None:
    """Cutting loses nothing, doubles nothing, and no batch spans two days."""
    rows = [row(number, partition=partition, day=day) for partition, number, day in drawn]
    batches = cut(rows)
    assert sorted(each.key for part in batches for each in part.rows) == sorted(each.key for each in rows)
    assert all(len({each.place.day for each in part.rows}) == 1 for part in batches)


@given(places)
def test_no_row_is_inserted_before_an_earlier_one_of_its_partition(drawn: list[tuple[int, int, int]]) -> None:
    """After any number of batches, what is there is a prefix of each partition: the position skips nothing."""
    rows = [row(number, partition=partition, day=day) for partition, number, day in drawn]
    latest: dict[int, int] = {}
    for part in cut(rows):
        for each in part.rows:
            assert latest.get(each.place.partition, -1) < each.place.offset
        for each in part.rows:
            latest[each.place.partition] = max(latest.get(each.place.partition, -1), each.place.offset)


def test_the_first_of_several_equal_rows_is_kept() -> None:
    """Rows that are known, or came before, are dropped."""
    rows = [row(1, key="a"), row(2, key="b"), row(3, key="a"), row(4, key="c")]
    assert [each.place.offset for each in first_of_each(rows, {("c",)})] == [1, 2]


def test_a_token_names_rows_and_places() -> None:
    """The same rows have the same token; other rows at the same places, or other places, have another."""
    rows = [row(1), row(2), row(1, partition=1)]
    assert token(rows) == token([row(1), row(2), row(1, partition=1)])
    assert token(rows).startswith("t.audit/0/1-2,t.audit/1/1-1/")
    assert token(rows) != token([row(1), row(2, key="x"), row(1, partition=1)])
    moved = [replace(each, place=replace(each.place, offset=each.place.offset + 1)) for each in rows]
    assert token(rows) != token(moved)


@given(places)
def test_audit_batches_are_of_one_partition_and_day_and_follow_each_other(drawn: list[tuple[int, int, int]]) -> None:
    """Each begins where the one before it in its chain ended, and is named by that place alone."""
    rows = [
        process(records.audited(number), LogPlace("t.audit", partition, number, day * DAY_MS))
        for partition, number, day in drawn
    ]
    ends: dict[Partition, Head] = {}
    made = batches(rows)
    for each in made:
        assert len({(row.place.partition, row.place.day) for row in each.rows}) == 1
        assert each.before == ends.get(each.partition, Head())
        assert each.before is not None
        assert each.token == f"chain/t.audit/{each.partition.number}/{each.before.number + 1}"
        assert each.after is not None
        assert each.after.number == each.before.number + len(each.rows)
        ends[each.partition] = each.after
    assert sorted(row.place.offset for each in made for row in each.rows) == sorted(n for _, n, _ in drawn)


def test_a_chain_is_the_same_however_it_is_cut() -> None:
    """Restarts and other batch sizes change no hash."""
    rows = [process(records.audited(number), LogPlace("t.audit", 0, number, 1)) for number in range(9)]
    whole = LINKER.link(rows, Head())
    first = LINKER.link(rows[:4], Head())
    assert LINKER.link(rows[4:], first.head).head == whole.head
    assert whole.head.number == 9

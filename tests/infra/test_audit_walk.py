"""Walking along a chain: every kind of damage is told as what it is, on chains made up in memory."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.infra.audit_verify.faults import faults_of
from lawful.infra.audit_verify.report import Kind
from lawful.infra.audit_verify.scan import Link, Piece, runs
from lawful.infra.audit_verify.walk import MOST_WAITING, TooMany, Walk
from lawful.infra.clickhouse.rows import Partition
from lawful.schemas.audit import Anchor, AnchorKind

CHAIN = Partition("t.audit", 0)
Told = list[tuple[Kind, int]]


def digest(link: Link) -> str:
    """A hash over all of a row but itself."""
    return sha256(repr(link._replace(row_hash="")).encode()).hexdigest()


def chain(count: int) -> list[Link]:
    """That many rows."""
    made: list[Link] = []
    for number in range(1, count + 1):
        before = made[-1].row_hash if made else ""
        link = Link("acme", b"e%d" % number, number * 3, number, before, "", b"", b"form")
        made.append(link._replace(row_hash=digest(link)))
    return made


def told(links: list[Link], last: Link) -> Told:
    """What a walk finds, taking them as the table gives them, a few at a time; the last of all was signed."""
    anchor = Anchor(
        kind=AnchorKind.HEAD,
        topic=CHAIN.topic,
        partition=CHAIN.number,
        offset=last.offset,
        number=last.number,
        row_hash=last.row_hash,
        signed_at=0,
        key_id="",
        signature="",
    )
    ordered = sorted(links, key=lambda link: (link.offset, link.number, link.row_hash))
    walk = Walk(lambda link: digest(link) == link.row_hash, {last.number: anchor})
    for begin in range(0, len(ordered), 3):
        walk.take(ordered[begin : begin + 3])
    walk.finish()
    found = faults_of(walk, CHAIN, {}, None, last.number)
    return sorted(((fault.kind, fault.number) for fault in found), key=lambda each: each[1])


sizes = st.integers(3, 12)


@given(sizes, st.data())
def test_rows_that_are_gone_are_missing(count: int, data: st.DataObject) -> None:
    """Each stretch that is gone is told by its first number; what is gone at the end shows by what was signed."""
    gone = data.draw(st.sets(st.integers(1, count), min_size=1, max_size=count - 1))
    left = [link for link in chain(count) if link.number not in gone]
    last = max(link.number for link in left)
    starts = {number for number in gone if number - 1 not in gone}
    wanted = [(Kind.MISSING if number < last else Kind.CUT_OFF, number) for number in sorted(starts)]
    assert told(left, chain(count)[-1]) == wanted


@given(sizes, st.data())
def test_rows_that_were_changed_are_told_in_their_place(count: int, data: st.DataObject) -> None:
    """Any of their columns, their number and their hashes among them; the rows around them are fine."""
    spoilt = data.draw(st.sets(st.integers(1, count), min_size=1, max_size=count))
    how = [
        lambda link: link._replace(event_id=b"other"),
        lambda link: link._replace(row_hash=link.row_hash[::-1]),
        lambda link: link._replace(number=link.number + 1_000),
        lambda link: link._replace(form=b"other", note=b"n"),
    ]
    links = [data.draw(st.sampled_from(how))(link) if link.number in spoilt else link for link in chain(count)]
    assert told(links, chain(count)[-1]) == [(Kind.CHANGED, number) for number in sorted(spoilt)]


@given(sizes, st.data())
def test_rows_that_were_put_in_are_told(count: int, data: st.DataObject) -> None:
    """A copy of a row, or one that was made up between two."""
    links = chain(count)
    model = data.draw(st.sampled_from(links[:-1]))
    made_up = model._replace(event_id=b"made up", offset=model.offset + data.draw(st.integers(0, 1)))
    extra = data.draw(st.sampled_from([model, made_up]))
    assert told([*links, extra], links[-1]) == [(Kind.INSERTED, model.number)]


@given(sizes, st.data())
def test_a_row_that_was_moved_along_the_log_is_told_once(count: int, data: st.DataObject) -> None:
    """Missing where it was and a stray where it is: it is one fault."""
    links = chain(count)
    moved = data.draw(st.integers(1, count - 1))
    links[moved - 1] = links[moved - 1]._replace(offset=data.draw(st.integers(-5, count * 4)))
    assert told(links, chain(count)[-1]) in ([(Kind.CHANGED, moved)], [])


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 50), st.integers(0, 100)), max_size=30))
def test_runs_are_bounded_and_keep_each_chain_in_order(drawn: list[tuple[int, int, int]]) -> None:
    """A run holds no more rows than it may, unless one piece does; nothing is left out."""
    latest: dict[int, int] = {}
    pieces = []
    for place, (number, rows, at) in enumerate(drawn):
        latest[number] = max(latest.get(number, 0), at)
        pieces.append(Piece(Partition("t", number), place * 10, place * 10 + 9, rows, latest[number]))
    made = list(runs(pieces, 60))
    assert all(sum(piece.rows for piece in run) <= 60 or len(run) == 1 for run in made)
    flat = [piece for run in made for piece in run]
    for number in range(4):
        of = [piece for piece in pieces if piece.of.number == number]
        assert [piece for piece in flat if piece.of.number == number] == of


def test_a_chain_in_which_nothing_fits_is_given_up() -> None:
    """With another chain key no row is genuine: to say so takes no list of millions."""
    walk = Walk(lambda _: False, {})
    with pytest.raises(TooMany):
        walk.take(link for _ in range(1_000) for link in chain(5))
    assert walk.rows == MOST_WAITING + 1
    walk.finish()
    assert walk.changed[0][0] == 1

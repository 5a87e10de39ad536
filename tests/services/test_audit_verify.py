"""Whatever is done to the audit's rows behind the writer's back is found, at the right row."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import pytest

from lawful.infra.audit_chain.form import BASE, COLUMNS, EXTENSIONS, TAIL
from lawful.infra.audit_chain.keys import ChainKeys, SigningKey, new_signing_key
from lawful.infra.audit_chain.link import Head
from lawful.infra.audit_chain.statement import signed
from lawful.infra.audit_verify import Keys, Kind, VerifyReport, verify
from lawful.infra.audit_writer.store import ClickHouseStore
from lawful.infra.clickhouse.client import connect
from lawful.infra.clickhouse.migrate import migrate
from lawful.infra.clickhouse.rows import LogPlace, Partition, Row, process
from lawful.infra.engines.clickhouse import EmbeddedClickHouse
from lawful.infra.settings import ClickHouseSettings
from lawful.schemas.audit import Anchor, AnchorKind
from lawful.schemas.history import Act, ActArgument
from lawful.schemas.verdict import Decision, Vote
from tests.engines import Engines
from tests.infra import records
from tests.infra.chains import KEYS, SIGNING_KEY, write

ROWS, VICTIM = 24, 9
CHAIN = Partition("t.audit", 0)
KEY = Keys(KEYS, SIGNING_KEY.public)
EVERY = (*BASE, *EXTENSIONS, *TAIL)
PLACE = {"log_topic", "log_partition", "log_offset"}
ALL = ", ".join(f"`{name}`" for name in COLUMNS)


@dataclass
class Trail:
    """A database with chains that tests spoil."""

    client: Any
    anchors: list[Anchor]

    def check(self, anchors: Sequence[Anchor] | None = None, **more: Any) -> VerifyReport:
        """What verification finds."""
        return verify(self.client, KEY, self.anchors if anchors is None else anchors, **more)

    def become(self, *selects: str) -> None:
        """Puts what these give in the place of the rows: what an UPDATE or DELETE does, without waiting for it."""
        self.client.command("CREATE TABLE spoilt AS kept")
        for select in selects:
            self.client.command(f"INSERT INTO spoilt ({ALL}) {select}")
        self.client.command("EXCHANGE TABLES spoilt AND audit")
        self.client.command("DROP TABLE spoilt")

    def without(self, where: str) -> None:
        """Some rows are gone."""
        self.become(f"SELECT {ALL} FROM kept WHERE NOT ({where})")  # noqa: S608 - the test's own

    def also(self, where: str, **columns: str) -> None:
        """Some rows are there a second time, with some columns changed."""
        self.become(f"SELECT {ALL} FROM kept", f"SELECT {listed(columns)} FROM kept WHERE {where}")  # noqa: S608

    def changed(self, **columns: str) -> None:
        """Some columns are what these expressions give."""
        self.become(f"SELECT {listed(columns)} FROM kept")  # noqa: S608 - the test's own


def listed(columns: Mapping[str, str]) -> str:
    """A select list in which some columns are expressions."""
    return ", ".join(f"({columns[name]})" if name in columns else f"`{name}`" for name in COLUMNS)


def rows(count: int, partition: int = 0, first: int = 0) -> list[Row]:
    """Rows of all decisions, at every second place in the log."""
    at = records.T0 // 1_000
    return [
        process(records.audited(n, Decision(n % 4)), LogPlace(CHAIN.topic, partition, n * 2, at + n))
        for n in range(first, first + count)
    ]


def full_rows(count: int) -> list[Row]:
    """Rows with no empty list in any group of columns that must be equally long."""
    found = []
    for n in range(count):
        record = records.audited(n, Decision.REDACT)
        acting = replace(record.view, acts=(Act("sent", (ActArgument(text="a"),)),))
        voted = replace(record.verdict, votes=(Vote("rego", "1", Decision.REDACT, "agrees", sentry=True),))
        place = LogPlace(CHAIN.topic, 0, n, records.T0 // 1_000)
        found.append(process(replace(record, view=acting, verdict=voted), place))
    return found


def anchor(head: Head, of: Partition = CHAIN, *, key: SigningKey = SIGNING_KEY) -> Anchor:
    """A signed end."""
    return signed(AnchorKind.HEAD, of, head, at=records.T0, key=key)


@contextmanager
def trail_of(engine: EmbeddedClickHouse, name: str, *parts: Sequence[Row]) -> Iterator[Trail]:
    """A database with these rows, an anchor after each part of them, and a copy to spoil."""
    settings = ClickHouseSettings(
        host=engine.host, port=engine.port or 0, user="owner", password=engine.password(), database=name
    )
    migrate(settings)
    store, anchors = ClickHouseStore(settings), []
    for part in parts:
        write(store, part)
        of = Partition(part[0].place.topic, part[0].place.partition)
        anchors.append(anchor(store.heads(of.topic)[of.number], of))
    store.close()
    client = connect(settings)
    client.command("CREATE TABLE kept AS audit")
    client.command("INSERT INTO kept SELECT * FROM audit")
    yield Trail(client, anchors)
    client.command(f"DROP DATABASE {name}")
    client.close()


@pytest.fixture(scope="module")
def trail(engines: Engines) -> Iterator[Trail]:
    """A chain of 24 rows with anchors at 7, 15 and 24, and one of 5 rows; each test spoils it anew."""
    some = rows(ROWS)
    with trail_of(engines.clickhouse(), "verified", some[:7], some[7:15], some[15:], rows(5, 1, 100)) as made:
        yield made


def told(report: VerifyReport) -> list[tuple[Kind, int, int]]:
    """Faults by kind, partition and number."""
    return [(fault.kind, fault.partition, fault.number) for fault in report.faults]


def test_an_untouched_trail_verifies(trail: Trail) -> None:
    """All chains, all rows, all anchors."""
    trail.without("0")
    report = trail.check()
    assert report.ok, report.first
    assert (report.rows, report.recomputed, report.anchored) == (ROWS + 5, True, True)
    assert [(each.partition, each.last, each.anchors, each.unanchored) for each in report.chains] == [
        (0, ROWS, 3, 0),
        (1, 5, 1, 0),
    ]


def flipped(name: str, kind: str) -> str:
    """An expression in which one bit of a column is another."""
    column = f"`{name}`"
    if kind.startswith("Array("):
        return f"if(empty({column}), {_blank(kind)}, arrayMap(x -> {_bumped('x', kind[6:-1])}, {column}))"
    if kind.startswith("Nullable("):
        return f"if(isNull({column}), toDateTime64(0, 6), NULL)"
    return _bumped(column, kind)


def _blank(kind: str) -> str:
    blanks = {"String": "''", "Array(String)": "['']", "Bool": "false", "Enum8": "'none'", "Float64": "0."}
    return f"[{blanks.get(kind[6:-1], '0')}]"


def _bumped(value: str, kind: str) -> str:
    words = {
        "String": f"if(empty({value}), '\\1', concat(char(bitXor(ascii({value}), 1)), substring({value}, 2)))",
        "Array(String)": f"arrayPushBack({value}, '')",
        "Bool": f"NOT {value}",
        "Enum8": f"if({value} = 'warn', 'block', 'warn')",
        "Float64": f"reinterpretAsFloat64(bitXor(reinterpretAsUInt64({value}), 1))",
        "DateTime64(3)": f"addMilliseconds({value}, 1)",
        "DateTime64(6)": f"addMicroseconds({value}, 1)",
    }
    return words.get(kind, f"bitXor({value}, 1)")


def test_one_bit_of_any_column_is_found_at_its_row(engines: Engines) -> None:
    """A32: every second row has another column flipped, and each of them is named, for every column there is."""
    spoilt = {name: 2 * n + 2 for n, (name, _) in enumerate(EVERY) if name not in PLACE}
    with trail_of(engines.clickhouse(), "flipped", full_rows(2 * len(EVERY) + 1)) as trail:
        kinds = dict(EVERY)
        trail.changed(
            **{name: f"if(chain_no = {n}, {flipped(name, kinds[name])}, `{name}`)" for name, n in spoilt.items()}
        )
        found = told(trail.check())
    assert found == [(Kind.CHANGED, 0, number) for number in sorted(spoilt.values())]
    assert len(spoilt) == len(COLUMNS) - len(PLACE)


@pytest.mark.parametrize("flip", ["bitXor(log_offset, 1)", "log_offset + 1000000"])
def test_a_row_that_is_moved_along_the_log_is_found(trail: Trail, flip: str) -> None:
    """A32: also where the changed column is the one that says where the row belongs."""
    trail.changed(log_offset=f"if(chain_no = {VICTIM} AND log_partition = 0, {flip}, log_offset)")
    assert told(trail.check()) == [(Kind.CHANGED, 0, VICTIM)]


@pytest.mark.parametrize(
    ("column", "moved"), [("log_partition", "bitXor(log_partition, 1)"), ("log_topic", "'u.audit'")]
)
def test_a_row_that_is_moved_to_another_chain_is_found(trail: Trail, column: str, moved: str) -> None:
    """A32: it is missing where it was, and does not fit where it is."""
    trail.changed(**{column: f"if(chain_no = {VICTIM} AND log_partition = 0, {moved}, {column})"})
    found = told(trail.check())
    assert found[0] == (Kind.MISSING, 0, VICTIM)
    assert [number for _, _, number in found[1:] if number != 1] == [VICTIM]


def test_rows_that_are_gone_from_the_middle_are_found(trail: Trail) -> None:
    """The first missing number is named, and how many."""
    trail.without(f"log_partition = 0 AND chain_no IN ({VICTIM}, 20, 21)")
    report = trail.check()
    assert told(report) == [(Kind.MISSING, 0, VICTIM), (Kind.MISSING, 0, 20)]
    assert "rows 20 to 21 are missing" in report.faults[1].message


def test_the_first_row_is_missed(trail: Trail) -> None:
    """A chain begins with row 1."""
    trail.without("log_partition = 0 AND chain_no = 1")
    assert told(trail.check()) == [(Kind.MISSING, 0, 1)]


@pytest.mark.parametrize("gone", [1, 20])
def test_a_tail_that_is_cut_off_shows_by_its_anchors(trail: Trail, gone: int) -> None:
    """A33: the rows that are left fit, so only what was signed elsewhere tells."""
    trail.without(f"log_partition = 0 AND chain_no > {ROWS - gone}")
    assert told(trail.check()) == [(Kind.CUT_OFF, 0, ROWS - gone + 1)]
    assert told(trail.check([])) == []
    assert not trail.check([]).anchored


def test_a_chain_that_is_gone_as_a_whole_shows_by_its_anchors(trail: Trail) -> None:
    """A33: nothing is left that could be wrong."""
    trail.without("log_partition = 1")
    assert told(trail.check()) == [(Kind.CUT_OFF, 1, 1)]


@pytest.mark.parametrize(
    ("columns", "other"),
    [
        (("log_offset",), VICTIM + 1),
        (("log_offset", "chain_no"), VICTIM + 6),
        (("log_offset", "chain_no", "prev_hash", "row_hash"), VICTIM + 6),
    ],
)
def test_two_rows_that_changed_places_are_found(trail: Trail, columns: Sequence[str], other: int) -> None:
    """Both are named, whichever of the columns that say where a row stands were exchanged."""

    def exchanged(column: str) -> str:
        mine, theirs = (
            f"(SELECT {column} FROM kept WHERE log_partition = 0 AND chain_no = {number})"  # noqa: S608 - the test's own
            for number in (VICTIM, other)
        )
        cases = f"log_partition = 1, {column}, chain_no = {VICTIM}, {theirs}, chain_no = {other}, {mine}"
        return f"multiIf({cases}, {column})"

    trail.changed(**{column: exchanged(column) for column in columns})
    assert told(trail.check()) == [(Kind.REORDERED, 0, VICTIM), (Kind.REORDERED, 0, other)]


@pytest.mark.parametrize(
    "columns",
    [
        {"event_id": "'made-up'"},
        {"event_id": "'made-up'", "log_offset": "log_offset + 1"},
        {"chain_no": "chain_no + 1", "prev_hash": "row_hash", "row_hash": "reverse(row_hash)"},
        {},
    ],
)
def test_a_row_that_was_put_in_is_found(trail: Trail, columns: dict[str, str]) -> None:
    """Whatever it claims, the rows around it do not make room."""
    trail.also(f"log_partition = 0 AND chain_no = {VICTIM}", **columns)
    report = trail.check()
    assert {kind for kind, _, _ in told(report)} == {Kind.INSERTED}
    assert report.first is not None
    assert report.first.number in (VICTIM, VICTIM + 1)


def test_a_row_put_in_at_an_absurd_place_costs_little(trail: Trail) -> None:
    """Nobody can make verification run for ever."""
    trail.also(f"log_partition = 0 AND chain_no = {VICTIM}", log_offset=f"{2**62}", chain_no=f"{2**61}")
    assert told(trail.check()) == [(Kind.INSERTED, 0, 2**61)]


def test_several_faults_are_told_in_order(trail: Trail) -> None:
    """One does not hide another."""
    trail.become(
        f"SELECT {listed({'tool': 'if(chain_no = 3, upper(tool), tool)'})} FROM kept "  # noqa: S608 - the test's own
        "WHERE NOT (log_partition = 0 AND chain_no IN (4, 12, 24))"
    )
    found = [(kind, number) for kind, partition, number in told(trail.check()) if partition == 0]
    assert found == [(Kind.CHANGED, 3), (Kind.MISSING, 4), (Kind.MISSING, 12), (Kind.CUT_OFF, 24)]


def test_a_chain_that_was_written_anew_with_its_key_does_not_fit_what_was_signed(trail: Trail) -> None:
    """Whoever has the chain key can make rows that fit, and cannot make them fit an anchor."""
    trail.without("0")
    earlier = anchor(Head(trail.anchors[1].offset, 15, "0" * 64))
    assert told(trail.check([earlier])) == [(Kind.REWRITTEN, 0, 15)]


def test_an_anchor_that_nobody_signed_is_a_fault_and_proves_nothing(trail: Trail) -> None:
    """A forged anchor cannot hide a cut-off tail."""
    stranger = SigningKey.parse(new_signing_key())
    trail.without(f"log_partition = 0 AND chain_no > {ROWS - 1}")
    forged = [replace(trail.anchors[2], number=ROWS - 1), anchor(Head(1, 2, "x"), key=stranger)]
    assert [kind for kind, _, _ in told(trail.check(forged))] == [Kind.ANCHOR, Kind.ANCHOR]
    assert (Kind.CUT_OFF, 0, ROWS) in told(trail.check([*trail.anchors, *forged]))


def test_a_partial_check_begins_at_an_anchor(trail: Trail) -> None:
    """What is before is not looked at; the anchor's own row is, and all behind it."""
    trail.changed(tool="if(log_partition = 0 AND chain_no IN (3, 20), 'x', tool)")
    assert told(trail.check(from_anchor=trail.anchors[1])) == [(Kind.CHANGED, 0, 20)]
    assert trail.check(from_anchor=trail.anchors[1]).rows == ROWS - 14 + 5
    trail.without("log_partition = 0 AND chain_no >= 15")
    assert told(trail.check([], from_anchor=trail.anchors[1])) == [(Kind.CUT_OFF, 0, 15)]


def test_another_chain_key_fits_no_row(trail: Trail) -> None:
    """Every row is told, from the first on."""
    trail.without("0")
    report = verify(trail.client, Keys(ChainKeys(b"another key than that"), None))
    assert told(report) == [(Kind.CHANGED, 0, n + 1) for n in range(ROWS)] + [
        (Kind.CHANGED, 1, n + 1) for n in range(5)
    ]


def test_without_the_chain_key_links_and_anchors_are_checked(trail: Trail) -> None:
    """An auditor with no secret sees what is missing, and that the ends are those that were signed."""
    auditor = Keys(None, SIGNING_KEY.public)
    trail.without("0")
    report = verify(trail.client, auditor, trail.anchors)
    assert (report.ok, report.recomputed, report.anchored) == (True, False, True)
    trail.without(f"log_partition = 0 AND chain_no IN ({VICTIM}, {ROWS})")
    found = told(verify(trail.client, auditor, trail.anchors))
    assert found == [(Kind.MISSING, 0, VICTIM), (Kind.CUT_OFF, 0, ROWS)]

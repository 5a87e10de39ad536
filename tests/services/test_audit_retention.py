"""Months whose time is over go, and the chain still verifies, since somebody signed for it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from lawful.infra.audit_chain import anchor_file
from lawful.infra.audit_chain.anchor_file import AnchorFile
from lawful.infra.audit_chain.keys import SigningKey, new_signing_key
from lawful.infra.audit_chain.link import Head
from lawful.infra.audit_chain.statement import signed
from lawful.infra.audit_retention import Due, Retention, due
from lawful.infra.audit_verify import Keys, Kind, VerifyReport, verify
from lawful.infra.audit_writer.store import ClickHouseStore
from lawful.infra.clickhouse import grants
from lawful.infra.clickhouse.client import connect
from lawful.infra.clickhouse.migrate import migrate
from lawful.infra.clickhouse.rows import LogPlace, Partition, Row, process
from lawful.infra.engines.clickhouse import EmbeddedClickHouse
from lawful.infra.engines.clickhouse_config import least_grants
from lawful.infra.settings import ClickHouseSettings
from lawful.schemas.audit import Anchor, AnchorKind
from lawful.schemas.errors import MustStop
from tests.infra import records
from tests.infra.chains import KEYS, SIGNING_KEY, batches, write

DATABASE = "lawful"
CHAIN = Partition("t.audit", 0)
NOW = datetime(2027, 3, 10, tzinfo=UTC)
MONTHS = [datetime(2026, month, 15, tzinfo=UTC) for month in (6, 7, 8, 9, 10)] + [datetime(2027, 3, 1, tzinfo=UTC)]


@pytest.fixture(scope="module")
def engine() -> Iterator[EmbeddedClickHouse]:
    """A ClickHouse whose users have the least that each needs, with two chains over six months to begin with."""
    with EmbeddedClickHouse(grants=least_grants(DATABASE)) as running:
        migrate(acting(running, grants.OWNER))
        store, owner = ClickHouseStore(acting(running, grants.WRITER)), connect(acting(running, grants.OWNER))
        write(store, [row(n, partition) for partition in (0, 1) for n in range(12)])
        owner.command("CREATE TABLE kept AS audit")
        owner.command("INSERT INTO kept SELECT * FROM audit")
        owner.close()
        store.close()
        yield running


def acting(engine: EmbeddedClickHouse, user: str) -> ClickHouseSettings:
    """Settings of one of the users."""
    password = engine.password(user)
    return ClickHouseSettings(host=engine.host, port=engine.port or 0, user=user, password=password, database=DATABASE)


class House:
    """The audit as it was in the beginning, and those who work on it."""

    def __init__(self, engine: EmbeddedClickHouse, folder: Path) -> None:
        self._engine = engine
        self.file = folder / "anchors.jsonl"
        self.owner = connect(acting(engine, grants.OWNER))
        for sql in (
            "CREATE TABLE again AS kept",
            "INSERT INTO again SELECT * FROM kept",
            "EXCHANGE TABLES again AND audit",
            "DROP TABLE again",
        ):
            self.owner.command(sql)
        self.store = ClickHouseStore(acting(engine, grants.WRITER))

    def acting(self, user: str) -> ClickHouseSettings:
        """Settings of one of the users."""
        return acting(self._engine, user)

    def retain(self, days: int = 183, key: SigningKey = SIGNING_KEY) -> Due:
        """Applies retention as of now."""
        work = Retention(self.acting(grants.RETENTION), KEYS, key, [AnchorFile(self.file)], NOW.timestamp)
        return work.apply(days, [])

    def check(self, anchors: Sequence[Anchor] = (), key: SigningKey = SIGNING_KEY) -> VerifyReport:
        """What an officer finds."""
        client = connect(self.acting(grants.OFFICER))
        try:
            return verify(client, Keys(KEYS, key.public), anchors)
        finally:
            client.close()

    def ask(self, sql: str) -> list[tuple[Any, ...]]:
        """Rows, as the owner sees them."""
        return [tuple(each) for each in self.owner.query(sql).result_rows]

    def close(self) -> None:
        """Drops connections."""
        self.owner.close()
        self.store.close()


@pytest.fixture
def house(engine: EmbeddedClickHouse, tmp_path: Path) -> Iterator[House]:
    """A new one."""
    made = House(engine, tmp_path)
    yield made
    made.close()


def row(number: int, partition: int = 0) -> Row:
    """Two rows a month."""
    at = int(MONTHS[number // 2].timestamp() * 1_000)
    return process(records.audited(partition * 100 + number), LogPlace(CHAIN.topic, partition, number, at + number))


def test_months_that_are_over_go_and_the_chain_verifies(house: House) -> None:
    """A34: whole months that ended 183 days ago; a note in each chain says up to which row, and who signed."""
    found = house.retain()
    assert (found.months, found.rows) == ((202606, 202607, 202608), 12)
    assert house.ask("SELECT DISTINCT toYYYYMM(recorded_at) FROM audit WHERE kind = 'verdict' ORDER BY 1") != []
    assert house.ask("SELECT min(chain_no), max(chain_no), count() FROM audit WHERE log_partition = 0") == [(7, 13, 7)]
    report = house.check()
    assert report.ok, report.first
    assert [(each.first, each.last) for each in report.chains] == [(7, 13), (7, 13)]
    notes = house.ask("SELECT log_partition, chain_no, note FROM retention_notes ORDER BY log_partition")
    assert [(partition, number) for partition, number, _ in notes] == [(0, 13), (1, 13)]
    assert [each.number for each in anchor_file.read(house.file)] == [6, 6]
    assert house.ask("SELECT sum(guard_reports), sum(events) FROM totals") == [(0, 12)]


def test_the_writer_goes_on_behind_a_note(house: House) -> None:
    """What it prepared for the note's place is refused; behind the note it fits."""
    heads = {CHAIN: house.store.heads(CHAIN.topic)[0]}
    house.retain()
    late = process(records.audited(900), LogPlace(CHAIN.topic, 0, 12, int(NOW.timestamp() * 1_000)))
    (stale,) = batches([late], heads)
    house.store.insert(stale)
    assert house.store.heads(CHAIN.topic)[0] != stale.after
    write(house.store, [late])
    report = house.check()
    assert report.ok, report.first
    assert report.chains[0].last == 14


def test_retention_can_be_applied_again_and_later(house: House) -> None:
    """The second time there is nothing to do; later, a newer note takes the older one's place."""
    house.retain()
    assert house.retain().months == ()
    later = Retention(
        house.acting(grants.RETENTION), KEYS, SIGNING_KEY, [], lambda: datetime(2027, 6, 2, tzinfo=UTC).timestamp()
    )
    assert later.apply(183, anchor_file.read(house.file)).months == (202609, 202610)
    report = house.check(anchor_file.read(house.file))
    assert report.ok, report.first
    assert [each.first for each in report.chains] == [11, 11]


def test_rows_that_went_without_a_note_are_missing(house: House) -> None:
    """Whoever drops a month by hand is found out, also beyond what a note allows, and with another's signature."""
    house.owner.command("ALTER TABLE audit DROP PARTITION 202606")
    assert [(fault.kind, fault.number) for fault in house.check().faults] == [(Kind.MISSING, 1)] * 2
    with pytest.raises(MustStop, match="nothing is dropped"):
        house.retain()
    stranger = SigningKey.parse(new_signing_key())
    end = Head(1, 2, house.ask("SELECT prev_hash FROM audit WHERE log_partition = 0 AND chain_no = 3")[0][0])
    forged = signed(AnchorKind.RETENTION, CHAIN, end, at=1, key=stranger)
    assert (Kind.MISSING, 0, 1) in [(each.kind, each.partition, each.number) for each in house.check([forged]).faults]
    mine = signed(AnchorKind.RETENTION, CHAIN, end, at=1, key=SIGNING_KEY)
    assert [(each.kind, each.partition) for each in house.check([mine]).faults] == [(Kind.MISSING, 1)]
    wrong = replace(end, row_hash="0" * 64)
    other = signed(AnchorKind.RETENTION, CHAIN, wrong, at=1, key=SIGNING_KEY)
    assert [each.partition for each in house.check([other]).faults] == [0, 1]


def test_rows_beyond_a_note_are_missing(house: House) -> None:
    """A note excuses the rows up to its number and no further."""
    house.retain()
    house.owner.command("ALTER TABLE audit DROP PARTITION 202609")
    found = house.check().faults
    assert [(fault.kind, fault.number) for fault in found] == [(Kind.MISSING, 7)] * 2
    assert "rows 7 to 8" in found[0].message


def test_a_month_that_is_not_the_beginning_of_every_chain_stays(house: House) -> None:
    """A broker's clock that went back must not tear a hole."""
    early = int(MONTHS[0].timestamp() * 1_000)
    write(house.store, [process(records.audited(950), LogPlace(CHAIN.topic, 0, 20, early))])
    client = connect(house.acting(grants.RETENTION))
    assert due(client, 183, NOW).months == ()
    client.close()


def test_the_user_for_retention_can_drop_months_and_not_write_history_anew(house: House) -> None:
    """It may not update, alter or drop a table."""
    client = connect(house.acting(grants.RETENTION))
    for sql in ("ALTER TABLE audit UPDATE tool = 'x' WHERE 1", "DROP TABLE audit", "TRUNCATE TABLE dead_letters"):
        with pytest.raises(Exception, match="Not enough privileges"):
            client.command(sql)
    client.close()

"""Drops months of the audit whose time is over, and leaves a signed note in each chain that says so.

What is dropped is the beginning of a chain, so the rows that stay link to a row that is gone. The
note names that row's number and hash under the signing key: with it, verification knows that the
beginning is gone on purpose, and up to where; without it, or beyond it, rows are missing.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from clickhouse_connect.driver.client import Client

from lawful.infra.audit_chain.keys import ChainKeys, SigningKey
from lawful.infra.audit_chain.link import Head, Linker
from lawful.infra.audit_chain.notary import Publisher
from lawful.infra.audit_chain.statement import line, signed
from lawful.infra.audit_verify import Keys, verify
from lawful.infra.audit_writer.batch import linked
from lawful.infra.audit_writer.store import ClickHouseStore
from lawful.infra.clickhouse.client import connect, mapped, quoted
from lawful.infra.clickhouse.clustered import LOCAL
from lawful.infra.clickhouse.rows import LogPlace, Partition, noted
from lawful.infra.settings import ClickHouseSettings
from lawful.schemas.audit import Anchor, AnchorKind
from lawful.schemas.errors import MustStop, RetryLater

_TRIES = 20


@dataclass(frozen=True, slots=True)
class Due:
    """What may be dropped.

    Attributes:
        months: as 202611, the oldest first.
        ends: the last row of each chain that goes with them.
        rows: how many rows of the audit these are.
    """

    months: tuple[int, ...]
    ends: Mapping[Partition, Head]
    rows: int


@dataclass(frozen=True, slots=True)
class Stay:
    """A chain's rows of one month."""

    of: Partition
    month: int
    first: int
    last: Head
    rows: int


def due(client: Client, days: int, now: datetime) -> Due:
    """The months that ended more than so many days ago, as far as they are the beginning of every chain.

    Raises:
        RetryLater: ClickHouse is away.
    """
    stays, letters = _stays(client), _months_of_letters(client)
    over = [
        month for month in sorted({*letters, *(stay.month for stay in stays)}) if _end(month) <= now - timedelta(days)
    ]
    while over and not _beginning(stays, over[-1]):
        over.pop()
    gone = [stay for stay in stays if stay.month in over]
    ends: dict[Partition, Head] = {}
    for stay in sorted(gone, key=lambda stay: stay.last.number):
        ends[stay.of] = stay.last
    return Due(tuple(over), ends, sum(stay.rows for stay in gone))


@dataclass(frozen=True, slots=True)
class Retention:
    """Carries it out.

    Attributes:
        settings: where, and as a user that may drop months.
        chain: links the notes.
        key: signs them.
        publishers: where anchors are kept, which keep the notes, too.
        clock: seconds since 1970.
    """

    settings: ClickHouseSettings
    chain: ChainKeys
    key: SigningKey
    publishers: Sequence[Publisher]
    clock: Callable[[], float] = time.time

    def apply(self, days: int, anchors: Iterable[Anchor]) -> Due:
        """Verifies, notes, drops. Cut off at any point, it can be run again.

        Raises:
            MustStop: the audit does not verify: what is wrong must be looked into before any of it goes.
            RetryLater: ClickHouse is away.
        """
        client = connect(self.settings)
        try:
            self._verify(client, anchors)
            found = due(client, days, datetime.fromtimestamp(self.clock(), UTC))
            if found.months:
                self._note(found)
                self._drop(client, found.months)
            return found
        finally:
            client.close()

    def _verify(self, client: Client, anchors: Iterable[Anchor]) -> None:
        report = verify(client, Keys(self.chain, self.key.public), anchors)
        if report.first is not None:
            raise MustStop(
                f"the audit is not as it was written, so nothing is dropped: {report.first}. "
                "`lawful audit verify` tells all that is wrong"
            )

    def _note(self, found: Due) -> None:
        at = int(self.clock() * 1_000_000)
        notes = [signed(AnchorKind.RETENTION, of, end, at=at, key=self.key) for of, end in found.ends.items()]
        store = ClickHouseStore(self.settings)
        try:
            for note in notes:
                self._append(store, note, at // 1_000)
        finally:
            store.close()
        for publisher in self.publishers:
            publisher.publish(notes)
            publisher.close()

    def _append(self, store: ClickHouseStore, note: Anchor, at_ms: int) -> None:
        """Puts a note at the chain's end; the audit writer may be writing meanwhile, so one of the two tries again."""
        of, linker = Partition(note.topic, note.partition), Linker(self.chain)
        for _ in range(_TRIES):
            head = store.heads(of.topic, of.number)[of.number]
            place = LogPlace(of.topic, of.number, head.offset, at_ms)
            row = noted(place, f"retention/{of.topic}/{of.number}/{note.number}/{note.signed_at}", line(note))
            (batch,) = linked([row], {of: head}, linker)
            store.insert(batch)
            if store.known(batch.table, {row.key}):
                return
        raise RetryLater(f"{of.topic}, partition {of.number}: the audit writer is always faster; try again later")

    def _drop(self, client: Client, months: Iterable[int]) -> None:
        cluster = self.settings.cluster
        where = f"{LOCAL} ON CLUSTER {quoted(cluster)}" if cluster else ""
        for month in months:
            for table in ("audit", "dead_letters"):
                with mapped(f"dropping {month} of {table}"):
                    client.command(f"ALTER TABLE {table}{where} DROP PARTITION {month:d}")


def _stays(client: Client) -> list[Stay]:
    with mapped("looking for months"):
        found = client.query(
            "SELECT log_topic, log_partition, toYYYYMM(logged_at) AS month, min(chain_no), max(log_offset), "
            "max(chain_no), argMax(row_hash, chain_no), count() FROM chain GROUP BY log_topic, log_partition, month"
        ).result_rows
    return [
        Stay(Partition(topic, number), month, first, Head(offset, last, row_hash), rows)
        for topic, number, month, first, offset, last, row_hash, rows in found
    ]


def _months_of_letters(client: Client) -> list[int]:
    with mapped("looking for months"):
        found = client.query("SELECT DISTINCT toYYYYMM(logged_at) FROM unreadable").result_rows
    return [int(month) for (month,) in found]


def _beginning(stays: Iterable[Stay], last_month: int) -> bool:
    """Whether the rows up to a month are the beginning of every chain: a broker's clock may have gone back."""
    gone: defaultdict[Partition, int] = defaultdict(int)
    kept: dict[Partition, int] = {}
    for stay in stays:
        if stay.month <= last_month:
            gone[stay.of] = max(gone[stay.of], stay.last.number)
        else:
            kept[stay.of] = min(kept.get(stay.of, stay.first), stay.first)
    return all(gone[of] < first for of, first in kept.items())


def _end(month: int) -> datetime:
    year, number = divmod(month, 100)
    return datetime(year + number // 12, number % 12 + 1, 1, tzinfo=UTC)

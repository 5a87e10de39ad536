"""Two audit writers of one partition: the chain lets one of them in."""

from lawful.infra.audit_chain.link import Linker
from lawful.infra.audit_verify import Keys, verify
from lawful.infra.audit_writer.limit import Limit
from lawful.infra.audit_writer.reader import Reader
from lawful.infra.audit_writer.store import ClickHouseStore
from lawful.infra.audit_writer.writer import Writer
from lawful.infra.clickhouse.client import connect
from lawful.infra.clickhouse.migrate import migrate
from lawful.infra.engines.clickhouse import EmbeddedClickHouse
from lawful.infra.settings import (
    AuditSettings,
    ClickHouseSettings,
    DeadLetterSettings,
)
from lawful.schemas import codec
from lawful.schemas.topics import Topics
from tests.infra import records
from tests.infra.chains import KEYS
from tests.infra.fakes import Clock, FakeLog, FakeNotary


def clickhouse_settings(engine: EmbeddedClickHouse, database: str) -> ClickHouseSettings:
    """As the owner."""
    return ClickHouseSettings(
        host=engine.host, port=engine.port or 0, user="owner", password=engine.password(), database=database
    )


def test_of_two_writers_of_one_partition_one_is_refused(clickhouse: EmbeddedClickHouse, database: str) -> None:
    """A34: a writer that believes a partition is still its own gets no row in; nothing doubles, the chain holds."""
    settings = clickhouse_settings(clickhouse, database)
    migrate(settings)
    values = [codec.encode(records.audited(n)) for n in range(20)]
    late, early = (Two(settings, values) for _ in range(2))
    late.steps(1)  # it has read where the chain ends, and nothing more
    early.steps(4)
    values += [codec.encode(records.audited(n)) for n in range(20, 60)]
    late.log.take(20, 0)  # as if it had read these, and slept since
    late.steps(3)
    early.steps(3)
    late.steps(3)
    assert (early.writer.counters.fenced, late.writer.counters.fenced) != (0, 0)
    assert early.writer.counters.rows + late.writer.counters.rows == 60
    client = connect(settings)
    report = verify(client, Keys(KEYS, None))
    counted = client.query("SELECT count(), uniqExact(event_id), max(chain_no) FROM audit").result_rows
    client.close()
    for each in (late, early):
        each.writer.finish()
        each.store.close()
    assert report.ok, report.first
    assert [tuple(row) for row in counted] == [(60, 60, 60)]


class Two:
    """A writer on a real store whose log never takes the partition away."""

    def __init__(self, settings: ClickHouseSettings, values: list[bytes]) -> None:
        self.log, self.store, self._clock = FakeLog(values), ClickHouseStore(settings), Clock()
        audit = AuditSettings(batch_rows=10, batch_ms=10)
        reader = Reader(Topics("t"), codec.Codec(), Limit(DeadLetterSettings()))
        self.writer = Writer(self.log, self.store, reader, audit, self._clock, linker=Linker(KEYS), notary=FakeNotary())

    def steps(self, count: int) -> None:
        """So many rounds, each a little later."""
        for _ in range(count):
            self.writer.step()
            self._clock.now += 1

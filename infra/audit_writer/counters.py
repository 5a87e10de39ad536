"""What the audit writer did so far, for logs, tests and `lawful doctor`."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from lawful.infra.clickhouse.rows import Partition


@dataclass(slots=True)
class Counters:
    """Plain numbers since the process started; none of them names a person.

    Attributes:
        rows: audit rows that ClickHouse confirmed.
        dead_letters: rows of the dead-letter table that it confirmed.
        batches: inserts that it confirmed.
        duplicates: records dropped because their row is there already.
        unreadable: records of the audit topic that could not be read.
        retries: attempts that failed and were made again.
        fenced: times that another writer was found to go on with a chain of ours.
        unsigned_seconds: for how long the end of some chain has been waiting for its anchor, as of the last turn.
        insert_seconds: time spent in inserts that ClickHouse confirmed.
        lags: records that the broker has and ClickHouse has not, by partition, as of the last look.
    """

    rows: int = 0
    dead_letters: int = 0
    batches: int = 0
    duplicates: int = 0
    unreadable: int = 0
    retries: int = 0
    fenced: int = 0
    unsigned_seconds: float = 0.0
    insert_seconds: float = 0.0
    lags: Mapping[Partition, int] = field(default_factory=dict)

    @property
    def lag(self) -> int:
        """Records that the broker has and ClickHouse has not, over all partitions."""
        return sum(self.lags.values())

"""What the audit writer did so far, for logs, tests and `lawful doctor`."""

from dataclasses import dataclass


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
        lag: records that the broker has and ClickHouse has not, as of the last batch.
    """

    rows: int = 0
    dead_letters: int = 0
    batches: int = 0
    duplicates: int = 0
    unreadable: int = 0
    retries: int = 0
    lag: int = 0

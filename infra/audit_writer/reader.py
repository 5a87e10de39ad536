"""From bytes to rows. What cannot be read becomes a row, too: one that says where it lies."""

from collections.abc import Iterable

from lawful.infra.audit_writer.batch import Read
from lawful.infra.audit_writer.limit import Limit
from lawful.infra.audit_writer.ports import LogRecord, Table
from lawful.infra.clickhouse import rows
from lawful.schemas.audit import AuditRecord, DeadLetter, GuardReport
from lawful.schemas.codec import Codec
from lawful.schemas.errors import InvalidRecord
from lawful.schemas.topics import Topics


class Reader:
    """Makes rows of records and watches how many cannot be read.

    Args:
        topics: the names of the installation's topics.
        codec: how to read.
        limit: how much that is unreadable is borne.
    """

    def __init__(self, topics: Topics, codec: Codec, limit: Limit) -> None:
        self._letters = topics.dead_letters
        self._codec = codec
        self._limit = limit
        self.sources = ((Table.AUDIT, topics.audit), (Table.DEAD_LETTERS, topics.dead_letters))

    def read(self, records: Iterable[LogRecord]) -> list[Read]:
        """The rows of some records.

        Raises:
            RetryLater: the schema registry is away.
        """
        return [self._row(record) for record in records]

    def count(self, read: Iterable[Read]) -> None:
        """Notes what could be read and what not, once its rows are safe.

        Raises:
            MustStop: too much could not be read.
        """
        for each in read:
            place = each.row.place
            self._limit.add(readable=each.readable, where=f"{place.topic}[{place.partition}]@{place.offset}")

    def _row(self, record: LogRecord) -> Read:
        value, place = record.value, record.place
        if value is None:
            return Read(Table.DEAD_LETTERS, rows.unreadable(place, "empty", "no value", 0), readable=False)
        try:
            if place.topic == self._letters:
                letter = self._codec.decode(value, DeadLetter)
                return Read(Table.DEAD_LETTERS, rows.dead_letter(letter, place), readable=True)
            record_read = self._codec.decode_either(value, AuditRecord, GuardReport)
            return Read(Table.AUDIT, rows.process(record_read, place), readable=True)
        except InvalidRecord as error:
            row = rows.unreadable(place, "undecodable", str(error), len(value))
            return Read(Table.DEAD_LETTERS, row, readable=False)

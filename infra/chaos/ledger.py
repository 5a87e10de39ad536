"""What an installation did with a flow of events, held against a replay of the very same log.

Nothing here trusts the workers: verdicts, audit rows, dead letters and views are read back from where they
were written, and compared with what pure functions make of the records.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import TypeVar

from confluent_kafka import Consumer, Message, TopicPartition

from lawful.infra.audit_verify import Keys, evidence, verify
from lawful.infra.chaos.crowd import HANGS
from lawful.infra.chaos.place import Place
from lawful.infra.clickhouse.client import connect
from lawful.schemas.codec import decode, encode
from lawful.schemas.errors import InvalidRecord
from lawful.schemas.event import AgentEvent, UserMessage
from lawful.schemas.verdict import Decision, Partial, Verdict
from lawful.schemas.view import ExtractionStatus, SourcePosition, View
from lawful.streams.kernel import Kernel, SourceRecord, annotate
from lawful.streams.replay import Annotated, Shared, replay_partials, replay_views

T = TypeVar("T")


@dataclass(slots=True)
class Found:
    """What is not as it must be; each set holds event ids, or places of records.

    Attributes:
        lost: without a verdict, an audit row or (for what is no event) a dead letter.
        doubled: with two different verdicts, two audit rows or two dead letters.
        overtime: events whose content could not be searched in time, which are blocked: no fault, but told.
        wrong: with a verdict, a view or an audited decision that the log does not lead to.
    """

    lost: set[str] = field(default_factory=set)
    doubled: set[str] = field(default_factory=set)
    wrong: set[str] = field(default_factory=set)
    overtime: set[str] = field(default_factory=set)


class Ledger:
    """Reads back and compares.

    Args:
        place: the installation, whose engines are up.
        kernel: as its workers have it.
    """

    def __init__(self, place: Place, kernel: Kernel) -> None:
        self._place = place
        self._kernel = kernel
        self._settings = place.settings()
        self._topics = self._settings.topics
        options = {"group.id": f"{place.name}-ledger", "enable.auto.commit": False, "log_level": 0}
        self._consumer = Consumer({**self._settings.kafka.librdkafka(), **options})

    def check(self, sent: AbstractSet[str], poison: int) -> Found:
        """Looks at everything.

        Args:
            sent: ids of the events that were published.
            poison: how many records were published that are no events.
        """
        found = Found()
        try:
            verdicts = self._verdicts(found)
            found.lost |= sent - verdicts.keys()
            self._replayed(verdicts, found)
            self._annotated(found)
            self._audited(sent, verdicts, found)
            self._dead_letters(poison, found)
        finally:
            self._consumer.close()
        return found

    def chain(self) -> str:
        """Whether the audit's chains of hashes verify, against their signed anchors: `fine`, or what is wrong first."""
        anchors = evidence.anchors(self._settings)
        client = connect(self._settings.clickhouse)
        try:
            report = verify(client, Keys.of(self._settings), anchors)
        finally:
            client.close()
        return "fine" if report.ok else f"wrong: {report.first}"

    def _verdicts(self, found: Found) -> dict[str, Verdict]:
        given: dict[str, set[bytes]] = defaultdict(set)
        for message in self._messages(self._topics.verdicts):
            given[(message.key() or b"").decode()].add(message.value() or b"")
        found.doubled |= {event_id for event_id, different in given.items() if len(different) > 1}
        return {event_id: decode(next(iter(different)), Verdict) for event_id, different in given.items()}

    def _replayed(self, verdicts: dict[str, Verdict], found: Found) -> None:
        policies = self._kernel.policies
        views = (
            Annotated(view, message.partition() or 0, message.offset() or 0)
            for message, view in self._values(self._topics.annotated, View)
        )
        shares = (
            Shared(partial, message.offset() or 0, message.timestamp()[1] * 1_000)
            for message, partial in self._values(self._topics.partials, Partial)
        )
        judged = replay_views(views, self._topics.annotated, policies)
        combined = replay_partials(shares)
        due = {**judged.verdicts, **combined.verdicts}
        found.wrong |= {event_id for event_id, verdict in verdicts.items() if due.get(event_id) != verdict}
        found.wrong |= judged.contradictions | combined.contradictions

    def _annotated(self, found: Found) -> None:
        there = {message.value() for message in self._messages(self._topics.annotated)}
        late = {
            view.event_id
            for _, view in self._values(self._topics.annotated, View)
            if view.status is ExtractionStatus.TIMEOUT
        }
        for message, event in self._values(self._topics.events, AgentEvent):
            if event.event_id in late:
                found.overtime.add(event.event_id)
            elif _hangs(event) or not self._views(message, event) <= there:
                found.wrong.add(event.event_id)

    def _views(self, message: Message, event: AgentEvent) -> set[bytes]:
        """What the event's record leads to."""
        place = SourcePosition(self._topics.events, message.partition() or 0, message.offset() or 0)
        source = SourceRecord(place, message.timestamp()[1] * 1_000)
        return {encode(view) for view in annotate(event, source, self._kernel)}

    def _audited(self, sent: AbstractSet[str], verdicts: dict[str, Verdict], found: Found) -> None:
        client = connect(self._settings.clickhouse)
        query = "SELECT event_id, toInt8(decision) FROM audit WHERE kind = 'verdict'"
        rows = client.query(query).result_rows
        client.close()
        counted = Counter(event_id for event_id, _ in rows)
        found.lost |= sent - counted.keys()
        found.doubled |= {event_id for event_id, count in counted.items() if count > 1}
        found.wrong |= {
            event_id
            for event_id, decision in rows
            if event_id not in verdicts or verdicts[event_id].decision is not Decision(decision)
        }

    def _dead_letters(self, poison: int, found: Found) -> None:
        bad = [
            f"{topic}/{message.partition()}/{message.offset()}"
            for topic, kind in ((self._topics.events, AgentEvent), (self._topics.annotated, View))
            for message in self._messages(topic)
            if _unreadable(message, kind)
        ]
        client = connect(self._settings.clickhouse)
        rows = client.query("SELECT topic, partition, offset FROM dead_letters").result_rows
        client.close()
        told = Counter(f"{topic}/{partition}/{offset}" for topic, partition, offset in rows)
        found.lost |= set(bad) - told.keys()
        found.lost |= {f"poison {number}" for number in range(len(bad), poison)}
        found.doubled |= {where for where, count in told.items() if count > 1}
        found.wrong |= told.keys() - set(bad)

    def _values(self, topic: str, expect: type[T]) -> Iterator[tuple[Message, T]]:
        for message in self._messages(topic):
            try:
                yield message, decode(message.value() or b"", expect)
            except InvalidRecord:
                continue

    def _messages(self, topic: str) -> Iterable[Message]:
        """All records of a topic, each partition in its order."""
        for partition in range(self._place.partitions):
            begin, end = self._consumer.get_watermark_offsets(TopicPartition(topic, partition), 10)
            at = begin
            self._consumer.assign([TopicPartition(topic, partition, begin)])
            while at < end:
                for message in self._consumer.consume(min(1_000, end - at), 1):
                    if message.error() is None:
                        at = (message.offset() or 0) + 1
                        yield message
            self._consumer.unassign()


def _hangs(event: AgentEvent) -> bool:
    return isinstance(event.payload, UserMessage) and HANGS in event.payload.text


def _unreadable(message: Message, kind: type[object]) -> bool:
    try:
        decode(message.value() or b"", kind)
    except InvalidRecord:
        return True
    return False

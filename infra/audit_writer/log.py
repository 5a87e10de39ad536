"""The audit writer's view of Kafka: a plain consumer whose position comes from elsewhere.

A partition that is assigned does not start by itself: the writer asks ClickHouse where to begin,
and ClickHouse may be away. Until then the consumer stays in the group and hands out nothing.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

from confluent_kafka import (
    OFFSET_INVALID,
    TIMESTAMP_NOT_AVAILABLE,
    Consumer,
    KafkaError,
    KafkaException,
    Message,
    TopicPartition,
)

from lawful.infra.audit_writer.ports import LogRecord
from lawful.infra.clickhouse.rows import LogPlace, Partition
from lawful.infra.settings import Settings
from lawful.schemas.errors import MustStop, RetryLater

logger = logging.getLogger(__name__)

_SECONDS = 5.0
_HOPELESS = {
    KafkaError.TOPIC_AUTHORIZATION_FAILED,
    KafkaError.GROUP_AUTHORIZATION_FAILED,
    KafkaError.CLUSTER_AUTHORIZATION_FAILED,
    KafkaError.SASL_AUTHENTICATION_FAILED,
    KafkaError._AUTHENTICATION,  # noqa: SLF001 - librdkafka's own codes begin with an underscore
    KafkaError._FATAL,  # noqa: SLF001
    KafkaError.FENCED_INSTANCE_ID,
}
_AWAY = {KafkaError._ALL_BROKERS_DOWN, KafkaError._TRANSPORT, KafkaError._RESOLVE}  # noqa: SLF001
QUIET_SECONDS = 60.0
_MOVED = {KafkaError._AUTO_OFFSET_RESET, KafkaError.OFFSET_OUT_OF_RANGE}  # noqa: SLF001


def consumer_options(settings: Settings) -> dict[str, str | int | bool]:
    """Options of librdkafka: bounded memory, positions never from the group."""
    options: dict[str, str | int | bool] = {
        **settings.kafka.librdkafka(),
        "group.id": group_id(settings),
        "client.id": settings.instance_id or group_id(settings),
        "enable.auto.commit": False,
        "enable.auto.offset.store": False,
        "auto.offset.reset": "error",
        "partition.assignment.strategy": "range",
        "queued.max.messages.kbytes": 16_384,
        "fetch.message.max.bytes": 4_194_304,
        # What librdkafka would log at every attempt comes as errors, too, and is told by `Trouble`.
        "log_level": 2,
        "reconnect.backoff.max.ms": 5_000,
        "topic.metadata.refresh.interval.ms": 30_000,
    }
    if settings.instance_id:
        options["group.instance.id"] = f"{settings.instance_id}-audit"
    return options


def group_id(settings: Settings) -> str:
    """The consumer group of the audit writers."""
    return f"{settings.topic_prefix}-audit-writer"


class Trouble:
    """Tells what librdkafka has to say about its connections: each thing once a minute, not at every attempt.

    Args:
        address: where the brokers are.
        clock: monotonic seconds.
    """

    def __init__(self, address: str, clock: Callable[[], float]) -> None:
        self._address = address
        self._clock = clock
        self._told: dict[str, float] = {}

    def __call__(self, error: KafkaError) -> None:
        """Takes an error; nothing is raised, since librdkafka goes on trying by itself."""
        away = error.code() in _AWAY
        what = "no answer" if away else error.name()
        now = self._clock()
        if now - self._told.get(what, -QUIET_SECONDS) < QUIET_SECONDS:
            return
        self._told[what] = now
        logger.warning("Kafka at %s: %s; trying until it answers", self._address, what)


class KafkaLog:
    """Implements `Log` on confluent-kafka.

    Args:
        consumer: a consumer that nobody else uses.
        topics: what to read.
    """

    def __init__(self, consumer: Consumer, topics: Sequence[str]) -> None:
        self._consumer = consumer
        self._assigned: frozenset[Partition] = frozenset()
        self._epoch = 0
        self._placed = False
        self._paused = False
        self._next: dict[Partition, int] = {}
        consumer.subscribe(list(topics), on_assign=self._on_assign, on_revoke=self._on_gone, on_lost=self._on_gone)

    def take(self, most: int, seconds: float) -> Sequence[LogRecord]:
        """See `Log`."""
        with _mapped("reading the audit topic"):
            found = self._consumer.consume(most, seconds)
        return [record for message in found if (record := self._record(message)) is not None]

    def epoch(self) -> int:
        """See `Log`."""
        return self._epoch

    def unplaced(self) -> frozenset[Partition]:
        """See `Log`."""
        return frozenset() if self._placed else self._assigned

    def unplace(self) -> None:
        """See `Log`."""
        self._placed = not self._assigned

    def assigned(self) -> frozenset[Partition]:
        """See `Log`."""
        return self._assigned

    def bounds(self, partition: Partition) -> tuple[int, int]:
        """See `Log`."""
        with _mapped("asking for the ends of the audit topic"):
            found = self._consumer.get_watermark_offsets(_kafka(partition), timeout=_SECONDS)
        if found is None:
            raise RetryLater("Kafka did not say where the audit topic begins and ends")
        low, high = found
        return low, high

    def begin(self, offsets: Mapping[Partition, int]) -> None:
        """See `Log`."""
        with _mapped("beginning to read the audit topic"):
            self._consumer.assign([_kafka(partition, offset) for partition, offset in offsets.items()])
        self._placed = True
        self._paused = False
        self._next = dict(offsets)

    def pause(self, paused: bool) -> None:  # noqa: FBT001 - see `Log`
        """See `Log`."""
        if paused == self._paused or not self._placed:
            return
        partitions = [_kafka(partition) for partition in self._assigned]
        with _mapped("pausing"):
            (self._consumer.pause if paused else self._consumer.resume)(partitions)
        self._paused = paused

    def done(self, offsets: Mapping[Partition, int]) -> None:
        """See `Log`."""
        mine = [_kafka(partition, offset) for partition, offset in offsets.items() if partition in self._assigned]
        # Only for watching: ClickHouse holds the position, so a failure costs nothing.
        with suppress(KafkaException):
            if mine:
                self._consumer.commit(offsets=mine, asynchronous=True)

    def lags(self) -> Mapping[Partition, int]:
        """See `Log`."""
        return {partition: max(0, self._end(partition) - offset) for partition, offset in self._next.items()}

    def close(self) -> None:
        """See `Log`."""
        self._consumer.close()

    def _end(self, partition: Partition) -> int:
        with suppress(KafkaException):
            found = self._consumer.get_watermark_offsets(_kafka(partition), cached=True)
            return int(found[1])
        return OFFSET_INVALID

    def _record(self, message: Message) -> LogRecord | None:
        error = message.error()
        if error is not None:
            self._trouble(error)
            return None
        partition = Partition(str(message.topic()), int(message.partition() or 0))
        offset = int(message.offset() or 0)
        kind, stamp = message.timestamp()
        self._next[partition] = offset + 1
        logged_at = 0 if kind == TIMESTAMP_NOT_AVAILABLE else max(0, stamp)
        return LogRecord(LogPlace(partition.topic, partition.number, offset, logged_at), message.value())

    def _trouble(self, error: KafkaError) -> None:
        if error.fatal() or error.code() in _HOPELESS:
            raise MustStop(f"Kafka, reading the audit topic: {error.name()}: {error.str()}")
        if error.code() in _MOVED:
            self._placed = False  # the writer looks at the bounds again, and says what it finds
            return
        logger.warning("Kafka, reading the audit topic: %s", error.name())

    def _on_assign(self, consumer: Consumer, partitions: list[TopicPartition]) -> None:
        self._epoch += 1
        self._assigned = frozenset(Partition(each.topic, each.partition) for each in partitions)
        self._placed = not partitions
        self._next = {}
        consumer.assign([])

    def _on_gone(self, consumer: Consumer, _partitions: list[TopicPartition]) -> None:
        self._epoch += 1
        self._assigned = frozenset()
        self._placed = False
        self._next = {}
        consumer.unassign()


def _kafka(partition: Partition, offset: int = OFFSET_INVALID) -> TopicPartition:
    return TopicPartition(partition.topic, partition.number, offset)


@contextmanager
def _mapped(what: str) -> Iterator[None]:
    try:
        yield
    except KafkaException as error:
        cause = error.args[0]
        if cause.fatal() or cause.code() in _HOPELESS:
            raise MustStop(f"Kafka, {what}: {cause.name()}") from None
        raise RetryLater(f"Kafka, {what}: {cause.name()}") from None

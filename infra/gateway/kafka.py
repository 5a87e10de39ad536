"""The gateway's side of Kafka: a consumer of the outbox, and a producer that writes in transactions.

The position in the outbox is part of each transaction, so it is where it belongs: with what was written.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from confluent_kafka import (
    TIMESTAMP_NOT_AVAILABLE,
    Consumer,
    KafkaError,
    KafkaException,
    Message,
    Producer,
    TopicPartition,
)

from lawful.infra.gateway.ports import Place, Undeliverable
from lawful.infra.kafka_errors import PASSING, kafka_error
from lawful.infra.settings import Settings
from lawful.schemas.errors import MustStop, RetryLater
from lawful.schemas.topics import MAX_MESSAGE_BYTES
from lawful.streams.effects import Record, Send

log: Final = logging.getLogger(__name__)

_SECONDS: Final = 10.0
_ANY: Final = -1  # the key chooses the partition
_COMMON: Final = {
    "log_level": 2,
    "reconnect.backoff.max.ms": 5_000,
    "allow.auto.create.topics": False,
    "topic.metadata.refresh.interval.ms": 30_000,
}
_HOPELESS: Final = {
    KafkaError.TOPIC_AUTHORIZATION_FAILED,
    KafkaError.GROUP_AUTHORIZATION_FAILED,
    KafkaError.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
    KafkaError.SASL_AUTHENTICATION_FAILED,
    KafkaError._AUTHENTICATION,  # noqa: SLF001 - librdkafka's own codes begin with an underscore
    KafkaError.FENCED_INSTANCE_ID,
}


def group_id(settings: Settings) -> str:
    """The consumer group of the gateways."""
    return f"{settings.topic_prefix}-gateway"


def consumer(settings: Settings) -> Consumer:
    """A consumer that takes its position from its group, and from the start where there is none."""
    options: dict[str, str | int | bool] = {
        **settings.kafka.librdkafka(),
        **_COMMON,
        "group.id": group_id(settings),
        "enable.auto.commit": False,
        "enable.auto.offset.store": False,
        "auto.offset.reset": "earliest",
        "isolation.level": "read_committed",
        "partition.assignment.strategy": "range",
        "fetch.message.max.bytes": MAX_MESSAGE_BYTES,
        "queued.max.messages.kbytes": 16_384,
    }
    if settings.instance_id:
        options["group.instance.id"] = f"{settings.instance_id}-gateway"
    return Consumer(options, logger=logging.getLogger("lawful.kafka"))


def producer(settings: Settings) -> Producer:
    """A producer under this instance's transactional id: a second one under it shuts the first one out."""
    options: dict[str, str | int | bool] = {
        **settings.kafka.librdkafka(),
        **_COMMON,
        "transactional.id": f"{group_id(settings)}-{settings.instance_id or 'solo'}",
        "transaction.timeout.ms": 60_000,
        "partitioner": "murmur2_random",
        "message.max.bytes": MAX_MESSAGE_BYTES,
        "linger.ms": 0,
    }
    return Producer(options, logger=logging.getLogger("lawful.kafka"))


class Outbox:
    """Implements `Source`.

    Args:
        reader: a consumer that nobody else uses.
        topic: the outbox.
    """

    def __init__(self, reader: Consumer, topic: str) -> None:
        self._reader = reader
        self._gone: set[Place] = set()
        self._next: dict[Place, int] = {}
        reader.subscribe([topic], on_assign=self._assigned, on_revoke=self._revoked, on_lost=self._revoked)

    def take(self, most: int, seconds: float) -> Sequence[Record]:
        """See `Source`."""
        try:
            found = self._reader.consume(most, seconds)
        except KafkaException as raised:
            self._trouble(kafka_error(raised))
            return ()
        return [record for message in found if (record := self._record(message)) is not None]

    def gone(self) -> frozenset[Place]:
        """See `Source`."""
        gone, self._gone = frozenset(self._gone), set()
        return gone

    def lags(self) -> Mapping[Place, int]:
        """See `Source`."""
        return {place: max(0, self._end(place) - following) for place, following in self._next.items()}

    def close(self) -> None:
        """See `Source`."""
        self._reader.close()

    def _end(self, place: Place) -> int:
        try:
            return int(self._reader.get_watermark_offsets(TopicPartition(*place), cached=True)[1])
        except KafkaException:
            return -1

    def _record(self, message: Message) -> Record | None:
        error = message.error()
        if error is not None:
            self._trouble(error)
            return None
        kind, stamp = message.timestamp()
        place = str(message.topic()), int(message.partition() or 0)
        offset = int(message.offset() or 0)
        self._next[place] = offset + 1
        recorded_at = 0 if kind == TIMESTAMP_NOT_AVAILABLE else max(0, stamp) * 1_000
        headers = tuple((name, value) for name, value in _pairs(message.headers()) if isinstance(value, bytes))
        return Record(place[0], place[1], offset, recorded_at, _bytes(message.key()), _bytes(message.value()), headers)

    def _trouble(self, error: KafkaError) -> None:
        if error.fatal() or error.code() in _HOPELESS:
            raise MustStop(f"Kafka, reading the outbox: {error.name()}: {error.str()}")
        log.warning("Kafka, reading the outbox: %s", error.name())

    def _assigned(self, _reader: Consumer, partitions: list[TopicPartition]) -> None:
        log.info("reading %d partitions of the outbox", len(partitions))

    def _revoked(self, _reader: Consumer, partitions: list[TopicPartition]) -> None:
        for each in partitions:
            self._gone.add((each.topic, each.partition))
            self._next.pop((each.topic, each.partition), None)


class Inboxes:
    """Implements `Sink`.

    Args:
        writer: a producer with a transactional id of its own.
        reader: the outbox's consumer: its place in the group is checked with each position.
    """

    def __init__(self, writer: Producer, reader: Consumer) -> None:
        self._writer = writer
        self._reader = reader
        self._begun = False

    def begin(self) -> None:
        """Shuts out whoever wrote under this name before, and undoes what that left unfinished.

        Raises:
            RetryLater: Kafka is away.
            MustStop: Kafka refuses.
        """
        try:
            self._writer.init_transactions(_SECONDS)
        except KafkaException as raised:
            raise self._error(raised, "beginning") from None

    def deliver(self, sends: Sequence[Send], done: Mapping[Place, int]) -> None:
        """See `Sink`."""
        bad: list[Send] = []
        try:
            self._writer.begin_transaction()
            for send in sends:
                self._produce(send, bad)
            self._writer.flush(_SECONDS)
            _require_none(bad)
            offsets = [TopicPartition(*place, offset) for place, offset in done.items()]
            self._writer.send_offsets_to_transaction(offsets, self._reader.consumer_group_metadata(), _SECONDS)
            self._commit()
        except Undeliverable:
            self._abort()
            raise
        except BufferError:
            self._abort()
            raise RetryLater("more waits to be sent than fits into memory") from None
        except KafkaException as raised:
            error = self._error(raised, "delivering")
            if not isinstance(error, MustStop):
                self._abort()
            raise Undeliverable(frozenset(bad)) if bad else error from None

    def close(self) -> None:
        """See `Sink`."""
        self._writer.purge()
        self._writer.flush(1.0)

    def _produce(self, send: Send, bad: list[Send]) -> None:
        def told(error: KafkaError | None, _: Message) -> None:
            # One that was purged along with others is not to blame.
            if error is not None and error.code() not in _NOT_ITS_FAULT and not error.retriable():
                bad.append(send)

        partition = _ANY if send.partition is None else send.partition
        try:
            self._writer.produce(send.topic, send.value, send.key, partition, told, headers=list(send.headers))
        except KafkaException:
            bad.append(send)
        self._writer.poll(0)

    def _commit(self) -> None:
        """Commits; asked again while it is not known whether that has happened."""
        while True:
            try:
                self._writer.commit_transaction(_SECONDS)
            except KafkaException as raised:
                if kafka_error(raised).retriable():
                    continue
                raise
            return

    def _abort(self) -> None:
        try:
            self._writer.abort_transaction(_SECONDS)
        except KafkaException as raised:
            raise self._error(raised, "undoing a delivery") from None

    def _error(self, raised: KafkaException, what: str) -> RetryLater | MustStop:
        error = kafka_error(raised)
        if error.code() in {KafkaError._FENCED, KafkaError.PRODUCER_FENCED}:  # noqa: SLF001 - librdkafka's own
            return MustStop("another gateway runs under this instance id; give each its own LAWFUL_INSTANCE_ID")
        if error.fatal() or error.code() in _HOPELESS:
            return MustStop(f"Kafka, {what}: {error.name()}: {error.str()}")
        return RetryLater(f"Kafka, {what}: {error.name()}")


def _require_none(bad: list[Send]) -> None:
    if bad:
        raise Undeliverable(frozenset(bad))


def _pairs(headers: Any) -> Iterable[tuple[str, object]]:
    return headers.items() if isinstance(headers, Mapping) else headers or ()


def _bytes(value: bytes | str | None) -> bytes | None:
    return value.encode() if isinstance(value, str) else value


_NOT_ITS_FAULT: Final = PASSING | {
    KafkaError._PURGE_QUEUE,  # noqa: SLF001
    KafkaError._PURGE_INFLIGHT,  # noqa: SLF001
    KafkaError._MSG_TIMED_OUT,  # noqa: SLF001
}

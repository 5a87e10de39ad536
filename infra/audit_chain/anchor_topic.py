"""Anchors in a compacted topic: of each chain, the last one of each day stays."""

import time
from collections.abc import Sequence
from contextlib import closing

from confluent_kafka import Consumer, KafkaError, KafkaException, Message, Producer, TopicPartition

from lawful.infra.kafka_errors import mapped
from lawful.infra.settings import KafkaSettings
from lawful.schemas.audit import Anchor
from lawful.schemas.codec import decode, encode
from lawful.schemas.errors import InvalidRecord, RetryLater

_SECONDS = 15.0
_CLOSING_SECONDS = 5.0
_DAY = 86_400 * 1_000_000


class AnchorTopic:
    """Implements `Publisher`; connects with the first anchor.

    Args:
        kafka: how to reach the brokers.
        topic: the topic.
    """

    def __init__(self, kafka: KafkaSettings, topic: str) -> None:
        self._kafka = kafka
        self._topic = topic
        self._producer: Producer | None = None
        self._failed: str | None = None

    def publish(self, anchors: Sequence[Anchor]) -> None:
        """See `Publisher`. An anchor that did not arrive is told with the next ones."""
        producer = self._producer = self._producer or self._connected()
        producer.poll(0)
        try:
            for anchor in anchors:
                producer.produce(self._topic, encode(anchor), key(anchor), on_delivery=self._delivered)
        except (BufferError, KafkaException) as error:
            raise RetryLater(f"publishing an anchor: {type(error).__name__}") from None
        if self._failed is not None:
            failed, self._failed = self._failed, None
            raise RetryLater(f"the topic {self._topic} did not take an anchor: {failed}")

    def close(self) -> None:
        """See `Publisher`."""
        if self._producer is not None and self._producer.flush(_CLOSING_SECONDS):
            raise RetryLater(f"the topic {self._topic} did not take the last anchors in time")

    def _connected(self) -> Producer:
        options = {
            **self._kafka.librdkafka(),
            "partitioner": "murmur2_random",
            "enable.idempotence": True,
            "log_level": 0,
        }
        return Producer(options)

    def _delivered(self, error: KafkaError | None, _message: Message) -> None:
        if error is not None:
            self._failed = error.name()


def key(anchor: Anchor) -> str:
    """What compaction goes by."""
    return f"{anchor.kind}/{anchor.topic}/{anchor.partition}/{anchor.signed_at // _DAY}"


def read(kafka: KafkaSettings, topic: str) -> list[Anchor]:
    """All anchors that the topic holds now. What is none is passed over: it proves nothing.

    Raises:
        RetryLater: Kafka is away.
        ConfigurationError: Kafka refuses.
    """
    options = {
        **kafka.librdkafka(),
        "group.id": f"{topic}-reader",
        "enable.auto.commit": False,
        "auto.offset.reset": "earliest",
        "log_level": 0,
    }
    with closing(Consumer(options)) as consumer, mapped(f"reading {topic}"):
        return _read(consumer, topic)


def _read(consumer: Consumer, topic: str) -> list[Anchor]:
    described = consumer.list_topics(topic, timeout=_SECONDS).topics[topic]
    if described.error is not None:
        return []
    left = {}
    for number in described.partitions:
        bounds = consumer.get_watermark_offsets(TopicPartition(topic, number), timeout=_SECONDS)
        if bounds[1] > bounds[0]:
            left[number] = bounds[1]
    consumer.assign([TopicPartition(topic, number, 0) for number in left])
    found: list[Anchor] = []
    deadline = time.monotonic() + _SECONDS
    while left:
        for message in consumer.consume(1_000, 0.1):
            error = message.error()
            if error is not None:
                raise KafkaException(error)
            found += _anchor(message)
            number, offset = message.partition() or 0, message.offset() or 0
            if number in left and offset + 1 >= left[number]:
                del left[number]
            deadline = time.monotonic() + _SECONDS
        if time.monotonic() > deadline:
            raise RetryLater(f"Kafka does not hand out {topic}")
    return found


def _anchor(message: Message) -> list[Anchor]:
    try:
        return [decode(message.value() or b"", Anchor)]
    except InvalidRecord:
        return []

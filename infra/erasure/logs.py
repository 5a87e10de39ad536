"""Reading a whole topic, as it stands now, without a group."""

import uuid
from collections.abc import Callable, Iterator
from typing import Final

from confluent_kafka import Consumer, KafkaException, Message, TopicPartition

from lawful.infra.kafka_errors import mapped
from lawful.infra.settings import KafkaSettings
from lawful.schemas.errors import ConfigurationError, RetryLater

Bounds = dict[int, tuple[int, int]]
"""By partition: the first offset that is still there, and the one behind the last."""

Advance = Callable[[int, int], None]
"""Told, now and then, how many records are read, and of how many."""

_TIMEOUT: Final = 10.0
_BATCH: Final = 5_000
_STALL: Final = 100


class Logs:
    """Topics of one installation, to be read. Close it in the end.

    Args:
        settings: how to reach Kafka.
    """

    def __init__(self, settings: KafkaSettings) -> None:
        self._consumer = Consumer({**settings.librdkafka(), **_CONSUMER, "group.id": f"lawful-reads-{uuid.uuid4()}"})

    def close(self) -> None:
        """Disconnects."""
        self._consumer.close()

    def bounds(self, topic: str) -> Bounds:
        """Where a topic's partitions begin and end.

        Raises:
            RetryLater: Kafka is away.
            ConfigurationError: there is no such topic.
        """
        with mapped(f"looking at {topic}"):
            found = self._consumer.list_topics(topic, _TIMEOUT).topics[topic]
            if found.error is not None:
                raise ConfigurationError(f"there is no topic {topic}", hint="run: lawful topics create")
            places = {number: TopicPartition(topic, number) for number in found.partitions}
            return {number: self._consumer.get_watermark_offsets(place, _TIMEOUT) for number, place in places.items()}

    def read(
        self, topic: str, advance: Advance = lambda _done, _of: None, *, last: int | None = None
    ) -> Iterator[Message]:
        """Every record that is there now, each partition in its order; of each only the last so many, if that is said.

        Raises:
            RetryLater: Kafka is away, or stops answering.
            ConfigurationError: there is no such topic.
        """
        bounds = self.bounds(topic)
        begins = {number: begin if last is None else max(begin, end - last) for number, (begin, end) in bounds.items()}
        left = {number: end for number, (_, end) in bounds.items() if begins[number] < end}
        total, done, idle = sum(end - begins[number] for number, (_, end) in bounds.items()), 0, 0
        with mapped(f"reading {topic}"):
            self._consumer.assign([TopicPartition(topic, number, begins[number]) for number in left])
            while left:
                messages = self._consumer.consume(_BATCH, 0.1)
                for message in messages:
                    if message.error() is not None:
                        raise KafkaException(message.error())
                    if message.partition() in left:
                        yield message
                done += len(messages)
                idle = 0 if messages else idle + 1
                if idle > _STALL:
                    raise RetryLater(f"{topic} stopped answering in the middle")
                advance(min(done, total), total)
                self._passed(topic, left)
            self._consumer.unassign()

    def at(self, topic: str, partition: int, offset: int) -> Message | None:
        """One record; `None` if it is not there any more."""
        with mapped(f"reading {topic}"):
            self._consumer.assign([TopicPartition(topic, partition, offset)])
            for message in self._consumer.consume(1, _TIMEOUT):
                if message.error() is not None:
                    raise KafkaException(message.error())
                return message if message.offset() == offset else None
        return None

    def _passed(self, topic: str, left: dict[int, int]) -> None:
        """Forgets partitions that are read to their end; compaction may have taken the last record away."""
        for place in self._consumer.position([TopicPartition(topic, number) for number in left]):
            if place.offset >= left[place.partition]:
                del left[place.partition]


_CONSUMER: Final = {
    "enable.auto.commit": False,
    "enable.auto.offset.store": False,
    "auto.offset.reset": "earliest",
    "fetch.wait.max.ms": 20,
    "log_level": 0,
}

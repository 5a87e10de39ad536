"""Reading and writing a broker's log in tests, in as few words as possible."""

import contextlib
import time
from collections.abc import Iterator, Mapping
from typing import Any

from confluent_kafka import Consumer, KafkaError, KafkaException, Message, Producer, TopicPartition

from lawful.infra.kafka_api import AdminClient, ConfigResource, NewTopic, ResourceType
from tests.engines import eventually

Sent = tuple[str, int]  # error's name or "", offset


class Log:
    """One broker, seen by a test."""

    def __init__(self, bootstrap: str) -> None:
        self.client: dict[str, str | int | float | bool] = {"bootstrap.servers": bootstrap, "log_level": 0}
        self.admin = AdminClient(self.client)

    def create(self, name: str, partitions: int = 1, **config: object) -> str:
        """Creates a topic; underscores in the names of settings stand for dots."""
        settings = {key.replace("_", "."): str(value) for key, value in config.items()}
        self.admin.create_topics([NewTopic(name, partitions, 1, config=settings)])[name].result()
        eventually(lambda: name in self.admin.list_topics(timeout=5).topics)
        return name

    def send(self, topic: str, *values: bytes | None, **options: Any) -> list[Sent]:
        """Sends values, one acknowledged batch; returns what became of each."""
        producer = Producer({**self.client, "message.max.bytes": 8_000_000, "message.timeout.ms": 20_000})
        outcomes: list[Sent] = []

        def note(error: KafkaError | None, message: Message) -> None:
            outcomes.append((error.name() if error else "", message.offset() or 0))

        for value in values:
            producer.produce(topic, value, on_delivery=note, **options)
        assert producer.flush(30) == 0
        return outcomes

    def read(self, topic: str, count: int, *, partition: int = 0, seconds: float = 15) -> list[Message]:
        """The first `count` messages of a partition, or fewer if they don't come."""
        with self.consumer(f"{topic}-reader") as consumer:
            consumer.assign([TopicPartition(topic, partition, 0)])
            return collect(consumer, count, seconds)

    @contextlib.contextmanager
    def consumer(self, group: str, **options: object) -> Iterator[Consumer]:
        """A consumer that commits nothing unless told."""
        defaults = {"group.id": group, "enable.auto.commit": False, "auto.offset.reset": "earliest"}
        consumer = Consumer({**self.client, **defaults, **options})
        try:
            yield consumer
        finally:
            consumer.close()

    def end(self, topic: str, partition: int = 0) -> int:
        """The offset of the next message."""
        return self._watermarks(topic, partition)[1]

    def begin(self, topic: str, partition: int = 0) -> int:
        """The offset of the oldest message."""
        return self._watermarks(topic, partition)[0]

    def _watermarks(self, topic: str, partition: int) -> tuple[int, int]:
        with self.consumer(f"{topic}-watermarks") as consumer:

            def asked() -> tuple[int, int] | None:
                try:
                    return consumer.get_watermark_offsets(TopicPartition(topic, partition), timeout=10)
                except KafkaException as raised:
                    if raised.args[0].code() != KafkaError.NOT_LEADER_FOR_PARTITION:
                        raise
                    return None  # the topic was made a moment ago

            found = eventually(asked)
        assert found is not None
        return found

    def config(self, topic: str) -> Mapping[str, str]:
        """A topic's settings, as the broker tells them."""
        (answer,) = self.admin.describe_configs([ConfigResource(ResourceType.TOPIC, topic)]).values()
        return {name: entry.value for name, entry in answer.result().items()}


def collect(consumer: Consumer, count: int, seconds: float = 15) -> list[Message]:
    """Polls until `count` messages came, or time is up."""
    messages: list[Message] = []
    deadline = time.monotonic() + seconds
    while len(messages) < count and time.monotonic() < deadline:
        message = consumer.poll(0.1)
        if message is not None and message.error() is None:
            messages.append(message)
    return messages

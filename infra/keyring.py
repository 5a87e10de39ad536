"""The keys that payloads are sealed with, as the key topic has them.

A plain consumer without a group reads the topic into memory, on demand: when a key is not known,
everything up to the topic's present end is read before the key counts as destroyed; besides, every
few seconds, so that destroyed keys do not stay. A key that no payload needs any more is let go of:
few of them ever get a tombstone. Memory: some 400 bytes a key; keys live for days.
"""

import time
import uuid
from collections import defaultdict
from collections.abc import Callable
from typing import Final

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaException, Message, TopicPartition

from lawful.infra.settings import KafkaSettings
from lawful.schemas.codec import decode
from lawful.schemas.errors import InvalidRecord, MustBlock
from lawful.schemas.sealed import HOUR, NEEDED_FOR, SubjectKey, made_at, still_needed

_TIMEOUT: Final = 5.0
_FRESH: Final = 2.0
_BATCH: Final = 1_000
_LEFT_OUT: Final = "the keys of sealed events cannot be read: "


class KafkaKeyring:
    """Finds keys (`lawful.streams.opening.Keys`). For one thread.

    Args:
        settings: how to reach Kafka; it is reached at the first question.
        topic: where guards publish keys.
        clock: seconds that only grow.
        now: microseconds since 1970.
    """

    def __init__(
        self,
        settings: KafkaSettings,
        topic: str,
        *,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], int] = lambda: time.time_ns() // 1_000,
    ) -> None:
        self._settings = settings
        self._topic = topic
        self._clock = clock
        self._now = now
        self._consumer: Consumer | None = None
        self._next: dict[int, int] = {}
        self._keys: dict[str, SubjectKey] = {}
        self._made: defaultdict[int, set[str]] = defaultdict(set)  # names of keys, by the hour they are of
        self._read_at = float("-inf")

    def __len__(self) -> int:
        """How many keys are known."""
        return len(self._keys)

    def find(self, key_id: str) -> SubjectKey | None:
        """See `Keys.find`."""
        if key_id not in self._keys or self._clock() - self._read_at > _FRESH:
            try:
                self._catch_up()
            except KafkaException as error:
                raise MustBlock(_LEFT_OUT + error.args[0].name()) from None
        return self._keys.get(key_id)

    def close(self) -> None:
        """Disconnects."""
        if self._consumer is not None:
            self._consumer.close()
            self._consumer = None

    def _catch_up(self) -> None:
        consumer = self._connected()
        ends = {number: self._bounds(consumer, number) for number in self._next}
        deadline = self._clock() + _TIMEOUT
        while any(self._next[number] < end for number, end in ends.items()):
            for message in consumer.consume(_BATCH, 0.1):
                self._take(message)
            for place in consumer.position([TopicPartition(self._topic, number) for number in ends]):
                # Not the last record's offset: compaction may have taken that one away.
                self._next[place.partition] = max(self._next[place.partition], place.offset)
            if self._clock() > deadline:
                raise MustBlock(_LEFT_OUT + "it takes too long")
        self._let_go()
        self._read_at = self._clock()

    def _connected(self) -> Consumer:
        if self._consumer is None:
            consumer = Consumer({**self._settings.librdkafka(), **_CONSUMER, "group.id": f"lawful-keys-{uuid.uuid4()}"})
            found = consumer.list_topics(self._topic, _TIMEOUT).topics[self._topic]
            if found.error is not None:
                consumer.close()
                raise MustBlock(_LEFT_OUT + f"there is no topic {self._topic}; run: lawful topics create")
            self._next = dict.fromkeys(found.partitions, 0)
            consumer.assign([TopicPartition(self._topic, number, OFFSET_BEGINNING) for number in self._next])
            self._consumer = consumer
        return self._consumer

    def _bounds(self, consumer: Consumer, number: int) -> int:
        """Where a partition ends now; what it lost at its begin is behind us."""
        low, high = consumer.get_watermark_offsets(TopicPartition(self._topic, number), _TIMEOUT)
        self._next[number] = max(self._next[number], int(low))
        return int(high)

    def _take(self, message: Message) -> None:
        if message.error() is not None:
            raise KafkaException(message.error())
        name, value = (message.key() or b"").decode(errors="replace"), message.value()
        if value is None:
            self._forget(name)
            return
        try:
            key = decode(value, SubjectKey)
        except InvalidRecord:
            return  # it opens nothing
        if key.key_id == name and still_needed(name, self._now()):
            self._keys[name] = key
            self._made[_hour_of(name)].add(name)

    def _forget(self, name: str) -> None:
        if self._keys.pop(name, None) is not None:
            self._made[_hour_of(name)].discard(name)

    def _let_go(self) -> None:
        """Forgets the keys that no payload needs any more, by the hour: nothing else is looked at."""
        gone = (self._now() - NEEDED_FOR) // HOUR
        for hour in [hour for hour in self._made if hour < gone]:
            for name in self._made.pop(hour):
                del self._keys[name]


def _hour_of(name: str) -> int:
    """The hour a key was made in."""
    return (made_at(name) or 0) // HOUR


_CONSUMER: Final = {
    "enable.auto.commit": False,
    "enable.auto.offset.store": False,
    "auto.offset.reset": "earliest",
    "fetch.wait.max.ms": 10,
    "log_level": 0,
}

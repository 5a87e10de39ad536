"""What a worker publishes reaches the broker in order, and what became of it is told."""

import asyncio
import time
from collections import Counter

import pytest
from aiokafka.partitioner import DefaultPartitioner
from confluent_kafka import Consumer, TopicPartition

from lawful.streams.effects import Send
from lawful.streams.publisher import Publisher
from tests.streams.mockcluster import PARTITIONS, MockCluster

TOPIC = "lawful.verdicts"


@pytest.fixture
def cluster() -> MockCluster:
    """A broker of librdkafka's own, in this process."""
    return MockCluster()


async def _all_told(publisher: Publisher, told: list[str], count: int) -> None:
    until = time.monotonic() + 20
    while len(told) < count and time.monotonic() < until:
        publisher.poll()
        await asyncio.sleep(0.01)
    assert len(told) == count


def _read(cluster: MockCluster, count: int) -> list[tuple[int, bytes, bytes | None]]:
    consumer = Consumer({"bootstrap.servers": cluster.bootstrap, "group.id": "test", "log_level": 2})
    try:
        consumer.assign([TopicPartition(TOPIC, number, 0) for number in range(PARTITIONS)])
        found: list[tuple[int, bytes, bytes | None]] = []
        until = time.monotonic() + 20
        while len(found) < count and time.monotonic() < until:
            message = consumer.poll(0.2)
            if message is not None and message.error() is None:
                found.append((message.partition() or 0, message.key() or b"", message.value()))
        return found
    finally:
        consumer.close()


async def test_records_arrive_in_order_and_where_javas_partitioner_puts_them(cluster: MockCluster) -> None:
    """Other producers of the same keys, Faust's among them, have to come to the same partitions."""
    publisher, told = Publisher({"bootstrap.servers": cluster.bootstrap}, 2), list[str]()
    keys = [f"key-{number % 7}".encode() for number in range(70)]
    for number, key in enumerate(keys):
        await publisher.publish(Send(TOPIC, key, str(number).encode()), told.append)
    assert await publisher.flushed(20)
    await _all_told(publisher, told, len(keys))
    assert Counter(told) == {"": len(keys)}
    found = _read(cluster, len(keys))
    numbers = list(range(PARTITIONS))
    assert {(key, partition) for partition, key, _ in found} == {
        (key, DefaultPartitioner()(key, numbers, numbers)) for key in keys
    }
    for key in set(keys):
        values = [int(value or b"") for _, each, value in found if each == key]
        assert values == sorted(values)
        assert len(values) == 10


async def test_a_tombstone_has_no_value(cluster: MockCluster) -> None:
    """An empty value would be something else: compaction would keep it."""
    publisher, told = Publisher({"bootstrap.servers": cluster.bootstrap}, 0), list[str]()
    await publisher.publish(Send(TOPIC, b"k", b"", tombstone=True), told.append)
    await _all_told(publisher, told, 1)
    assert [value for _, _, value in _read(cluster, 1)] == [None]


async def test_what_is_purged_is_told_as_not_sent() -> None:
    """A worker that lost its partitions sends nothing more of what waits, and takes it for undone."""
    publisher, told = Publisher({"bootstrap.servers": "127.0.0.1:1"}, 0), list[str]()
    await publisher.publish(Send(TOPIC, b"k", b"v"), told.append)
    assert not await publisher.flushed(0.05)
    assert told == []
    publisher.purge()
    await _all_told(publisher, told, 1)
    assert told == ["_PURGE_QUEUE"]
    assert await publisher.flushed(1)


async def test_what_can_never_be_sent_is_told_at_once(cluster: MockCluster) -> None:
    """A record that is too large for librdkafka is a refused one, not an error in the stage."""
    publisher, told = Publisher({"bootstrap.servers": cluster.bootstrap, "message.max.bytes": "1000"}, 0), list[str]()
    await publisher.publish(Send(TOPIC, b"k", b"v" * 2_000), told.append)
    assert told == ["MSG_SIZE_TOO_LARGE"]


async def test_a_full_queue_is_waited_for(cluster: MockCluster) -> None:
    """Memory is bounded: who publishes faster than the broker takes has to wait, and nothing is left out."""
    small = {"bootstrap.servers": cluster.bootstrap, "queue.buffering.max.messages": "10"}
    publisher, told = Publisher(small, 0), list[str]()
    for number in range(50):
        await publisher.publish(Send(TOPIC, b"k", str(number).encode()), told.append)
    await _all_told(publisher, told, 50)
    assert Counter(told) == {"": 50}

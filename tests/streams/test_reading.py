"""Partitions are read from where to where one likes, on every kind of broker."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from aiokafka.errors import KafkaTimeoutError
from confluent_kafka import Producer
from faust.types import TP

from lawful.infra.engines.traits import Broker
from lawful.schemas.topics import Topics
from lawful.streams.options import WorkerOptions
from lawful.streams.reading import nothing_between, read_to_end
from lawful.streams.topology import LawfulApp
from tests.contracts.log import Log

pytestmark = pytest.mark.service


def answer(broker: Broker, ask: Callable[[Any], Awaitable[Any]]) -> Any:
    """What an app is told that talks to this broker."""

    async def asked() -> Any:
        return await ask(LawfulApp(WorkerOptions(bootstrap=broker.bootstrap, topics=Topics("t"), partitions=1)))

    return asyncio.run(asyncio.wait_for(asked(), 30))


def test_the_log_tells_whether_a_gap_is_its_own(broker: Broker, prefix: str) -> None:
    """The end of a transaction takes an offset, and is no record."""
    log = Log(broker.bootstrap)
    here = TP(log.create(prefix), 0)
    producer = Producer({**log.client, "transactional.id": prefix})
    producer.init_transactions(20)
    for value in (b"0", b"2"):
        producer.begin_transaction()
        producer.produce(prefix, value)
        producer.commit_transaction()

    async def ask(app: Any) -> list[bool]:
        return [await nothing_between(app, here, start, 2) for start in (0, 1, 2)]

    assert answer(broker, ask) == [False, True, True]


def test_reading_to_what_is_not_there_yet_is_tried_again(broker: Broker, prefix: str) -> None:
    """A leader that has just become one may not know of the last records: what it does not tell is not missing."""
    log = Log(broker.bootstrap)
    here = TP(log.create(prefix), 0)
    log.send(prefix, b"0", b"1")

    async def read(app: Any, end: int) -> list[int]:
        return [each.offset async for _, found in read_to_end(app, {here: 0}, {here: end}) for each in found]

    assert answer(broker, lambda app: read(app, 2)) == [0, 1]
    with pytest.raises(KafkaTimeoutError):
        answer(broker, lambda app: read(app, 3))

"""What aiokafka's coordinator is taught."""

import asyncio

import pytest
from aiokafka import AIOKafkaProducer

from lawful.infra.engines.traits import Broker
from lawful.streams.transport import ask_again_when_left_out, crash_with, remember_topics
from tests.contracts.log import Log


class Coordinator:
    """Joins; is given each of these assignments in turn."""

    def __init__(self, *given: bytes) -> None:
        self.given = list(given)
        self.taken: list[bytes] = []
        self.asked_again = 0

    async def _do_rejoin_group(self, _: object) -> bool:
        await self._on_join_complete(1, "one", "range", self.given.pop(0))
        return True

    async def _on_join_complete(self, _generation: int, _member: str, _protocol: str, assignment: bytes) -> None:
        self.taken.append(assignment)

    def request_rejoin(self) -> None:
        """As aiokafka's."""
        self.asked_again += 1


def joins(coordinator: Coordinator, times: int) -> list[bool]:
    """Has it join; gives what came of it each time."""

    async def join() -> list[bool]:
        ask_again_when_left_out(coordinator)
        return [await coordinator._do_rejoin_group(None) for _ in range(times)]

    return asyncio.run(join())


def test_a_member_that_is_told_nothing_joins_again() -> None:
    """An answer without an assignment is not taken for one."""
    coordinator = Coordinator(b"", b"three partitions")
    assert joins(coordinator, 2) == [False, True]
    assert coordinator.taken == [b"three partitions"]
    assert coordinator.asked_again == 1


def test_a_consumer_whose_coordinator_crashes_takes_the_app_with_it() -> None:
    """It would stand still otherwise, and nobody would start it again."""

    class App:
        reasons: "asyncio.Queue[BaseException]" = asyncio.Queue()

        async def crash(self, reason: BaseException) -> None:
            self.reasons.put_nowait(reason)

    async def coordinate(error: Exception | None) -> None:
        if error:
            raise error

    async def crashes() -> str:
        for error in (None, ValueError("no coordinator")):
            task = asyncio.ensure_future(coordinate(error))
            crash_with(task, App(), asyncio.get_running_loop())
            await asyncio.wait([task])
        return str(await asyncio.wait_for(App.reasons.get(), 5))

    assert asyncio.run(crashes()) == "no coordinator"


@pytest.mark.service
def test_what_waits_is_sent_although_another_topic_is_asked_for(broker: Broker, prefix: str) -> None:
    """A producer that looks for a reply topic does not forget who leads the topic it writes to."""
    log = Log(broker.bootstrap)
    log.create(f"{prefix}-replies")

    async def send(topic: str) -> int:
        producer = AIOKafkaProducer(bootstrap_servers=broker.bootstrap, linger_ms=200, request_timeout_ms=2_000)
        await producer.start()
        remember_topics(producer)
        try:
            producer.client.add_topic(f"{prefix}-replies")
            offset: int = (await (await producer.send(topic, b"x", partition=0))).offset
            return offset
        finally:
            await producer.stop()

    assert asyncio.run(send(log.create(prefix))) == 0

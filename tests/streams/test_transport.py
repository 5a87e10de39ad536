"""What aiokafka's coordinator is taught."""

import asyncio
import contextlib
import threading
from typing import Any

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.errors import KafkaError
from faust.types import TP
from mode.utils.queues import FlowControlQueue

from lawful.infra.engines.traits import Broker
from lawful.streams.transport import (
    ConsumerThread,
    FlowControl,
    ask_again_when_left_out,
    commit_what_is_mine,
    crash_with,
    crash_with_loops_of,
    remember_topics,
)
from tests.contracts.log import Log
from tests.engines import eventually


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


class App:
    """Notes why it crashed.

    Attributes:
        should_stop: whether it is about to end anyway.
    """

    def __init__(self) -> None:
        self.should_stop = False
        self.reasons: asyncio.Queue[BaseException] = asyncio.Queue()

    async def crash(self, reason: BaseException) -> None:
        """As Faust's."""
        self.reasons.put_nowait(reason)

    async def reason(self) -> str:
        """Why it crashed; waits for it."""
        return str(await asyncio.wait_for(self.reasons.get(), 10))


@pytest.mark.parametrize(
    ("error", "why"), [(ValueError("no coordinator"), "no coordinator"), (None, "a loop of the consumer has ended")]
)
def test_a_consumer_whose_loop_ends_takes_the_app_with_it(error: Exception | None, why: str) -> None:
    """It would stand still otherwise, and nobody would start it again; only not when the app ends anyway."""

    async def ends() -> None:
        if error:
            raise error

    async def crashes() -> str:
        ending, app = App(), App()
        ending.should_stop = True
        for each in (ending, app):
            task = asyncio.ensure_future(ends())
            crash_with(task, each, asyncio.get_running_loop())
            await asyncio.wait([task])
        why = await app.reason()
        assert ending.reasons.empty() == (error is None)  # an error is told in any case
        return why

    assert asyncio.run(crashes()).startswith(why)


@pytest.mark.service
@pytest.mark.parametrize(
    ("loop", "why"),
    [
        ("_fetcher._get_actions_per_node", "Unexpected error during data retrieval"),
        ("_coordinator.ensure_coordinator_known", "broken"),
    ],
)
def test_both_loops_of_a_real_consumer_are_watched(broker: Broker, prefix: str, loop: str, why: str) -> None:
    """The one that fetches says nothing when it fails, not even to whoever waits for records."""
    topic = Log(broker.bootstrap).create(prefix)
    part, method = loop.split(".")

    def fail(*_: object) -> None:
        raise ValueError("broken")

    async def crashes() -> str:
        app = App()
        consumer: Any = AIOKafkaConsumer(topic, bootstrap_servers=broker.bootstrap, group_id=prefix)
        await consumer.start()
        crash_with_loops_of(consumer, app, asyncio.get_running_loop())
        setattr(getattr(consumer, part), method, fail)
        consumer._coordinator.request_rejoin()
        try:
            return await app.reason()
        finally:
            app.should_stop = True
            with contextlib.suppress(KafkaError, ValueError):
                await consumer.stop()
            await consumer._client.close()

    assert why in asyncio.run(crashes())


@pytest.mark.service
def test_a_commit_that_cannot_be_done_ends_nothing(broker: Broker, prefix: str) -> None:
    """Only what is this member's is committed; a group that is given out anew is no reason to crash."""
    topic = Log(broker.bootstrap).create(prefix, partitions=2)

    async def commits() -> list[bool]:
        settings = {"bootstrap_servers": broker.bootstrap, "enable_auto_commit": False}
        consumer: Any = AIOKafkaConsumer(group_id=prefix, **settings)
        await consumer.start()
        offsets = {TP(topic, 0): 0, TP(topic, 1): 0}
        try:
            done = [await commit_what_is_mine(consumer, offsets)]
            consumer.subscribe([topic])
            while not consumer.assignment():
                await consumer.getmany(timeout_ms=50)
            done.append(await commit_what_is_mine(consumer, {TP("of another", 0): 1, **offsets}))
            consumer._coordinator.generation += 7
            done.append(await commit_what_is_mine(consumer, offsets))
        finally:
            await consumer.stop()
        return done

    assert asyncio.run(asyncio.wait_for(commits(), 30)) == [False, True, False]


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


async def test_what_has_arrived_stays_when_the_flow_goes_on_that_never_stopped() -> None:
    """Faust lets the flow go on twice after a rebalance; only what is older than the rebalance goes."""
    flow = FlowControl()
    queue: FlowControlQueue[str] = FlowControlQueue(flow_control=flow, clear_on_resume=True)
    flow.resume()
    await queue.put("read from where the stages are")
    flow.resume()
    assert queue.qsize() == 1
    flow.suspend()
    flow.resume()
    assert queue.qsize() == 0


@pytest.mark.service
def test_whoever_goes_back_while_records_arrive_gets_there(broker: Broker, prefix: str) -> None:
    """A consumer of aiokafka's is no place for two threads: one would forget where the other sent it."""
    log = Log(broker.bootstrap)
    topic = log.create(prefix)
    log.send(topic, *[b"%d" % number for number in range(2_000)])
    here, thread, over = TopicPartition(topic, 0), ConsumerThread.__new__(ConsumerThread), threading.Event()
    thread.thread_loop = asyncio.new_event_loop()
    firsts: list[int] = []

    async def reads() -> None:
        consumer: Any = AIOKafkaConsumer(
            bootstrap_servers=broker.bootstrap, enable_auto_commit=False, fetch_max_wait_ms=20
        )
        await consumer.start()
        consumer.assign([here])
        consumer.seek(here, 0)
        thread._consumer = consumer
        while not over.is_set():
            found = (await consumer.getmany(here, timeout_ms=20, max_records=1_000)).get(here)
            firsts.extend(each[0].offset for each in [found] if each)
        await consumer.stop()

    reading = threading.Thread(target=lambda: thread.thread_loop.run_until_complete(reads()))
    reading.start()
    try:
        eventually(lambda: firsts)
        thread.seek(TP("of another", 0), 0)
        for number in range(50):
            firsts.clear()
            thread.seek(TP(topic, 0), number)
            eventually(lambda wanted=number: wanted in firsts, seconds=5, pause=0.001)  # type: ignore[misc]
    finally:
        over.set()
        reading.join()
        thread.thread_loop.close()

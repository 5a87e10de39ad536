"""Faust's Kafka consumer, with the parts replaced that decide what is read and what is committed.

Faust counts acknowledged events and commits what it counted; under kills and hand-overs those
commits were seen stuck, and around rebalances events were seen acknowledged that no agent had
taken. Here the stages' watermarks are the only truth: they say where to go on, and they are what
is committed, for others to measure lag by. Everything that touches the insides of Faust's and
aiokafka's consumers is in this file.
"""

import asyncio
import logging
import time
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from aiokafka.errors import CommitFailedError, ConsumerStoppedError, KafkaError
from faust.transport.drivers import aiokafka as driver
from faust.types import TP
from mode.utils.queues import FlowControlEvent

log = logging.getLogger(__name__)

_FETCH_WAIT_MS = 500
_JOIN_PAUSE = 0.2


class Positions(Protocol):
    """What the stages tell the consumer."""

    async def open(self, assigned: Iterable[TP]) -> Mapping[TP, int]:
        """Prepares the stages for partitions whose tables are restored; says where to go on in those."""
        ...

    async def drain(self) -> None:
        """Takes nothing more in, and returns when what was taken in is done and noted."""
        ...

    def durable(self) -> Mapping[TP, int]:
        """The offset behind the acknowledged watermark, for every open source partition."""
        ...


class FlowControl(FlowControlEvent):
    """Lets records through to the stages, or not.

    Faust lets them through twice after a rebalance, and empties all queues both times. By the second time the stages
    have said where to begin: what has arrived from there by then would be gone, and a lane sees a gap only when
    something follows.
    """

    def resume(self) -> None:
        """Lets records through; where they were let through already, nothing that has arrived is dropped."""
        if not self.is_active():
            super().resume()


class _Forgetful(dict[TP, int | None]):
    """Faust drops what it thinks it has read already; here the lanes decide about that."""

    def __getitem__(self, _: TP) -> int | None:
        return None


class RebalanceListener(driver.ConsumerRebalanceListener):
    """Has nothing fetched from new partitions until the stages have said where to begin."""

    async def on_partitions_assigned(self, assigned: Iterable[Any]) -> None:
        """Called by aiokafka's coordinator, on the consumer's thread."""
        assigned = list(assigned)
        self._thread.heard_at = time.monotonic()  # type: ignore[attr-defined]
        self._thread._ensure_consumer().pause(*assigned)  # noqa: SLF001 - Faust's own listener does so too
        await super().on_partitions_assigned(assigned)


class ConsumerThread(driver.AIOKafkaConsumerThread):
    """The thread that talks to the broker.

    Attributes:
        heard_at: when the broker last said that this member owns its partitions (monotonic clock).
    """

    heard_at: float = 0.0

    async def on_start(self) -> None:
        """Starts the consumer, and listens to what becomes of its heartbeats."""
        await super().on_start()
        consumer = self._ensure_consumer()
        coordinator: Any = consumer._coordinator  # noqa: SLF001 - no public hook
        ask_again_when_left_out(coordinator)
        crash_with_loops_of(consumer, self.app, self.parent_loop)
        coordinator._do_heartbeat = self._listening(coordinator._do_heartbeat)  # noqa: SLF001

    def _listening(self, beat: Any) -> Any:
        async def heard() -> Any:
            asked_at = time.monotonic()
            alive = await beat()
            if alive:
                self.heard_at = asked_at
            return alive

        return heard

    async def on_thread_stop(self) -> None:
        """Stops the consumer; a member that stops on purpose leaves its group, static or not."""
        if self._consumer is not None:
            # aiokafka never lets a static member leave, and then nobody could take over.
            coordinator: Any = self._consumer._coordinator  # noqa: SLF001
            coordinator._group_instance_id = None  # noqa: SLF001
        await super().on_thread_stop()

    async def committed(self, partitions: Iterable[TP]) -> dict[TP, int | None]:
        """What the group has committed."""
        consumer = self._ensure_consumer()
        return {tp: await self.call_thread(consumer.committed, driver.ensure_aiokafka_TP(tp)) for tp in partitions}

    async def fetch_from(self, partitions: Iterable[TP]) -> None:
        """Lets these be fetched from."""
        await self.call_thread(_resume, self._ensure_consumer(), list(partitions))

    def seek(self, partition: TP, offset: int) -> None:
        """Goes there soon, on this thread: on another it could get between a fetch and its bookkeeping, and be lost."""
        self.thread_loop.call_soon_threadsafe(_seek, self._ensure_consumer(), partition, offset)

    async def _commit(self, offsets: Mapping[TP, int]) -> bool:
        return await commit_what_is_mine(self._ensure_consumer(), offsets)

    def _create_worker_consumer(self, transport: Any) -> Any:
        consumer = super()._create_worker_consumer(transport)
        # What waits for a fetch to return (a seek, a look-up of offsets) need not wait long.
        consumer._fetch_max_wait_ms = _FETCH_WAIT_MS  # noqa: SLF001 - Faust sets 1.5 s and offers no choice
        return consumer


async def commit_what_is_mine(consumer: Any, offsets: Mapping[TP, int]) -> bool:
    """Commits offsets of partitions that this member has now. Returns whether it did.

    Where to go on stands in the tables; what is committed tells others the lag. So a commit that fails, as
    they do while partitions are given out anew, is made up for by the next, and no reason to end (Faust would).

    Args:
        consumer: aiokafka's, on whose thread this runs.
        offsets: the next to be read, by partition.
    """
    assigned = consumer.assignment()
    mine = {place: offset for tp, offset in offsets.items() if (place := driver.ensure_aiokafka_TP(tp)) in assigned}
    if not mine:
        return False
    try:
        await consumer.commit(mine)
    except KafkaError as error:
        log.warning("offsets are not committed now: %r", error)
        return False
    return True


def crash_with_loops_of(consumer: Any, app: Any, loop: asyncio.AbstractEventLoop) -> None:
    """Has the app crash when a loop of a consumer of aiokafka's does, of which that would tell nobody.

    Without the one it has no partitions, without the other no records: it would stand still for ever.

    Args:
        consumer: was started.
        app: crashes.
        loop: the app's.
    """
    for task in (consumer._coordinator._coordination_task, consumer._fetcher.error_future):  # noqa: SLF001 - no public hook
        crash_with(task, app, loop)


def crash_with(task: "asyncio.Future[Any]", app: Any, loop: asyncio.AbstractEventLoop) -> None:
    """Has the app crash when this task does, or ends before the app does.

    Args:
        task: of any loop.
        app: crashes.
        loop: the app's.
    """

    def ended(task: "asyncio.Future[Any]") -> None:
        error = None if task.cancelled() else task.exception()
        if error is None and not app.should_stop:
            error = RuntimeError("a loop of the consumer has ended, which nobody asked for")
        if error is not None:
            asyncio.run_coroutine_threadsafe(app.crash(error), loop)

    task.add_done_callback(ended)


class _LeftOut(Exception):
    """The broker's answer to a member that joined names no assignment at all."""


def ask_again_when_left_out(coordinator: Any) -> None:
    """Has a member that was told nothing, not even that it gets no partition, join again.

    The embedded broker answers so now and then when members join at the same moment, and aiokafka's
    consumer would end with it.
    """
    complete, rejoin = coordinator._on_join_complete, coordinator._do_rejoin_group  # noqa: SLF001 - no public hook

    async def completed(generation: int, member: str, protocol: str, assignment: bytes) -> None:
        if not assignment:
            raise _LeftOut
        await complete(generation, member, protocol, assignment)

    async def rejoined(subscription: Any) -> Any:
        try:
            return await rejoin(subscription)
        except _LeftOut:
            coordinator.request_rejoin()
            await asyncio.sleep(_JOIN_PAUSE)
            return False

    coordinator._on_join_complete, coordinator._do_rejoin_group = completed, rejoined  # noqa: SLF001


class Consumer(driver.Consumer):
    """A consumer that goes where the stages are, and commits what they have done."""

    RebalanceListener = RebalanceListener

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._read_offset = _Forgetful()
        self._last_commit: dict[TP, int] = {}
        self._session: float = self.app.conf.broker_session_timeout  # a look-up in Faust's settings is slow

    def _new_consumer_thread(self) -> ConsumerThread:
        self._mine = ConsumerThread(self, loop=self.loop, beacon=self.beacon)
        return self._mine

    @property
    def _positions(self) -> Positions:
        app: Any = self.app
        positions: Positions = app.stages
        return positions

    @property
    def in_touch(self) -> bool:
        """Whether the partitions are surely still this worker's.

        A process that was stopped or starved for longer than its session has been replaced, and does
        not know it yet: it must not write rows beside the new owner.
        """
        return time.monotonic() - self._mine.heard_at < self._session

    async def perform_seek(self) -> None:
        """Goes to where stages begin that were not open. Faust calls this after recovery, and when it drops something.

        Open stages are where they are: what was fetched for them would come twice.
        """
        offsets = await self._positions.open(self.assignment())
        if offsets:
            await self.seek_wait(offsets)
            await self._mine.fetch_from(offsets)

    async def on_partitions_revoked(self, revoked: set[TP]) -> None:
        """Finishes what was begun before the partitions go to somebody else."""
        await self._positions.drain()
        self._last_commit.clear()
        await super().on_partitions_revoked(revoked)

    async def _drain_messages(self, fetcher: Any) -> None:
        """Hands on what is fetched. Faust's own loop makes two tasks for every message."""
        try:
            while not (self.should_stop or fetcher.should_stop):
                async for _, message in self.getmany(timeout=1.0):
                    await self.callback(message)
                await asyncio.sleep(0)
        except (asyncio.CancelledError, ConsumerStoppedError):
            if not self.app.should_stop:
                raise

    def ack(self, message: Any) -> bool:
        """Only lets go of the message: what is done is the lanes' business."""
        message.acked = True
        self._unacked_messages.discard(message)
        return True

    async def force_commit(self, topics: Any = None, start_new_transaction: bool = True) -> bool:  # noqa: FBT001, FBT002
        """Commits the stages' watermarks where they have moved."""
        assigned = self.assignment()
        offsets = {
            tp: offset
            for tp, offset in self._positions.durable().items()
            if tp in assigned and offset > self._last_commit.get(tp, 0)
        }
        if not offsets or not await self._commit(offsets):
            return False
        self._last_commit.update(offsets)
        return True

    async def verify_all_partitions_active(self) -> None:
        """Nothing: Faust would look, from this thread, into what the consumer's is changing, for acknowledgements."""

    async def committed(self, partitions: Iterable[TP]) -> dict[TP, int | None]:
        """What the group has committed, by partition."""
        return await self._mine.committed(partitions)


class Producer(driver.Producer):
    """A producer that does not send what a worker began before it lost touch with its group."""

    async def on_start(self) -> None:
        """Starts the producer."""
        await super().on_start()
        remember_topics(self._ensure_producer())
        accumulator: Any = self._ensure_producer()._message_accumulator  # noqa: SLF001 - no public hook
        drain = accumulator.drain_by_nodes

        def drained(*args: Any, **kwargs: Any) -> Any:
            if not _in_touch(self.app):
                _refuse_all(accumulator)
            return drain(*args, **kwargs)

        accumulator.drain_by_nodes = drained


def remember_topics(producer: Any) -> None:
    """Has a producer of aiokafka's ask for a topic's leaders as long as it writes to that topic.

    It starts with all topics' leaders and does not note which it uses. Once somebody asks for one topic
    (as `lawful.streams.known_topics` does) it forgets all others, and what waits for them is stuck until it times out.
    """
    send, client = producer.send, producer.client

    async def sent(topic: str, *args: Any, **kwargs: Any) -> Any:
        client.add_topic(topic)
        return await send(topic, *args, **kwargs)

    producer.send = sent


def _refuse_all(accumulator: Any) -> None:
    """Fails what waits to be sent: now it would stand behind what the successor has written since."""
    waiting = accumulator._batches  # noqa: SLF001 - no public way
    for tp in list(waiting):
        while waiting.get(tp):
            accumulator._pop_batch(tp).failure(CommitFailedError("this worker lost touch with its group"))  # noqa: SLF001


def _in_touch(app: Any) -> bool:
    in_touch: bool = app.consumer.in_touch
    return in_touch


class Transport(driver.Transport):
    """Faust's aiokafka transport with the consumer and producer above."""

    Consumer = Consumer
    Producer = Producer


async def _resume(consumer: Any, partitions: list[TP]) -> None:
    consumer.resume(*[driver.ensure_aiokafka_TP(tp) for tp in partitions])


def _seek(consumer: Any, partition: TP, offset: int) -> None:
    place = driver.ensure_aiokafka_TP(partition)
    if place in consumer.assignment():  # whoever has it now goes on from its own watermark
        consumer.seek(place, offset)

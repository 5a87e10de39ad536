"""A stage: the thin shell between Faust and one step.

An agent hands every delivered record to its stage. The stage asks the partition's lane whether it
is this record's turn, runs the step, and sends what the step gave, rows first, without waiting
for one output before the next. Acknowledgements move the lane's watermark; a tick writes it down.
What the broker refuses sends the lane back to its watermark, and the records are done again:
steps are deterministic, so what had already arrived arrives again byte for byte.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from aiokafka.errors import IllegalStateError, KafkaError
from faust.exceptions import ProducerSendError
from faust.types import TP

from lawful.schemas.codec import decode, encode
from lawful.schemas.errors import MustStop
from lawful.schemas.event import Micros
from lawful.schemas.state import Watermark
from lawful.streams.claims import naming
from lawful.streams.dead_letters import DeadLetterCounter
from lawful.streams.effects import Effects, Later, Put, Record, Step, WorksAhead
from lawful.streams.logtime import LogTime
from lawful.streams.observing import Done, Standing
from lawful.streams.reading import nothing_between, read_to_end
from lawful.streams.rows import PartitionRows
from lawful.streams.tables import StateTable
from lawful.streams.watermark import Admission, Lane, Place, Ticket, lane_for

log = logging.getLogger(__name__)

WATERMARK = b"\x00watermark"
_MAX_FAILURES = 15
_MOST_LATER = 16
_ACK_POLL = 0.002
_UNKNOWN = "its changelog has rows that this worker knows nothing of"


class Stage:
    """One stage on all partitions that this worker has.

    Args:
        app: the Faust app.
        source: the topic it reads.
        table: its rows and watermarks.
        step: what it does to a record.
        counter: counts what could not be read.
    """

    def __init__(self, app: Any, source: str, *, table: StateTable, step: Step, counter: DeadLetterCounter) -> None:
        self.name = counter.stage
        self.source = source
        self.table = table
        self.step = step
        self._app = app
        self._counter = counter
        self._lanes: dict[int, Lane] = {}
        self._rows: dict[int, PartitionRows] = {}
        self._time = LogTime(time.monotonic)
        self._turn = asyncio.Lock()
        self._ahead_step = step if isinstance(step, WorksAhead) else None
        self._ahead = 0  # nanoseconds, of each record
        self._later: set[asyncio.Task[None]] = set()
        self._unswept: set[int] = set()
        self._torn: set[int] = set()
        self._reopening: dict[int, asyncio.Task[None]] = {}

    async def foresee(self, messages: Sequence[Any]) -> None:
        """Has what can be done for several records done at once, beside the loop; their turn comes as it does."""
        if self._ahead_step is not None and self._ahead_step.works_ahead:
            began = time.time_ns()
            await asyncio.to_thread(self._ahead_step.ahead, [Record.of(message) for message in messages])
            self._ahead = (time.time_ns() - began) // len(messages)

    async def take(self, message: Any) -> None:
        """Takes one delivered record in, if it is its turn."""
        async with self._turn:
            lane = self._lanes.get(message.partition)
            if lane is None:
                return
            if not self._app.consumer.in_touch:
                lane.missed = True
                return
            admission = lane.admit(message.offset)
            if admission is Admission.DOUBT:
                gap = await nothing_between(self._app, TP(self.source, lane.partition), lane.next, message.offset)
                admission = Admission.TAKE if gap else Admission.REWIND
            if admission is Admission.REWIND:
                await self._app.consumer.seek(TP(self.source, lane.partition), lane.next)
            if admission is Admission.TAKE:
                record = Record.of(message)
                self._time.see(lane.partition, record.recorded_at)
                await self._do(lane, record)

    async def _do(self, lane: Lane, record: Record) -> None:
        began = time.time_ns() - self._ahead
        effects = self.step(record, self._rows[lane.partition])
        ticket = lane.begin(record.offset)
        try:
            await self._send(lane, ticket, effects)
        except (KafkaError, ProducerSendError) as error:
            lane.fail(f"offset {record.offset} could not be sent: {error!r}")
            return
        if effects.later:
            await self._await_later(lane, ticket, effects.later)
        else:
            lane.seal(ticket)
        if effects.refused:
            self._counter.refused(effects.refused)
        else:
            self._counter.passed()
        self._tell(lane.partition, record.offset, effects, began)

    async def _await_later(self, lane: Lane, ticket: Ticket, later: Sequence[Later]) -> None:
        """Goes on while more of a record's outputs are worked out; waits only when there are too many of these."""
        task = asyncio.create_task(self._app.fatally(self._send_later(lane, ticket, later)))
        self._later.add(task)
        task.add_done_callback(self._later.discard)
        while len(self._later) >= _MOST_LATER:
            await asyncio.wait(self._later, return_when=asyncio.FIRST_COMPLETED)

    async def _send_later(self, lane: Lane, ticket: Ticket, later: Sequence[Later]) -> None:
        try:
            for each in later:
                await self._send(lane, ticket, Effects(sends=await asyncio.wrap_future(each)))
        except (KafkaError, ProducerSendError) as error:
            lane.fail(f"offset {ticket.offset} could not be sent: {error!r}")
        else:
            lane.seal(ticket)

    def _tell(self, partition: int, offset: int, effects: Effects, began_ns: int) -> None:
        times = {"began": began_ns // 1_000, "ended": time.time_ns() // 1_000}
        told = Done(
            stage=self.name, partition=partition, offset=offset, **times, letter=effects.letter, notes=effects.notes
        )
        self._app.observers.done(told)

    async def _send(self, lane: Lane, ticket: Ticket, effects: Effects) -> None:
        rows = self._rows[lane.partition]
        for put in effects.puts:
            rows.put(put.key, put.value)
            sent = await self._put(lane.partition, rows, put)
            lane.sent(ticket)
            sent.add_done_callback(partial(self._row_acked, lane, ticket, rows, put))
        for send in effects.sends:
            if not send.courtesy:
                lane.sent(ticket)
                await self._app.publisher.publish(send, partial(self._told, lane, ticket))
            elif await self._app.known.writable(send.topic, send.partition):
                lane.sent(ticket)
                await self._app.publisher.publish(send, partial(self._courtesy, lane, ticket))

    async def _put(self, partition: int, rows: PartitionRows, put: Put) -> "asyncio.Future[Any]":
        topic, headers = self.table.changelog_topic_name, naming(rows.claim)
        future: asyncio.Future[Any] = await self._app.producer.send(topic, put.key, put.value, partition, None, headers)
        return future

    def _row_acked(
        self, lane: Lane, ticket: Ticket, rows: PartitionRows, put: Put, sent: "asyncio.Future[Any]"
    ) -> None:
        if sent.cancelled() or sent.exception() is not None:
            self._told(lane, ticket, "cancelled" if sent.cancelled() else repr(sent.exception()))
        elif rows.settle(put.key, put.value, sent.result().offset):
            lane.acked(ticket)
        else:
            lane.fail(_UNKNOWN)

    def _told(self, lane: Lane, ticket: Ticket, fault: str) -> None:
        if fault:
            lane.fail(fault)
        else:
            lane.acked(ticket)

    def _courtesy(self, lane: Lane, ticket: Ticket, fault: str) -> None:
        if fault:
            log.warning("%s/%s: a reply could not be written: %s", self.name, lane.partition, fault)
        lane.acked(ticket)

    # --- partitions come and go -------------------------------------------------------------

    def waiting(self, assigned: Iterable[TP]) -> list[TP]:
        """Which of these are this stage's, have their rows restored, and have no lane yet."""
        return [
            tp
            for tp in assigned
            if tp.topic == self.source and tp.partition in self.table.rows and tp.partition not in self._lanes
        ]

    async def open(self, places: Mapping[TP, "Place"], still_mine: Callable[[], bool]) -> dict[TP, int]:
        """Prepares lanes for these partitions.

        Args:
            places: what is known of them.
            still_mine: whether nothing was revoked since that was found out.

        Returns:
            Where to read on in those that are open now.

        Raises:
            MustStop: log and rows don't fit together, and reading on cannot mend it.
        """
        async with self._turn:
            if not still_mine():
                return {}
            here = {tp: place for tp, place in places.items() if tp.partition in self.table.rows}
            lanes = {tp: lane_for(tp.topic, tp.partition, self._mark(tp), place) for tp, place in here.items()}
            for tp in lanes:
                self._rows[tp.partition] = rows = self.table.rows[tp.partition]
                self._time.begin(tp.partition, self.step.begin(tp.partition, rows.items()))
                self._unswept.discard(tp.partition)
            await self._recall(lanes)
            self._lanes.update({lane.partition: lane for lane in lanes.values()})
            return {tp: lane.next for tp, lane in lanes.items()}

    def _mark(self, tp: TP) -> int:
        raw = self.table.rows[tp.partition].get(WATERMARK)
        return -1 if raw is None else decode(raw, Watermark).offset

    async def _recall(self, lanes: Mapping[TP, Lane]) -> None:
        """Lets the step see again what it keeps in memory."""
        ends = {tp: lane.next for tp, lane in lanes.items() if self.step.looks_back}
        starts = {tp: max(0, end - self.step.looks_back) for tp, end in ends.items()}
        async for tp, records in read_to_end(self._app, starts, ends):
            for record in records:
                if record.offset < ends[tp]:
                    self.step.recall(Record.of(record))

    async def drain(self) -> None:
        """Takes nothing more in; finishes, notes and forgets what is here."""
        async with self._turn:
            lanes, self._lanes = self._lanes, {}
            self._torn.clear()
            while self._reopening:
                self._reopening.popitem()[1].cancel()
            if self._later:  # what is not worked out in time is done again by whoever takes over
                await asyncio.wait(self._later, timeout=self._app.conf.broker_session_timeout / 3)
                for task in self._later:
                    task.cancel()
            if await self._flushed() and self._app.consumer.in_touch:
                await asyncio.gather(*[self._note(lane) for lane in lanes.values()])
                await self._flushed()
            for rows in self._rows.values():
                rows.forget()
            self._rows.clear()

    async def _flushed(self) -> bool:
        """Waits for acknowledgements, but not so long that this member loses its group."""
        patience = self._app.conf.broker_session_timeout / 3
        flush = asyncio.ensure_future(self._app.producer.flush())
        published = await self._app.publisher.flushed(patience)
        await asyncio.wait([flush], timeout=patience)
        return (flush.done() or not flush.cancel()) and published

    async def tick(self) -> None:
        """Hears what was acknowledged, and sends lanes back whose outputs were refused."""
        async with self._turn:
            self._app.publisher.poll()
            for lane in list(self._lanes.values()):
                if self._rows[lane.partition].torn:
                    self._close(lane)
                elif lane.failed:
                    await self._rewind(lane)
                elif lane.missed and self._app.consumer.in_touch:
                    await self._app.consumer.seek(TP(self.source, lane.partition), lane.again())
        if self._app.consumer.in_touch:
            torn, self._torn = self._torn, set()
            for partition in torn:
                before = self._reopening.get(partition)
                self._reopening[partition] = asyncio.create_task(self._reopen(partition, before))

    def _close(self, lane: Lane) -> None:
        log.warning("%s/%s is opened anew: %s", self.name, lane.partition, _UNKNOWN)
        self._rows[lane.partition].forget()
        self.table.rows.pop(lane.partition, None)
        del self._lanes[lane.partition]
        self._torn.add(lane.partition)

    async def _reopen(self, partition: int, before: "asyncio.Task[None] | None") -> None:
        """Goes on from what the changelog says, others' rows included; one time after the other."""

        async def reopened() -> None:
            if before is not None:
                await asyncio.wait({before})
            await self.table.reopen(partition)
            with contextlib.suppress(IllegalStateError):  # given out anew meanwhile: it is opened then
                await self._app.consumer.perform_seek()

        await self._app.fatally(reopened())

    async def note(self) -> None:
        """Writes down watermarks that have moved, and what the changelog has."""
        async with self._turn:
            for lane in self._lanes.values():
                await self._note(lane)
                self._rows[lane.partition].flush()

    async def _note(self, lane: Lane) -> None:
        if lane.done <= lane.noted:
            return
        mark, rows = lane.done, self._rows[lane.partition]
        put = Put(WATERMARK, encode(Watermark(mark)))
        try:
            sent = await self._put(lane.partition, rows, put)
        except (KafkaError, ProducerSendError) as error:
            # Whoever slept finds the broker gone for a moment; an older mark only means more to be done again.
            log.warning("%s/%s is not noted down to offset %s: %r", self.name, lane.partition, mark, error)
            return
        lane.noted = mark
        sent.add_done_callback(partial(self._noted, lane, rows, put, mark))

    def _noted(self, lane: Lane, rows: PartitionRows, put: Put, mark: int, sent: "asyncio.Future[Any]") -> None:
        if sent.cancelled() or sent.exception() is not None:
            lane.noted = lane.durable
        elif rows.settle(put.key, put.value, sent.result().offset):
            lane.durable = mark
        else:
            lane.fail(_UNKNOWN)

    async def _rewind(self, lane: Lane) -> None:
        if lane.failures > _MAX_FAILURES:
            raise MustStop(
                f"{self.name}: the broker refused the outputs of offset {lane.done + 1} again and again: {lane.reason}"
            )
        rows = self._rows[lane.partition]
        rows.forget()
        offset = lane.rewind()
        if lane.partition in self._unswept:
            # INVARIANT: the rows hold all that was done up to here, and what comes behind it is taken in again.
            self.step.begin(lane.partition, rows.items())
            self._unswept.discard(lane.partition)
        log.warning("%s/%s goes back to offset %s: %s", self.name, lane.partition, offset, lane.reason)
        await self._app.consumer.seek(TP(self.source, lane.partition), offset)

    async def sweep(self) -> None:
        """Does what is due because time went by, each part once the one before is durable."""
        async with self._turn:
            for lane in [each for each in self._lanes.values() if not each.failed]:
                rows = self._rows[lane.partition]
                for before, after in self.step.overdue(lane.partition, self._now(lane), rows):
                    if not await self._swept(lane, before, after):
                        # The step takes it for done; it knows better once the lane has gone back.
                        self._unswept.add(lane.partition)
                        break

    async def _swept(self, lane: Lane, before: Effects, after: Effects) -> bool:
        """Whether all parts are durable; none is sent before the one that it rests on is."""
        if not await self._durably(lane, before):
            return False
        began = time.time_ns()
        if not await self._durably(lane, Effects(sends=after.sends)):
            return False
        self._tell(lane.partition, lane.done, after, began)
        return await self._durably(lane, Effects(puts=after.puts))

    def _now(self, lane: Lane) -> Micros:
        """The time in a partition; what was waited for while nobody worked may be in the log already."""
        end = self._app.consumer.highwater(TP(self.source, lane.partition))
        return self._time.now(lane.partition, at_end=end is not None and lane.next >= end)

    async def _durably(self, lane: Lane, effects: Effects) -> bool:
        ticket = Ticket(-1)
        try:
            await self._send(lane, ticket, effects)
        except (KafkaError, ProducerSendError) as error:
            lane.fail(f"what was overdue could not be sent: {error!r}")
            return False
        ticket.sealed = True
        while not ticket.done and not lane.failed:
            await asyncio.sleep(_ACK_POLL)
            self._app.publisher.poll()
        return not lane.failed

    def standings(self) -> Iterator[Standing]:
        """How it stands in each open partition."""
        for lane in self._lanes.values():
            rows, size = self._rows[lane.partition].store.size
            yield Standing(
                stage=self.name,
                topic=self.source,
                partition=lane.partition,
                done=lane.done + 1,
                end=self._app.consumer.highwater(TP(self.source, lane.partition)),
                rows=rows,
                size=size,
            )

    def durable(self) -> Mapping[TP, int]:
        """The offset behind the acknowledged watermark, by partition."""
        return {TP(self.source, lane.partition): lane.durable + 1 for lane in self._lanes.values()}

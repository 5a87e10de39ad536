"""The topology on one page: topics, tables, agents.

    events -> annotate -> annotated -> judge -> verdicts, audit, replies
                              ^          |
                              + redirect +-> partials -> combine -> verdicts, audit, replies

What an agent does to a record is its step (`lawful.streams.steps`); when a record's turn is, and
when it is done, is its stage's business (`lawful.streams.agents`).
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import aclosing
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import faust
from aiokafka.errors import KafkaError
from faust.types import TP

from lawful.schemas.errors import MustStop
from lawful.schemas.topics import MAX_MESSAGE_BYTES
from lawful.streams.agents import Stage
from lawful.streams.auditing import Panel
from lawful.streams.batches import batches
from lawful.streams.dead_letters import DeadLetterCounter
from lawful.streams.effects import Step
from lawful.streams.kernel import Kernel
from lawful.streams.known_topics import KnownTopics
from lawful.streams.observing import Observers
from lawful.streams.options import WorkerOptions
from lawful.streams.publisher import Publisher
from lawful.streams.reading import log_bounds, passes
from lawful.streams.second_opinion import SecondOpinion
from lawful.streams.steps import AnnotateStep, CombineStep, JudgeStep, StepDeps
from lawful.streams.tables import StateTable, StateTables, in_memory, in_rocksdb
from lawful.streams.transport import FlowControl, Transport
from lawful.streams.watermark import Place

log = logging.getLogger(__name__)

_TICK = 0.05
_AGAIN = 0.2
_NOTE_EVERY = 5
_SWEEP_EVERY = 10
"""Beats. A watermark is a record per partition and stage: noting it seldom keeps many partitions as cheap as few."""
_TELL = 1.0


class LawfulApp(faust.App):
    """A Faust app whose stages, not whose commits, say where to read on."""

    def __init__(self, options: WorkerOptions) -> None:
        super().__init__(
            options.group_id,
            broker=";".join(f"aiokafka://{address}" for address in options.bootstrap.split(",")),
            broker_credentials=options.credentials,
            ssl_context=options.ssl_context,
            consumer_group_instance_id=options.instance_id or None,
            **_SETTINGS,
            datadir=options.data_dir or Path(gettempdir()) / "lawful-faust",  # Faust wants one; it stays empty
            producer_linger=options.linger_ms / 1_000,
            broker_session_timeout=options.session_timeout_s,
            broker_heartbeat_interval=options.session_timeout_s / 5,
        )
        self.flow_control = FlowControl()
        self.options = options
        self.stages = Stages(self)
        self.known = KnownTopics(self)
        self.publisher = Publisher(options.librdkafka, options.linger_ms)
        self.may_go_on: Callable[[], bool] = lambda: True
        self.observers = Observers()
        self.reason = ""
        self.stopping = asyncio.Event()

    def _new_transport(self) -> Transport:
        return Transport(self.conf.broker_consumer, self)

    def on_init_dependencies(self) -> Iterable[Any]:
        """Leaves out Faust's statistics of every message: observers are told what was done."""
        services = super().on_init_dependencies()
        self.sensors.remove(self.monitor)
        return services

    async def must_stop(self, reason: str) -> None:
        """Has the worker stopped, and remembers the first reason why."""
        self.reason = self.reason or reason
        self.stopping.set()

    async def fatally(self, work: Awaitable[None]) -> None:
        """Awaits; whatever is raised stops the worker, since going on would pass something over."""
        try:
            await work
        except MustStop as error:
            await self.must_stop(str(error))
        except Exception as error:
            log.exception("a stage failed")
            await self.must_stop(f"a stage failed: {type(error).__name__}")

    async def on_stop(self) -> None:
        """Finishes what was begun, then stops."""
        await self.stages.close()
        await super().on_stop()


class Stages:
    """All stages, as the consumer sees them."""

    def __init__(self, app: "LawfulApp") -> None:
        self.all: list[Stage] = []
        self._app = app
        self._opening = asyncio.Lock()
        self._era = 0
        self._closed = False

    async def open(self, assigned: Iterable[TP]) -> Mapping[TP, int]:
        """Prepares the stages for partitions whose tables are restored; says where to read on in those."""
        opened: dict[TP, int] = {}
        async with self._opening:
            await self._app.fatally(self._open(list(assigned), opened))
        return opened

    async def _open(self, assigned: list[TP], opened: dict[TP, int]) -> None:
        era = self._era

        def still_mine() -> bool:
            return era == self._era and not self._closed

        while still_mine():
            try:
                await self._try_open(assigned, opened, still_mine)
            except KafkaError as error:
                if not passes(error):
                    raise
                log.warning("partitions cannot be opened yet: %r", error)
                await asyncio.sleep(_AGAIN)
            else:
                return

    async def _try_open(self, assigned: list[TP], opened: dict[TP, int], still_mine: Callable[[], bool]) -> None:
        waiting = {stage: stage.waiting(assigned) for stage in self.all}
        partitions = [tp for found in waiting.values() for tp in found]
        if not partitions:
            return
        consumer: Any = self._app.consumer  # ours (lawful.streams.transport), behind Faust's type
        bounds, committed = await log_bounds(self._app, partitions), await consumer.committed(partitions)
        for stage, found in waiting.items():
            places = {tp: Place(*bounds[tp], committed[tp]) for tp in found}
            opened |= await stage.open(places, still_mine)

    async def drain(self) -> None:
        """Finishes what was taken in, and takes nothing more.

        Whatever is being opened meanwhile is not: the partitions are given out anew, and then they are opened again.
        """
        self._era += 1
        for stage in self.all:
            stage.table.revoke()
        for stage in self.all:
            await stage.drain()
        # What is still on its way is done again by whoever has the partitions then.
        self._app.publisher.purge()

    async def close(self) -> None:
        """Finishes what was taken in; nothing is opened any more."""
        self._closed = True
        await self.drain()

    def durable(self) -> Mapping[TP, int]:
        """What to commit."""
        return {tp: offset for stage in self.all for tp, offset in stage.durable().items()}


def build(
    app: LawfulApp, kernel: Kernel, second_opinion: SecondOpinion | None = None, panel: Panel | None = None
) -> None:
    """Declares topics, tables and agents on the app.

    Args:
        app: not started yet.
        kernel: policies, extractor and pseudonyms.
        second_opinion: the other judges, for a sample of events.
        panel: auditors of the heavy tier.
    """
    topics, options = app.options.topics, app.options
    deps = StepDeps(
        kernel=kernel,
        topics=topics,
        reply_prefix=options.allowed_reply_prefix,
        recent=options.recent,
        combine_timeout=options.combine_timeout_ms * 1_000,
        second_opinion=second_opinion or SecondOpinion(0.0),
        panel=panel,
    )
    _stage(app, "annotate", topics.events, "progress", AnnotateStep(deps))
    _stage(app, "judge", topics.annotated, "history", JudgeStep(deps))
    _stage(app, "combine", topics.partials, "pending", CombineStep(deps))
    app.task(_keep_time(app))
    app.task(_keep_telling(app))


def _stage(app: LawfulApp, name: str, source: str, table_name: str, step: Step) -> None:
    """One agent on one source topic with one table beside it."""
    source_topic = app.topic(source, **_RAW, partitions=app.options.partitions)
    table = _table(app, table_name)
    stage = Stage(app, source, table=table, step=step, counter=DeadLetterCounter(name, app.options.dead_letters))
    app.stages.all.append(stage)

    async def agent(stream: Any) -> None:
        async with aclosing(batches(stream.noack().events())) as arrived:
            async for events in arrived:
                await app.fatally(stage.foresee([event.message for event in events]))
                for event in events:
                    await _permission(app)
                    await app.fatally(stage.take(event.message))

    app.agent(source_topic, name=f"lawful.{name}")(agent)


async def _permission(app: LawfulApp) -> None:
    """Waits while nothing may be decided (`audit_failure: reject`); what waits is read again if this worker goes."""
    while not (app.may_go_on() or app.should_stop):  # noqa: ASYNC110 - the answer comes from another thread
        await asyncio.sleep(_TICK)


def _table(app: LawfulApp, name: str) -> StateTable:
    options = app.options
    changelog = app.topic(
        options.topics.changelog(name),
        **_RAW,
        partitions=options.partitions,
        internal=True,
        acks=False,
        compacting=True,
    )
    table = StateTable(
        app,
        name=name,
        partitions=options.partitions,
        changelog_topic=changelog,
        open_store=in_memory if options.tables_dir is None else in_rocksdb(options.tables_dir),
    )
    app.tables.add(table)
    return table


def _keep_time(app: LawfulApp) -> Any:
    """A task that hears what was acknowledged, notes watermarks a few times a second, and finds what is overdue."""

    async def keep_time() -> None:
        beat = 0
        while not app.should_stop:
            await asyncio.sleep(_TICK)
            beat += 1
            consumer: Any = app.consumer
            if not consumer.in_touch:  # what waits would come after what the successor has sent since
                app.publisher.purge()
            for stage in app.stages.all:
                await app.fatally(stage.tick())
                if beat % _NOTE_EVERY == 0:
                    await app.fatally(stage.note())
                if beat % _SWEEP_EVERY == 0:
                    await app.fatally(stage.sweep())

    return keep_time


def _keep_telling(app: LawfulApp) -> Any:
    """A task that tells observers how it stands; of its own, so that it shows that the loop turns."""

    async def keep_telling() -> None:
        while not app.should_stop:
            app.observers.stands([standing for stage in app.stages.all for standing in stage.standings()])
            await asyncio.sleep(_TELL)

    return keep_telling


_RAW: dict[str, Any] = {
    "key_type": bytes,
    "value_type": bytes,
    "key_serializer": "raw",
    "value_serializer": "raw",
    "allow_empty": True,
}

_SETTINGS: dict[str, Any] = {
    "autodiscover": False,
    "store": "memory://",  # Faust's own stores are not used (lawful.streams.tables)
    "TableManager": StateTables,
    "key_serializer": "raw",
    "value_serializer": "raw",
    # The web server would show table contents to anyone (acceptance A27).
    "web_enabled": False,
    # Topics are made by `lawful topics`, with the right settings; a worker makes none.
    "topic_allow_declare": False,
    "topic_disable_leader": True,
    "table_standby_replicas": 0,
    # The lanes wait for what is in flight.
    "stream_wait_empty": False,
    "broker_max_poll_records": 1_000,
    # Records that wait before each stage; they may be large, so not Faust's 4,096. What does not fit waits in Kafka.
    "stream_buffer_maxsize": 64,
    "broker_commit_interval": 1.0,
    "producer_acks": -1,
    # An answer that is lost costs this long; what was sent is sent again, and is the same.
    "producer_request_timeout": 10.0,
    "producer_max_request_size": MAX_MESSAGE_BYTES,
    "consumer_max_fetch_size": MAX_MESSAGE_BYTES,
    "worker_redirect_stdouts": False,
}

"""Reading partitions beside the workers' group: from where to where one likes, with a consumer of no group."""

import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping
from typing import Any

import aiokafka
from aiokafka.errors import CommitFailedError, KafkaError, KafkaTimeoutError
from faust.exceptions import ProducerSendError
from faust.transport.drivers.aiokafka import credentials_to_aiokafka_auth, ensure_aiokafka_TP, server_list
from faust.types import TP

_BATCH = 2_000


def passes(error: Exception) -> bool:
    """Whether it may go better later: the broker is away, or this worker is out of touch with its group."""
    cause = error.__cause__ if isinstance(error, ProducerSendError) else error
    if isinstance(cause, KafkaTimeoutError | CommitFailedError):  # aiokafka does not count them among these
        return True
    return isinstance(cause, KafkaError) and bool(cause.retriable)


async def read_to_end(
    app: Any, starts: Mapping[TP, int], ends: Mapping[TP, int] | None = None
) -> AsyncGenerator[tuple[TP, list[Any]], None]:
    """Reads partitions from given offsets to where they end now, in order, in batches.

    Args:
        app: whose broker and credentials to use.
        starts: the first offset wanted, by partition.
        ends: read no further than just before these.

    Yields:
        Non-empty batches of aiokafka's records; the last one may reach behind `ends`.
    """
    if not starts:
        return
    async with _reader(app) as consumer:
        tops = {_tp(tp): end for tp, end in (await consumer.end_offsets(_kafkas(starts))).items()}
        if ends is not None and any(tops[tp] < end for tp, end in ends.items() if tp in tops):
            raise KafkaTimeoutError("a new leader does not know of all records yet")
        left = dict(tops if ends is None else {tp: ends[tp] for tp in tops})
        left = {tp: end for tp, end in left.items() if end > starts[tp]}
        consumer.assign(_kafkas(left))
        for tp in left:
            consumer.seek(tp, starts[tp])
        async for batch in _until(consumer, left):
            yield batch


async def nothing_between(app: Any, place: TP, start: int, end: int) -> bool:
    """Whether a partition has no record from one offset to just before another; not, if nobody can tell now."""
    try:
        async with contextlib.aclosing(read_to_end(app, {place: start}, {place: end})) as found:
            async for _, records in found:
                return bool(records[0].offset >= end)
    except KafkaError as error:
        if not passes(error):
            raise
        return False
    return True


async def log_bounds(app: Any, partitions: Iterable[TP]) -> dict[TP, tuple[int, int]]:
    """Where partitions begin and end: the first offset, and the one behind the last."""
    wanted = _kafkas(partitions)
    async with _reader(app) as consumer:
        begins, ends = await consumer.beginning_offsets(wanted), await consumer.end_offsets(wanted)
    return {_tp(tp): (begins[tp], ends[tp]) for tp in wanted}


@contextlib.asynccontextmanager
async def _reader(app: Any) -> AsyncIterator[Any]:
    """A plain consumer, of no group."""
    consumer = aiokafka.AIOKafkaConsumer(
        bootstrap_servers=",".join(server_list(app.transport.url, app.transport.default_port)),
        auto_offset_reset="earliest",
        enable_auto_commit=False,
        **credentials_to_aiokafka_auth(app.conf.broker_credentials, app.conf.ssl_context),
    )
    try:
        await consumer.start()
        yield consumer
    finally:
        await consumer.stop()


async def _until(consumer: Any, left: dict[TP, int]) -> AsyncIterator[tuple[TP, list[Any]]]:
    while left:
        for tp, records in (await consumer.getmany(*_kafkas(left), timeout_ms=200, max_records=_BATCH)).items():
            if records:
                yield _tp(tp), records
        # Not the last record's offset: compaction may have taken that one away.
        for tp in [tp for tp in left if await consumer.position(ensure_aiokafka_TP(tp)) >= left[tp]]:
            del left[tp]


def _kafkas(partitions: Iterable[TP]) -> list[Any]:
    return [ensure_aiokafka_TP(tp) for tp in partitions]


def _tp(tp: Any) -> TP:
    return TP(tp.topic, tp.partition)

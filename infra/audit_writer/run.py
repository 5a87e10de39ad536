"""Puts the audit writer together and runs it until SIGTERM or SIGINT."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from confluent_kafka import Consumer

from lawful.infra.audit_chain.link import Linker
from lawful.infra.audit_chain.own import chain_keys, notary
from lawful.infra.audit_writer.counters import Counters
from lawful.infra.audit_writer.limit import Limit
from lawful.infra.audit_writer.log import KafkaLog, Trouble, consumer_options
from lawful.infra.audit_writer.reader import Reader
from lawful.infra.audit_writer.store import ClickHouseStore
from lawful.infra.audit_writer.writer import OnWritten, Writer
from lawful.infra.settings import Settings
from lawful.infra.signals import on_signals
from lawful.schemas.codec import PROCESS, Codec

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Watch:
    """Who is told what a writer does.

    Attributes:
        counters: it counts here.
        on_written: told of each confirmed insert and its seconds.
        on_turn: told of every turn of the loop, and whether the writer reads.
    """

    counters: Counters = field(default_factory=Counters)
    on_written: OnWritten = lambda _batch, _seconds: None
    on_turn: Callable[[bool], None] = lambda _reads: None


def build(
    settings: Settings,
    *,
    codec: Codec | None = None,
    store: ClickHouseStore | None = None,
    watch: Watch | None = None,
) -> Writer:
    """An audit writer on Kafka and ClickHouse."""
    watch = watch or Watch()
    topics = settings.topics
    reader = Reader(topics, codec or PROCESS, Limit(settings.dead_letters))
    options = {**consumer_options(settings), "error_cb": Trouble(settings.kafka.bootstrap, time.monotonic)}
    consumer = Consumer(options, logger=logging.getLogger("lawful.kafka"))
    return Writer(
        KafkaLog(consumer, [topics.audit, topics.dead_letters]),
        store or ClickHouseStore(settings.clickhouse),
        reader,
        settings.audit,
        time.monotonic,
        linker=Linker(chain_keys(settings)),
        notary=notary(settings),
        counters=watch.counters,
        on_written=watch.on_written,
    )


def run(
    settings: Settings,
    stop: threading.Event | None = None,
    *,
    codec: Codec | None = None,
    watch: Watch | None = None,
    ready: Callable[[], None] = lambda: None,
) -> Counters:
    """Runs until told to stop; then inserts what waits and leaves.

    Args:
        settings: everything it needs.
        stop: ends it when set; SIGTERM and SIGINT do, too, when this is the main thread.
        codec: how to read records; the default needs no registry.
        watch: who is told.
        ready: called once it reads, and stops politely when it is told to.

    Raises:
        MustStop: going on would lose records, or only a person can mend it.
    """
    stop = stop or threading.Event()
    watch = watch or Watch()
    writer = build(settings, codec=codec, watch=watch)
    with on_signals(stop.set):
        ready()
        try:
            while not stop.is_set():
                writer.step()
                watch.on_turn(writer.placed)
        finally:
            writer.finish()
    logger.info("audit writer stopped: %s", writer.counters)
    return writer.counters

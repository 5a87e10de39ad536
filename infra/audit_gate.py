"""Whether workers may go on while the audit cannot be written: `audit_failure: permit | reject`.

The audit writer tells its group how far ClickHouse is. So a worker can see, from Kafka alone and
without any access to ClickHouse, that audit records wait and nobody gets on with them, whether
ClickHouse is away or the writer is. Under `reject` the gate then closes until that is over.
"""

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from confluent_kafka import Consumer, KafkaException, TopicPartition

from lawful.infra.audit_writer.log import group_id
from lawful.infra.settings import AuditFailure, Settings

logger = logging.getLogger(__name__)

Progress = Mapping[int, tuple[int, int]]
"""By partition: up to where rows are in ClickHouse, and where the topic ends."""

_SECONDS = 0.5
_TIMEOUT = 5.0


@dataclass(slots=True)
class Waiting:
    """How long each partition has been waiting without getting on."""

    done: dict[int, int] = field(default_factory=dict)
    since: dict[int, float] = field(default_factory=dict)

    def longest(self, progress: Progress, now: float) -> float:
        """Seconds that the partition which waits the longest has waited; 0 when none does."""
        for partition, (done, end) in progress.items():
            if done >= end or self.done.get(partition) != done:
                self.done[partition] = done
                self.since[partition] = now
        return max((now - since for since in self.since.values()), default=0.0)


class AuditGate:
    """Open, or closed while audit records have been waiting for too long.

    Args:
        probe: asks Kafka; `None` when it cannot be asked, which changes nothing: without Kafka
            there is nothing to hold either.
        patience: seconds that records may wait.
        clock: monotonic seconds.
    """

    def __init__(self, probe: Callable[[], Progress | None], patience: float, clock: Callable[[], float]) -> None:
        self._probe = probe
        self._patience = patience
        self._clock = clock
        self._waiting = Waiting()
        self._open = threading.Event()
        self._open.set()

    def is_open(self) -> bool:
        """Whether verdicts may be given. Costs nothing; safe from any thread."""
        return self._open.is_set()

    def look(self) -> None:
        """Asks once and opens or closes."""
        progress = self._probe()
        if progress is None:
            return
        waited = self._waiting.longest(progress, self._clock())
        if waited > self._patience and self.is_open():
            logger.error("audit records have been waiting for %.0f s: holding verdicts until they are written", waited)
            self._open.clear()
        elif waited <= self._patience and not self.is_open():
            logger.warning("audit records are being written again: verdicts go on")
            self._open.set()


@contextmanager
def watching(settings: Settings, clock: Callable[[], float]) -> Iterator[AuditGate]:
    """A gate that looks by itself, twice a second, until the context ends; always open under `permit`."""
    if settings.audit.failure is AuditFailure.PERMIT:
        yield AuditGate(lambda: None, 0, clock)
        return
    consumer = Consumer(
        {**settings.kafka.librdkafka(), "group.id": group_id(settings), "enable.auto.commit": False},
        logger=logging.getLogger("lawful.kafka"),
    )
    gate = AuditGate(lambda: _progress(consumer, settings.topics.audit), settings.audit.patience_ms / 1_000, clock)
    stop = threading.Event()

    def loop() -> None:
        while not stop.wait(_SECONDS):
            gate.look()

    thread = threading.Thread(target=loop, name="audit-gate", daemon=True)
    thread.start()
    try:
        yield gate
    finally:
        stop.set()
        thread.join()
        consumer.close()


def _progress(consumer: Consumer, topic: str) -> Progress | None:
    """Never joins the group: only asks what it has committed."""
    try:
        found = consumer.list_topics(topic, timeout=_TIMEOUT).topics[topic]
        wanted = [TopicPartition(topic, number) for number in found.partitions]
        committed = consumer.committed(wanted, timeout=_TIMEOUT) if wanted else []
        bounds = [consumer.get_watermark_offsets(each, timeout=_TIMEOUT) for each in committed]
    except KafkaException as error:
        logger.warning("cannot see how far the audit is: %s", error.args[0].name())
        return None
    return {each.partition: (max(each.offset, low), high) for each, (low, high) in zip(committed, bounds, strict=True)}

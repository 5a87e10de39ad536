"""Records on their way out of a worker, by librdkafka's producer.

A stage gives an event's records away without waiting; librdkafka partitions, batches and sends them
beside the event loop, in order, for as long as it takes. What became of them is told when the loop
asks (`poll`), so whoever counts acknowledgements needs no lock. Rows of tables do not go this way:
only Faust's producer can refuse them in the last moment (`lawful.streams.transport`).
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Final

from confluent_kafka import KafkaError, KafkaException, Producer

from lawful.schemas.topics import MAX_MESSAGE_BYTES
from lawful.streams.effects import Send

Told = Callable[[str], None]
"""Called once per record: with nothing when the broker has it, else with why it never will."""

_LOOK: Final = 0.005
_QUEUE_KILOBYTES: Final = 256 * 1_024
_SETTINGS: Final[Mapping[str, Any]] = {
    "acks": "all",
    "partitioner": "murmur2_random",  # as Java's clients do, and Faust's producer
    # One request at a time to each broker: what is sent again does not overtake what was sent.
    "max.in.flight.requests.per.connection": 1,
    # Never given up: a record that was left out would be overtaken. A stage that loses its partitions clears the queue.
    "message.timeout.ms": 0,
    "request.timeout.ms": 10_000,
    "message.max.bytes": MAX_MESSAGE_BYTES,
    "queue.buffering.max.kbytes": _QUEUE_KILOBYTES,
    "log_level": 2,
}


class Publisher:
    """Publishes records. Not for use from several threads.

    Args:
        kafka: how to reach the brokers, in librdkafka's names.
        linger_ms: how long a batch waits to be filled.
    """

    def __init__(self, kafka: Mapping[str, str], linger_ms: int) -> None:
        self._settings = {**_SETTINGS, **kafka, "linger.ms": linger_ms}

    @cached_property
    def _producer(self) -> Producer:
        """Made when it is first needed: it has threads of its own."""
        return Producer(self._settings)

    def send(self, send: Send, told: Told) -> bool:
        """Takes a record, unless too many wait already. Returns whether it did.

        Raises:
            KafkaException: it can never be sent.
        """

        def delivered(error: KafkaError | None, _: object) -> None:
            told("" if error is None else error.name())

        try:
            self._producer.produce(
                send.topic,
                None if send.tombstone else send.value,
                send.key,
                -1 if send.partition is None else send.partition,
                on_delivery=delivered,
                headers=list(send.headers),
            )
        except BufferError:
            return False
        return True

    async def publish(self, send: Send, told: Told) -> None:
        """Takes a record, as soon as there is room; what can never be sent is told like what was not."""
        try:
            while not self.send(send, told):
                self.poll()
                await asyncio.sleep(_LOOK)
        except KafkaException as error:
            told(str(error.args[0].name()))

    def poll(self) -> None:
        """Tells what has become of records by now."""
        self._producer.poll(0)

    async def flushed(self, seconds: float) -> bool:
        """Waits until nothing is on its way, but not longer than so. Returns whether nothing is."""
        until = time.monotonic() + seconds
        while len(self._producer) and time.monotonic() < until:
            self.poll()
            await asyncio.sleep(_LOOK)
        return not len(self._producer)

    def purge(self) -> None:
        """Sends nothing of what waits."""
        self._producer.purge(in_flight=False, blocking=False)
        self.poll()

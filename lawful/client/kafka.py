"""The guard's transport over Kafka: events out, verdicts back on a reply topic, reports to the audit.

Nothing connects before the first event. The replies' consumer then stands at the end of its
partition before that event goes out, so no verdict can be missed. One thread reads replies; it
also tells what became of what was sent.
"""

import contextlib
import itertools
import logging
import secrets
import threading
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from confluent_kafka import Consumer, KafkaError, KafkaException, Message, Producer, TopicPartition
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from lawful.client.clock import now
from lawful.client.outbox import Outbox
from lawful.client.reports import report_on
from lawful.client.spool import Spool
from lawful.client.waiting import Arrival, Request, WaitingRoom
from lawful.schemas.audit import AuditKind, GuardReport
from lawful.schemas.codec import Codec
from lawful.schemas.errors import LawfulError, RetryLater
from lawful.schemas.event import AgentEvent, Micros
from lawful.schemas.pseudonym import Pseudonymiser
from lawful.schemas.reply import correlation_id, request_headers
from lawful.schemas.sealed import SubjectKey
from lawful.schemas.topics import MAX_MESSAGE_BYTES, TOPICS, Topics
from lawful.schemas.verdict import Verdict
from lawful.schemas.view import ReplyTo

if TYPE_CHECKING:
    from lawful.client.sealing import Sealer

log: Final = logging.getLogger("lawful.client")

REPLY_PARTITIONS: Final = 8
_TIMEOUT: Final = 3.0
_POLL: Final = 0.1
_RETRY: Final = 0.5
_RESEND_EVERY: Final = 20
_QUIET: Final = logging.getLogger("lawful.client.librdkafka")


class KafkaTransport:
    """Publishes events to Kafka and brings their verdicts. Safe to share by threads; close it in the end.

    Args:
        kafka: broker addresses (`host:port`, separated by commas), or librdkafka's options.
        pseudonymiser: the tenant's key: events are keyed by pseudonyms.
        topics: the installation's topics.
        client: names the reply topic `<prefix>.replies.<client>`, which several processes may share.
        spool: a file of this process alone for reports that could not be sent.
        codec: how records are written; by default with the schemas that come along.
        clock: the time, in microseconds.
        sealer: seals events (`lawful.client.sealing`); by default they are published as they are.
    """

    def __init__(  # noqa: PLR0913 - all but two have defaults
        self,
        kafka: str | Mapping[str, Any],
        pseudonymiser: Pseudonymiser,
        *,
        topics: Topics = TOPICS,
        client: str = "guards",
        spool: Path | None = None,
        codec: Codec | None = None,
        clock: Callable[[], Micros] = now,
        sealer: "Sealer | None" = None,
    ) -> None:
        self._options = {"bootstrap.servers": kafka} if isinstance(kafka, str) else dict(kafka)
        self._pseudonymiser = pseudonymiser
        self._topics = topics
        self._reply_topic = topics.reply_topic(client)
        self._codec = codec or Codec()
        self._clock = clock
        self._sealer = sealer
        self._room = WaitingRoom()
        self._outbox = Outbox(Spool(spool))
        self._gate = threading.Lock()
        self._early: deque[Request] = deque()
        self._place: ReplyTo | None = None
        self._producer: Producer | None = None
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()

    @property
    def pseudonymiser(self) -> Pseudonymiser:
        """See `lawful.client.transport.Keyed`."""
        return self._pseudonymiser

    def submit(self, event: AgentEvent) -> "Future[Verdict]":
        """Publishes an event. See `lawful.client.transport.Transport`."""
        key, value = self._key(event), self._codec.encode(event)
        self._start()
        request = self._room.enter(event, self._clock())
        with self._gate:
            place = self._place
            if place is None:  # sent as soon as replies can be read
                self._early.append(request)
        if place is not None:
            self._send(request, place, key, value)
        return request.verdict

    def report(self, report: GuardReport) -> None:
        """Sends a report to the audit topic, now or when the broker is back."""
        self._outbox.add(report)
        with contextlib.suppress(RetryLater):
            self._start()
        if self._place is not None:
            self._outbox.send(self._produce_report)

    def close(self) -> None:
        """Sends what is left, keeps what cannot be sent, and ends."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        producer = self._producer
        if producer is not None and self._place is not None:
            self._outbox.send(self._produce_report)
            producer.flush(_TIMEOUT)
        self._outbox.keep()
        self._room.fail_all(RetryLater("this transport is closed"))

    # --- sending ------------------------------------------------------------------------------

    def _key(self, event: AgentEvent) -> bytes:
        principal = event.principal
        who = (
            self._pseudonymiser.of_session(event.tenant_id, event.session_id)
            if principal is None
            else self._pseudonymiser.of(event.tenant_id, principal)
        )
        return who.encode()

    def _send(self, request: Request, place: ReplyTo, key: bytes, value: bytes) -> None:
        if self._sealer is None:
            self._publish(request, place, key, value)
            return
        sealed, data_key = self._sealer.seal(request.event, value)
        packed = self._codec.encode(sealed)

        def publish(error: str | None) -> None:
            if error is None:
                self._publish(request, place, key, packed)
            else:
                self._room.fail(request, RetryLater(f"the key of the event could not be published: {error}"))

        # Whoever reads the event must find its key.
        self._sealer.once_published(data_key, self._publish_key, publish)

    def _publish_key(self, key: SubjectKey, then: Callable[[str | None], None]) -> None:
        def told(error: KafkaError | None, _: Message) -> None:
            then(None if error is None else error.name())

        try:
            self._connected().produce(self._topics.keys, self._codec.encode(key), key.key_id.encode(), on_delivery=told)
        except (BufferError, KafkaException, RetryLater) as error:
            then(_name(error))

    def _publish(self, request: Request, place: ReplyTo, key: bytes, value: bytes) -> None:
        reply = ReplyTo(place.topic, place.partition, request.correlation_id)

        def told(error: KafkaError | None, _: Message) -> None:
            if error is not None:
                self._room.fail(request, RetryLater(f"the event could not be published: {error.name()}"))

        try:
            self._connected().produce(
                self._topics.events, value, key, headers=[*request_headers(reply)], on_delivery=told
            )
        except (BufferError, KafkaException) as error:
            self._room.fail(request, RetryLater(f"the event could not be published: {_name(error)}"))

    def _produce_report(self, report: GuardReport, told: Callable[[Any, Any], None]) -> None:
        value = self._codec.encode(report)
        self._connected().produce(self._topics.audit, value, report.event_id.encode(), on_delivery=told)

    def _connected(self) -> Producer:
        if self._producer is None:
            raise RetryLater("this transport is not connected")
        return self._producer

    # --- connecting and reading ---------------------------------------------------------------

    def _start(self) -> None:
        with self._gate:
            if self._stopping.is_set():
                raise RetryLater("this transport is closed")
            if self._thread is None:
                self._outbox.load()
                self._producer = Producer({**self._options, **_PRODUCER}, logger=_QUIET)
                self._thread = threading.Thread(target=self._run, name="lawful-kafka", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        group = {"group.id": f"{self._topics.prefix}-guard-{secrets.token_hex(8)}"}
        consumer = Consumer({**self._options, **_CONSUMER, **group}, logger=_QUIET)
        try:
            self._connect(consumer)
            for turn in itertools.count(1):
                if self._stopping.is_set():
                    return
                self._read(consumer)
                if turn % _RESEND_EVERY == 0:
                    self._outbox.send(self._produce_report)
        except Exception as error:  # noqa: BLE001 - fail closed: whoever asks from now on hears of it
            log.critical("reading replies failed, there will be no more verdicts: %s", type(error).__name__)
            self._stopping.set()
            self._room.fail_all(RetryLater(f"reading replies failed: {type(error).__name__}"))
        finally:
            consumer.close()

    def _connect(self, consumer: Consumer) -> None:
        """Finds this process's place for replies, however long that takes, then sends what waited."""
        trouble = ""
        while not self._stopping.is_set():
            try:
                place = self._find_place(consumer)
            except (KafkaException, TimeoutError) as error:
                if trouble != _name(error):
                    trouble = _name(error)
                    log.warning("replies cannot be read yet, so every event is blocked: %s", trouble)
                self._outbox.keep()
                self._stopping.wait(_RETRY)
                continue
            self._open(place)
            return

    def _open(self, place: ReplyTo) -> None:
        """From now on events are sent at once; those that waited go first."""
        with self._gate:
            self._place, early = place, list(self._early)
            self._early.clear()
        for request in early:
            if not request.verdict.cancelled():  # given up: it must not happen any more
                self._send(request, place, self._key(request.event), self._codec.encode(request.event))
        self._outbox.send(self._produce_report)

    def _find_place(self, consumer: Consumer) -> ReplyTo:
        topic = self._reply_topic.name
        if not self._partitions(consumer):
            self._create_reply_topic()
        partition = TopicPartition(topic, secrets.choice(self._partitions(consumer) or [0]))
        _, partition.offset = consumer.get_watermark_offsets(partition, timeout=_TIMEOUT)
        consumer.assign([partition])
        return ReplyTo(topic, partition.partition, b"")

    def _partitions(self, consumer: Consumer) -> list[int]:
        """Those of the reply topic; none if there is no such topic yet."""
        found = consumer.list_topics(self._reply_topic.name, _TIMEOUT).topics.get(self._reply_topic.name)
        return sorted(found.partitions) if found is not None else []

    def _create_reply_topic(self) -> None:
        admin = AdminClient({**self._options, **_COMMON}, logger=_QUIET)
        name, config = self._reply_topic.name, dict(self._reply_topic.config)
        new = NewTopic(name, REPLY_PARTITIONS, -1, config=config)
        try:
            admin.create_topics([new], request_timeout=_TIMEOUT)[name].result(_TIMEOUT)
        except KafkaException as error:
            if error.args[0].code() != KafkaError.TOPIC_ALREADY_EXISTS:
                raise

    def _read(self, consumer: Consumer) -> None:
        message = consumer.poll(_POLL)
        self._connected().poll(0)
        if message is None:
            return
        error = message.error()
        if error is not None:
            log.warning("replies cannot be read: %s", error.name())
            return
        request = self._room.find(correlation_id(message.headers()) or b"")
        if request is not None:
            self._arrived(request, message.value() or b"")

    def _arrived(self, request: Request, value: bytes) -> None:
        try:
            verdict = self._codec.decode(value, Verdict)
        except LawfulError as error:
            self._room.fail(request, error)
            return
        match self._room.answer(request, verdict):
            case Arrival.LATE:
                self._late(request)
            case Arrival.MISMATCH:
                log.error("a reply is about another event than the one it answers; it is not credited")
            case Arrival.TAKEN | Arrival.UNKNOWN:
                pass
        if self._sealer is not None:
            self._sealer.learn(request.event, verdict)

    def _late(self, request: Request) -> None:
        at = self._clock()
        waited_ms = (at - request.asked_at) // 1_000
        log.warning("a verdict came %d ms after it was asked for, too late; it is credited to nobody", waited_ms)
        self.report(report_on(request.event, AuditKind.LATE_VERDICT, "after_deadline", at, waited_ms))


_COMMON: Final = {
    "log_level": 3,
    "log.connection.close": False,
    "reconnect.backoff.max.ms": 1_000,
    "allow.auto.create.topics": False,
}
_PRODUCER: Final = {
    **_COMMON,
    # As Faust's partitioner: all that concerns one subject has to be in one partition.
    "partitioner": "murmur2_random",
    "acks": "all",
    "linger.ms": 0,
    "message.timeout.ms": 30_000,
    "message.max.bytes": MAX_MESSAGE_BYTES,
}
_CONSUMER: Final = {
    **_COMMON,
    "enable.auto.commit": False,
    "enable.auto.offset.store": False,
    "auto.offset.reset": "latest",
    "fetch.message.max.bytes": MAX_MESSAGE_BYTES,
}


def _name(error: Exception) -> str:
    """What went wrong, in the broker's words, without content."""
    first = error.args[0] if error.args else None
    return first.name() if isinstance(first, KafkaError) else type(error).__name__

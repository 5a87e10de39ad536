"""A steady stream of events into an installation, and what has come of it so far.

At most a few hundred events are unanswered at any time, so that what is published keeps pace with what
is decided, and the time from a fault to its end is not the time that a heap of work takes.
"""

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition

from lawful.infra.chaos.place import Place
from lawful.infra.clickhouse.client import Timeouts, connect
from lawful.schemas.codec import encode
from lawful.schemas.errors import MustStop
from lawful.schemas.event import AgentEvent, UserMessage
from lawful.schemas.topics import MAX_MESSAGE_BYTES

WINDOW = 400
PATIENCE = 180.0
_AUDIT_EVERY = 0.3
_READ = {
    "enable.auto.commit": False,
    "auto.offset.reset": "earliest",
    "reconnect.backoff.max.ms": 500,
    "fetch.wait.max.ms": 20,
    "log_level": 0,
}
_WRITE = {
    "partitioner": "murmur2_random",
    "acks": "all",
    "linger.ms": 5,
    "message.timeout.ms": 300_000,
    "message.max.bytes": MAX_MESSAGE_BYTES,
    "reconnect.backoff.max.ms": 500,
    "log_level": 0,
}


@dataclass(slots=True)
class Pace:
    """How fast events are published.

    Attributes:
        window: at most so many are unanswered.
        rate: at most so many a second, if it is not 0; from the moment it is set.
    """

    window: int = WINDOW
    rate: float = 0.0
    _since: float = 0.0
    _before: int = 0

    def hold(self, rate: float, sent: int) -> None:
        """From now on, so many a second; so many were sent before."""
        self.rate, self._since, self._before = rate, time.monotonic(), sent

    def allows(self, sent: int, answered: int) -> bool:
        """Whether one more may go."""
        due = self.rate == 0 or sent - self._before < self.rate * (time.monotonic() - self._since)
        return due and sent - answered < self.window


class Flow:
    """Publishes events and follows their verdicts.

    Attributes:
        pace: how fast events are published.
        counts_audit: whether to look how many are in the audit.
        poison: records published that are no events, for which dead letters are due.
        padding: bytes of text that every event gets instead of its own.

    Args:
        place: the installation.
        events: what to publish.
        total: how many different events these are.
        told: called now and then with the number of answered events.
    """

    def __init__(
        self, place: Place, events: Iterable[AgentEvent], total: int, told: Callable[[int], None] = lambda _: None
    ) -> None:
        self._place = place
        self._told = told
        self._settings = place.settings()
        self._events = iter(events)
        self._people = self._settings.pseudonymiser()
        options = self._settings.kafka.librdkafka()
        self._producer = Producer({**options, **_WRITE})
        self._verdicts = Consumer({**options, **_READ, "group.id": f"{place.name}-chaos"})
        topic = self._settings.topics.verdicts
        self._verdicts.assign([TopicPartition(topic, number, 0) for number in range(place.partitions)])
        self.total = total
        self.pace = Pace()
        self.sent: set[str] = set()
        self.answered: set[str] = set()
        self.audited = 0
        self.poison = 0
        self.letters = 0
        self.counts_audit = True
        self.padding = 0
        self.exhausted = False
        self.failed = 0
        self._client: Any = None
        self._look_at = 0.0

    # --- what faults wait for -----------------------------------------------------------------

    def reach(self, share: float) -> None:
        """Goes on until so large a share of the events is answered."""
        self.until(lambda: len(self.answered) >= share * self.total, f"{share:.0%} of the verdicts")

    def run_for(self, seconds: float) -> None:
        """Goes on for so long."""
        end = time.monotonic() + seconds
        self.until(lambda: time.monotonic() >= end, "time to go by")

    def recover(self) -> float:
        """Goes on until all that is published by now is answered and in the audit; gives the seconds that took."""
        began, due = time.monotonic(), set(self.sent)
        self.until(lambda: due <= self.answered, "verdicts on what was published")
        self.until(lambda: self.audited >= len(due), "audit rows of what was published")
        return time.monotonic() - began

    def finish(self) -> bool:
        """Publishes the rest, waits for all of it; gives whether all of it came."""
        with suppress(MustStop):
            self.until(lambda: self.exhausted and self.answered >= self.sent, "all verdicts")
            self.until(lambda: self.audited >= len(self.sent) and self.letters >= self.poison, "all audit rows")
            return True
        return False

    def until(self, reached: Callable[[], bool], what: str) -> None:
        """Publishes and reads until something is reached.

        Raises:
            MustStop: nothing moves any more.
        """
        moved, progress = time.monotonic(), self._progress()
        while not reached():
            self._pump()
            if self._progress() != progress:
                moved, progress = time.monotonic(), self._progress()
            if time.monotonic() - moved > PATIENCE:
                raise MustStop(f"waited {PATIENCE:.0f} s for {what}; {self._so_far()}\n{self._place.tail()}")

    def while_doing(self, work: Callable[[], object]) -> None:
        """Goes on while something is done on another thread."""
        doing = self._place.in_background(work)
        self.until(doing.done, "a process to start or stop")
        doing.result()

    @staticmethod
    def clock() -> float:
        """Seconds that never run backwards."""
        return time.monotonic()

    def _progress(self) -> tuple[int, ...]:
        return len(self.sent), len(self.answered), self.audited, self.letters

    def _so_far(self) -> str:
        return f"{len(self.sent)} published, {len(self.answered)} answered, {self.audited} audited"

    # --- what goes on meanwhile -----------------------------------------------------------------

    def _pump(self) -> None:
        self._publish()
        for message in self._verdicts.consume(1_000, 0.02):
            if message.error() is None:
                self.answered.add((message.key() or b"").decode())
        self._told(len(self.answered))
        if self.counts_audit and time.monotonic() >= self._look_at:
            self._look()

    def _publish(self) -> None:
        while not self.exhausted and self.pace.allows(len(self.sent), len(self.answered)):
            event = next(self._events, None)
            if event is None:
                self.exhausted = True
                break
            self.put(self._settings.topics.events, self._key(event), encode(self._padded(event)))
            self.sent.add(event.event_id)
        self._producer.poll(0)

    def _padded(self, event: AgentEvent) -> AgentEvent:
        """The event with a text of a certain size, where events are to be large."""
        return replace(event, payload=UserMessage("lorem " * (self.padding // 6))) if self.padding else event

    def put(self, topic: str, key: bytes, value: bytes) -> None:
        """Publishes any record."""
        while True:
            try:
                self._producer.produce(topic, value, key, on_delivery=self._delivered)
            except BufferError:
                self._producer.poll(0.05)
            else:
                return

    def _delivered(self, error: object, _: object) -> None:
        self.failed += error is not None

    def _key(self, event: AgentEvent) -> bytes:
        who = event.principal
        named = self._people.of(event.tenant_id, who) if who else None
        return (named or self._people.of_session(event.tenant_id, event.session_id)).encode()

    def _look(self) -> None:
        try:
            if self._client is None:
                self._client = connect(self._settings.clickhouse, timeouts=Timeouts(connect=1, request=5, query=4))
            query = "SELECT (SELECT uniqExact(event_id) FROM audit WHERE kind = 'verdict'), count() FROM dead_letters"
            self.audited, self.letters = map(int, self._client.query(query).result_rows[0])
        except Exception:  # noqa: BLE001 - it may be away: that is the fault
            self._client = None
        self._look_at = time.monotonic() + _AUDIT_EVERY

    def close(self) -> None:
        """Lets go of broker and ClickHouse."""
        with suppress(KafkaException):
            self._producer.flush(5)
        self._verdicts.close()
        if self._client is not None:
            self._client.close()

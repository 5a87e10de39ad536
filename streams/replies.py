"""Where a verdict is awaited: reading the headers that say so, and answering there.

Our own header names and Spring Kafka's are understood. A reply topic has to begin with an allowed
prefix, so that an event cannot make a worker write wherever its sender likes.
"""

from dataclasses import dataclass

from lawful.schemas.view import ReplyTo
from lawful.streams.effects import Headers

REPLY_TOPIC = "reply_topic"
REPLY_PARTITION = "reply_partition"
CORRELATION_ID = "correlation_id"

_TOPIC = (REPLY_TOPIC, "kafka_replyTopic")
_PARTITION = (REPLY_PARTITION, "kafka_replyPartition")
_CORRELATION = (CORRELATION_ID, "kafka_correlationId")
_SPRING_CORRELATION = "kafka_correlationId"
_INT = 4


@dataclass(frozen=True, slots=True)
class Replies:
    """Reads and writes reply headers.

    Args:
        prefix: what a reply topic's name must begin with; an empty one allows none.
    """

    prefix: str

    def read(self, headers: Headers) -> ReplyTo | None:
        """Where the sender waits; `None` if it does not say, or names a topic that is not allowed."""
        found = dict(headers)
        topic = _first(found, _TOPIC)
        name = topic.decode("utf-8", "replace") if topic else ""
        if not name or not self.prefix or not name.startswith(self.prefix):
            return None
        return ReplyTo(name, _number(_first(found, _PARTITION)), _first(found, _CORRELATION) or b"")

    def headers(self, reply_to: ReplyTo) -> Headers:
        """The headers of an answer: the correlation id, under both names."""
        return ((CORRELATION_ID, reply_to.correlation_id), (_SPRING_CORRELATION, reply_to.correlation_id))

    def forwarded(self, reply_to: ReplyTo | None) -> Headers:
        """Headers by which a later stage can answer even if it cannot read the record."""
        if reply_to is None:
            return ()
        partition = () if reply_to.partition is None else ((REPLY_PARTITION, str(reply_to.partition).encode()),)
        return ((REPLY_TOPIC, reply_to.topic.encode()), *partition, (CORRELATION_ID, reply_to.correlation_id))


def _first(headers: dict[str, bytes], names: tuple[str, ...]) -> bytes | None:
    return next((headers[name] for name in names if headers.get(name)), None)


def _number(raw: bytes | None) -> int | None:
    """A partition: decimal digits (ours), or a big-endian int (Spring's)."""
    if raw is None:
        return None
    if raw.isdigit():
        return int(raw)
    return int.from_bytes(raw, "big") if len(raw) == _INT else None

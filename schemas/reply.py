"""Where a verdict goes: the headers by which a request names its reply topic, and the answer's.

Our own names, and those of Spring Kafka's `ReplyingKafkaTemplate`, which NestJS uses too: Spring
writes the partition as four bytes, big-endian; others as decimal text.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias, cast

from lawful.schemas.errors import ConfigurationError, MustBlock
from lawful.schemas.view import ReplyTo

REPLY_TOPIC: Final = "reply_topic"
REPLY_PARTITION: Final = "reply_partition"
CORRELATION_ID: Final = "correlation_id"
SPRING_REPLY_TOPIC: Final = "kafka_replyTopic"
SPRING_REPLY_PARTITION: Final = "kafka_replyPartition"
SPRING_CORRELATION_ID: Final = "kafka_correlationId"

Headers: TypeAlias = Mapping[str, bytes | str | None] | Iterable[tuple[str, bytes | str | None]] | None
"""Headers as confluent-kafka, aiokafka and Faust give them."""

_TOPIC: Final = re.compile(r"[a-zA-Z0-9._-]{1,249}")
_SPRING_BYTES: Final = 4
_MAX_PARTITION: Final = 1_000_000
_MAX_CORRELATION_ID: Final = 1024


def reply_to(headers: Headers, allowed_prefix: str) -> ReplyTo | None:
    """Where the verdict on a record is awaited; `None` if its headers name no reply topic.

    Args:
        headers: the record's headers.
        allowed_prefix: what the reply topic's name has to start with.

    Raises:
        MustBlock: the topic is outside of the prefix, or a header cannot be read. The message
            never quotes a header.
        ConfigurationError: the prefix is empty, which would let any event write anywhere.
    """
    if not allowed_prefix:
        raise ConfigurationError("the allowed prefix of reply topics is empty", hint="use one like 'lawful.replies.'")
    found = _as_dict(headers)
    topic = _first(found, REPLY_TOPIC, SPRING_REPLY_TOPIC)
    if topic is None:
        return None
    return ReplyTo(
        topic=_topic(topic, allowed_prefix),
        partition=_partition(_first(found, REPLY_PARTITION, SPRING_REPLY_PARTITION)),
        correlation_id=_correlation_id(_first(found, CORRELATION_ID, SPRING_CORRELATION_ID)),
    )


def request_headers(reply: ReplyTo) -> list[tuple[str, bytes]]:
    """The headers with which a client asks for the verdict at `reply`."""
    partition = [] if reply.partition is None else [(REPLY_PARTITION, str(reply.partition).encode())]
    return [(REPLY_TOPIC, reply.topic.encode()), *partition, (CORRELATION_ID, reply.correlation_id)]


def reply_headers(reply: ReplyTo) -> list[tuple[str, bytes]]:
    """The headers of the verdict's record: the correlation id, under both names."""
    return [(CORRELATION_ID, reply.correlation_id), (SPRING_CORRELATION_ID, reply.correlation_id)]


def correlation_id(headers: Headers) -> bytes | None:
    """The correlation id of a verdict's record, or of a request's."""
    return _first(_as_dict(headers), CORRELATION_ID, SPRING_CORRELATION_ID)


def _as_dict(headers: Headers) -> dict[str, bytes]:
    pairs = cast(
        "Iterable[tuple[str, bytes | str | None]]", headers.items() if isinstance(headers, Mapping) else headers
    )
    return {
        name: value.encode() if isinstance(value, str) else value for name, value in pairs or () if value is not None
    }


def _first(headers: dict[str, bytes], *names: str) -> bytes | None:
    return next((headers[name] for name in names if name in headers), None)


def _topic(raw: bytes, allowed_prefix: str) -> str:
    topic = raw.decode("ascii", errors="replace")
    if not _TOPIC.fullmatch(topic):
        raise MustBlock("the reply topic in the headers is no valid topic name")
    if not topic.startswith(allowed_prefix) or topic == allowed_prefix:
        raise MustBlock(f"the reply topic in the headers does not start with the allowed prefix {allowed_prefix!r}")
    return topic


def _partition(raw: bytes | None) -> int | None:
    if raw is None or not raw:
        return None
    # Four ASCII digits read as a big-endian number would be far above any partition: no clash.
    if raw.isdigit():
        number = int(raw[:10])
    elif len(raw) == _SPRING_BYTES:
        number = int.from_bytes(raw, "big", signed=True)
    else:
        raise MustBlock("the reply partition in the headers is neither four bytes nor decimal text")
    if not 0 <= number < _MAX_PARTITION:
        raise MustBlock("the reply partition in the headers is no partition number")
    return number


def _correlation_id(raw: bytes | None) -> bytes:
    if raw is not None and len(raw) > _MAX_CORRELATION_ID:
        raise MustBlock(f"the correlation id in the headers is longer than {_MAX_CORRELATION_ID} bytes")
    return raw or b""

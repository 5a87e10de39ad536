"""Where a verdict goes, as headers say it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.schemas.errors import ConfigurationError, MustBlock
from lawful.schemas.reply import correlation_id, reply_headers, reply_to, request_headers
from lawful.schemas.view import ReplyTo

PREFIX = "lawful.replies."
TOPIC = PREFIX + "guard-1"


def test_a_record_without_headers_asks_for_no_reply() -> None:
    """Its verdict goes to the verdicts topic."""
    assert reply_to(None, PREFIX) is None
    assert reply_to([("other", b"x"), ("reply_topic", None)], PREFIX) is None


def test_our_own_headers_are_understood() -> None:
    """Topic, partition as decimal text, and correlation id."""
    headers = [("reply_topic", TOPIC.encode()), ("reply_partition", b"12"), ("correlation_id", b"\x00\xff")]
    assert reply_to(headers, PREFIX) == ReplyTo(TOPIC, 12, b"\x00\xff")
    assert reply_to(dict(headers), PREFIX) == ReplyTo(TOPIC, 12, b"\x00\xff")


def test_spring_kafkas_headers_are_understood() -> None:
    """Spring writes the partition as four bytes, big-endian."""
    headers = {
        "kafka_replyTopic": TOPIC.encode(),
        "kafka_replyPartition": b"\x00\x00\x01\x02",
        "kafka_correlationId": b"c",
    }
    assert reply_to(headers, PREFIX) == ReplyTo(TOPIC, 258, b"c")


def test_four_decimal_digits_are_text() -> None:
    """They are never taken for Spring's four bytes."""
    assert reply_to({"reply_topic": TOPIC.encode(), "reply_partition": b"1234"}, PREFIX) == ReplyTo(TOPIC, 1234, b"")


@given(
    partition=st.none() | st.integers(0, 999_999),
    client=st.text("abcXYZ019._-", min_size=1, max_size=40),
    correlation=st.binary(max_size=64),
)
def test_what_is_asked_is_what_is_understood(partition: int | None, client: str, correlation: bytes) -> None:
    """reply_to(request_headers(r)) == r, and the answer carries the correlation id."""
    reply = ReplyTo(PREFIX + client, partition, correlation)
    assert reply_to(request_headers(reply), PREFIX) == reply
    assert correlation_id(reply_headers(reply)) == correlation
    assert dict(reply_headers(reply))["kafka_correlationId"] == correlation


@pytest.mark.parametrize(
    ("headers", "reason"),
    [
        ({"reply_topic": b"lawful.audit"}, "allowed prefix"),
        ({"reply_topic": PREFIX.encode()}, "allowed prefix"),
        ({"reply_topic": b"lawful.replies.a/b"}, "no valid topic name"),
        ({"reply_topic": b"lawful.replies.\xff"}, "no valid topic name"),
        ({"reply_topic": b""}, "no valid topic name"),
        ({"reply_topic": (PREFIX + "x" * 250).encode()}, "no valid topic name"),
        ({"reply_topic": TOPIC, "reply_partition": b"one"}, "neither four bytes nor decimal text"),
        ({"reply_topic": TOPIC, "reply_partition": b"\xff\xff\xff\xff"}, "no partition number"),
        ({"reply_topic": TOPIC, "reply_partition": b"9" * 5000}, "no partition number"),
        ({"reply_topic": TOPIC, "correlation_id": b"x" * 1025}, "longer than 1024 bytes"),
    ],
)
def test_headers_that_cannot_be_trusted_block(headers: dict[str, bytes | str | None], reason: str) -> None:
    """An event cannot make a worker write elsewhere, and no header is quoted."""
    with pytest.raises(MustBlock, match=reason) as caught:
        reply_to(headers, PREFIX)
    assert "audit" not in str(caught.value)


def test_an_empty_prefix_is_a_mistake_in_the_settings() -> None:
    """It would allow every topic."""
    with pytest.raises(ConfigurationError, match="empty"):
        reply_to({"reply_topic": TOPIC}, "")

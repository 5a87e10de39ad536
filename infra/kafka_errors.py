"""Kafka's errors as this product's errors: what passes by itself, and what only a person can mend."""

# ruff: noqa: SLF001 - codes that librdkafka gives itself, not the broker, begin with an underscore
from collections.abc import Iterator
from contextlib import contextmanager

from confluent_kafka import KafkaError, KafkaException

from lawful.schemas.errors import ConfigurationError, RetryLater

PASSING = {
    KafkaError._ALL_BROKERS_DOWN,
    KafkaError._TRANSPORT,
    KafkaError._TIMED_OUT,
    KafkaError._RESOLVE,
    KafkaError._WAIT_COORD,
    KafkaError.REQUEST_TIMED_OUT,
    KafkaError.LEADER_NOT_AVAILABLE,
    KafkaError.NOT_CONTROLLER,
    KafkaError.COORDINATOR_LOAD_IN_PROGRESS,
    KafkaError.COORDINATOR_NOT_AVAILABLE,
    KafkaError.NOT_COORDINATOR,
    KafkaError.THROTTLING_QUOTA_EXCEEDED,
}
HINTS = {
    KafkaError.INVALID_REPLICATION_FACTOR: "set replication to at most the number of brokers",
    KafkaError.TOPIC_AUTHORIZATION_FAILED: "give this user the right on the topic",
    KafkaError.CLUSTER_AUTHORIZATION_FAILED: "give this user the right to create topics, or create them as another",
    KafkaError._AUTHENTICATION: "check kafka.sasl_* and kafka.ssl_*",
    KafkaError.SASL_AUTHENTICATION_FAILED: "check kafka.sasl_username and kafka.sasl_password",
    KafkaError._SSL: "check kafka.ssl_*",
    KafkaError.POLICY_VIOLATION: "the cluster has a policy for topics; ask those who run it",
    KafkaError.INVALID_CONFIG: "this broker does not know a topic setting we need",
}


def kafka_error(error: KafkaException) -> KafkaError:
    """What is inside the exception."""
    inside = error.args[0]
    return inside if isinstance(inside, KafkaError) else KafkaError(KafkaError._FAIL, str(inside))


def exists_already(error: KafkaException) -> bool:
    """Whether a topic was not created because it is there."""
    return kafka_error(error).code() == KafkaError.TOPIC_ALREADY_EXISTS


@contextmanager
def mapped(what: str) -> Iterator[None]:
    """Turns Kafka's errors into ours; `what` says what was being done.

    Raises:
        RetryLater: the same may succeed later.
        ConfigurationError: it will not, until somebody mends it.
    """
    try:
        yield
    except KafkaException as raised:
        error = kafka_error(raised)
        message = f"Kafka, {what}: {error.name()}: {error.str()}"
        if error.code() in PASSING or error.retriable():
            raise RetryLater(message) from None
        raise ConfigurationError(message, hint=HINTS.get(error.code(), "")) from None

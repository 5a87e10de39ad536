"""What `lawful doctor` looks at in Kafka besides the topics' settings: copies, and what waits for whom."""

from collections.abc import Iterator, Mapping

from confluent_kafka import Consumer, TopicPartition

from lawful.infra.audit_writer.log import group_id
from lawful.infra.findings import Finding, State
from lawful.infra.gateway.kafka import group_id as gateway_group
from lawful.infra.kafka_admin import admin
from lawful.infra.kafka_errors import mapped
from lawful.infra.settings import KafkaSettings, Settings

_TIMEOUT = 10.0
_ENOUGH_BROKERS = 3
_MANY = 10_000


def copies(settings: Settings) -> Finding:
    """Whether every partition has the copies that the settings ask for, all in step.

    Raises:
        LawfulError: Kafka cannot be asked.
    """
    with mapped("listing topics"):
        found = admin(settings.kafka).list_topics(timeout=_TIMEOUT)
    ours = [found.topics[topic.name] for topic in settings.topics.all() if topic.name in found.topics]
    partitions = [partition for topic in ours for partition in topic.partitions.values()]
    fewest = min((len(partition.replicas) for partition in partitions), default=0)
    behind = sum(len(partition.isrs) < len(partition.replicas) for partition in partitions)
    words = f"brokers: {len(found.brokers)}; copies of each partition: {fewest} or more"
    if partitions and fewest < settings.replication:
        hint = f"LAWFUL_REPLICATION asks for {settings.replication}: kafka-reassign-partitions.sh adds copies"
        return Finding("copies", State.WRONG, words, hint)
    if behind:
        return Finding(
            "copies", State.NOTE, f"{words}; {behind} partitions have copies behind", "look after the brokers"
        )
    if fewest < _ENOUGH_BROKERS:
        return Finding("copies", State.NOTE, words, "a lost disk is lost data: three brokers, LAWFUL_REPLICATION=3")
    return Finding("copies", State.FINE, words)


def progress(settings: Settings) -> Iterator[Finding]:
    """What waits for workers and for the audit writer.

    Raises:
        LawfulError: Kafka cannot be asked.
    """
    topics = settings.topics
    with mapped("listing topics"):
        there = admin(settings.kafka).list_topics(timeout=_TIMEOUT).topics
    for what, group, names, start in (
        ("workers", topics.app_id, (topics.events, topics.annotated, topics.partials), "lawful worker"),
        ("audit writer", group_id(settings), (topics.audit,), "lawful audit-writer"),
        ("gateway", gateway_group(settings), (topics.outbox,), "lawful gateway"),
    ):
        if topics.outbox in names and topics.outbox not in there:
            continue  # an installation without a gateway
        waiting = lags(settings.kafka, group, names)
        total = sum(waiting.values())
        words = ", ".join(f"{count} wait in {name}" for name, count in waiting.items() if count) or "nothing waits"
        hint = f"is one running (`{start}`)? Are there enough? docs/runbook.md" if total > _MANY else ""
        yield Finding(what, State.NOTE if total > _MANY else State.FINE, words, hint)


def lags(kafka: KafkaSettings, group: str, topics: tuple[str, ...]) -> Mapping[str, int]:
    """Records that a group has not dealt with, by topic. Joins nothing, changes nothing.

    Raises:
        LawfulError: Kafka cannot be asked.
    """
    consumer = Consumer({**kafka.librdkafka(), "group.id": group, "enable.auto.commit": False, "log_level": 0})
    try:
        with mapped("reading how far the work is"):
            return {topic: _lag(consumer, topic) for topic in topics}
    finally:
        consumer.close()


def _lag(consumer: Consumer, topic: str) -> int:
    found = consumer.list_topics(topic, timeout=_TIMEOUT).topics[topic]
    if found.error is not None or not found.partitions:
        return 0
    committed = consumer.committed([TopicPartition(topic, number) for number in found.partitions], timeout=_TIMEOUT)
    waiting = 0
    for each in committed:
        low, high = consumer.get_watermark_offsets(each, timeout=_TIMEOUT)
        waiting += high - max(low, each.offset)
    return waiting

"""What the pipeline relies on from a broker, and the traits by which brokers differ.

The same tests run on the embedded broker and on Apache Kafka. Where the two differ, the test asks the
broker's traits what to expect and proves that: so a trait that is wrong fails here.
"""

import subprocess
import sys
import time
from collections.abc import Iterator
from json import loads
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import KafkaException, Producer, TopicPartition

from lawful.infra.engines.leave_group import leave_group
from lawful.infra.engines.traits import Broker
from tests.contracts.log import Log, collect
from tests.engines import eventually, on_every_broker

pytestmark = [pytest.mark.service, on_every_broker]

SESSION_SECONDS = 6.0  # the shortest that all brokers here accept

MEMBER = """
import sys
from confluent_kafka import Consumer
bootstrap, topic, group, instance = sys.argv[1:]
consumer = Consumer({
    "bootstrap.servers": bootstrap, "group.id": group, "group.instance.id": instance, "log_level": 0,
    "session.timeout.ms": 6000, "heartbeat.interval.ms": 300,
})
def say(consumer, partitions):
    print(*sorted(p.partition for p in partitions), flush=True)
consumer.subscribe([topic], on_assign=say)
while True:
    consumer.poll(0.1)
"""


@pytest.fixture
def log(broker: Broker) -> Log:
    """The shared broker's log."""
    return Log(broker.bootstrap)


def test_offsets_count_up_without_gaps_per_partition(log: Log, prefix: str) -> None:
    """The n-th message of a partition has offset n, and the end is one behind the last."""
    topic = log.create(prefix, 2)
    assert log.send(topic, b"a", b"b", partition=0) == [("", 0), ("", 1)]
    assert log.send(topic, b"c", partition=0) == [("", 2)]
    assert log.send(topic, b"d", partition=1) == [("", 0)]
    assert [message.offset() for message in log.read(topic, 3)] == [0, 1, 2]
    assert (log.begin(topic), log.end(topic), log.end(topic, 1)) == (0, 3, 1)


def test_a_topic_has_the_partitions_it_was_created_with(log: Log, prefix: str) -> None:
    """Partition counts and settings are kept as asked, and a second creation is refused."""
    topic = log.create(prefix, 7, cleanup_policy="compact", retention_ms=-1)
    assert len(log.admin.list_topics(topic, timeout=5).topics[topic].partitions) == 7
    assert log.config(topic)["cleanup.policy"] == "compact"
    assert log.config(topic)["retention.ms"] == "-1"
    with pytest.raises(KafkaException, match="TOPIC_ALREADY_EXISTS"):
        log.create(topic, 7)


def test_one_key_goes_to_one_partition_in_order(log: Log, prefix: str) -> None:
    """What concerns one key stays in one order."""
    topic = log.create(prefix, 4)
    values = [str(number).encode() for number in range(20)]
    log.send(topic, *values, key=b"subject")
    ends = [log.end(topic, partition) for partition in range(4)]
    assert sorted(ends) == [0, 0, 0, 20]
    assert [message.value() for message in log.read(topic, 20, partition=ends.index(20))] == values


def test_keys_headers_and_tombstones_arrive_as_sent(log: Log, prefix: str) -> None:
    """Repeated, empty and absent header values, and a message without a value, are kept apart."""
    topic = log.create(prefix)
    headers = [("reply", b"one"), ("reply", b"two"), ("nothing", None), ("empty", b"")]
    log.send(topic, None, b"value", key=b"key", headers=headers)
    for message, value in zip(log.read(topic, 2), (None, b"value"), strict=True):
        assert (message.key(), message.value(), message.headers()) == (b"key", value, headers)


def test_a_megabyte_passes_and_more_than_the_limit_does_not(log: Log, prefix: str) -> None:
    """`max.message.bytes` is the limit, upwards and downwards."""
    large = log.create(f"{prefix}.large", max_message_bytes=5_000_000)
    small = log.create(f"{prefix}.small", max_message_bytes=2_000)
    assert log.send(large, b"x" * 1_000_000, b"x" * 4_000_000) == [("", 0), ("", 1)]
    assert [len(message.value() or b"") for message in log.read(large, 2)] == [1_000_000, 4_000_000]
    assert log.send(small, b"x" * 3_000)[0][0] == "MSG_SIZE_TOO_LARGE"


def test_the_broker_s_clock_is_used_where_asked_for(log: Log, prefix: str) -> None:
    """LogAppendTime ignores the producer's clock; CreateTime keeps it."""
    told = 1_000_000
    append = log.create(f"{prefix}.append", message_timestamp_type="LogAppendTime")
    # A record of 1970 would be old enough to be deleted.
    create = log.create(f"{prefix}.create", message_timestamp_type="CreateTime", retention_ms=-1)
    before = time.time() * 1000
    for topic in (append, create):
        log.send(topic, b"x", timestamp=told)
    (appended,), (created,) = log.read(append, 1), log.read(create, 1)
    assert abs(appended.timestamp()[1] - before) < 60_000
    assert created.timestamp()[1] == told


def test_append_time_never_runs_backwards(log: Log, prefix: str) -> None:
    """Later offsets have the same time or a later one."""
    topic = log.create(prefix, message_timestamp_type="LogAppendTime")
    for number in range(10):
        log.send(topic, b"x", b"y", timestamp=1_000_000 - number)
    times = [message.timestamp()[1] for message in log.read(topic, 20)]
    assert len(times) == 20
    assert times == sorted(times)


def test_a_group_goes_on_where_it_committed(log: Log, prefix: str) -> None:
    """Committed offsets outlive the consumer."""
    topic = log.create(prefix)
    log.send(topic, b"a", b"b", b"c")
    with log.consumer(prefix) as consumer:
        consumer.subscribe([topic])
        assert [message.value() for message in collect(consumer, 3)] == [b"a", b"b", b"c"]
        consumer.commit(offsets=[TopicPartition(topic, 0, 2)], asynchronous=False)
    with log.consumer(prefix) as consumer:
        consumer.subscribe([topic])
        assert [message.value() for message in collect(consumer, 1)] == [b"c"]


def test_aborted_transactions_are_not_seen(log: Log, prefix: str) -> None:
    """A reader of committed messages sees a transaction whole or not at all."""
    topic = log.create(prefix)
    producer = Producer({**log.client, "transactional.id": prefix})
    producer.init_transactions(20)
    for value, finish in ((b"aborted", producer.abort_transaction), (b"kept", producer.commit_transaction)):
        producer.begin_transaction()
        producer.produce(topic, value)
        producer.flush(20)
        finish(20)
    assert [message.value() for message in log.read(topic, 1)] == [b"kept"]


def test_an_idle_consumer_sleeps(broker: Broker, log: Log, prefix: str) -> None:
    """A fetch without data is held back for as long as the consumer allows, and data ends the wait at once."""
    assert broker.traits.waits_on_empty_fetch
    topic = log.create(prefix, 4)
    told: list[dict[str, Any]] = []
    options = {
        "fetch.wait.max.ms": 500,
        "statistics.interval.ms": 300,
        "stats_cb": lambda text: told.append(loads(text)),
    }
    with log.consumer(prefix, **options) as consumer:
        consumer.assign([TopicPartition(topic, partition, 0) for partition in range(4)])
        eventually(lambda: consumer.poll(0.1) or _fetches(told[:1]))
        first = len(told)
        eventually(lambda: consumer.poll(0.1) or len(told) > first + 3)
        # a broker that does not wait is asked some thousand times in these 0.9 seconds
        assert _fetches(told[-1:]) - _fetches(told[first - 1 : first]) < 10
        log.send(topic, b"x", partition=3)
        assert [message.value() for message in collect(consumer, 1)] == [b"x"]


def _fetches(statistics: list[dict[str, Any]]) -> int:
    """How often a consumer has asked for data, by its own count."""
    return sum(broker["req"].get("Fetch", 0) for each in statistics for broker in each["brokers"].values())


def test_retention_removes_what_is_old(broker: Broker, log: Log, prefix: str) -> None:
    """Records past `retention.ms` go, oldest first, and offsets stay as they were."""
    assert broker.traits.applies_retention
    topic = log.create(prefix, retention_ms=100, segment_ms=100, file_delete_delay_ms=100)
    log.send(topic, b"old", b"older")
    eventually(lambda: log.send(topic, b"new")[0][1] > 2 and log.begin(topic) >= 2, pause=0.2, seconds=30)


def test_compaction_is_as_the_traits_say(broker: Broker, log: Log, prefix: str) -> None:
    """A broker that compacts drops superseded records; one that does not keeps them all."""
    topic = log.create(
        prefix, cleanup_policy="compact", segment_ms=100, min_cleanable_dirty_ratio=0.01, max_compaction_lag_ms=100
    )
    for number in range(5):
        log.send(topic, str(number).encode(), key=b"row")
    if not broker.traits.compacts:
        assert len(log.read(topic, 5)) == 5
        return

    def superseded_are_gone() -> bool:
        log.send(topic, b"other", key=b"other")  # a new record closes the segment that holds the old ones
        return log.read(topic, 1)[0].value() == b"4"

    eventually(superseded_are_gone, pause=0.3, seconds=40)


def test_topics_appear_on_use_as_the_traits_say(broker: Broker, log: Log, prefix: str) -> None:
    """Writing to a topic that is not there creates it, or fails."""
    producer = Producer({**log.client, "message.timeout.ms": 2_500, "topic.metadata.propagation.max.ms": 1_000})
    written: list[bool] = []
    producer.produce(prefix, b"x", on_delivery=lambda error, _: written.append(error is None))
    producer.flush(20)
    assert written == [broker.traits.creates_topics_on_use]


class Group:
    """Static members of a group on a topic of four partitions, each a process that says what it is given."""

    def __init__(self, log: Log, topic: str, folder: Path) -> None:
        self.log, self.topic, self.folder = log, log.create(topic, 4), folder
        self.members: dict[str, subprocess.Popen[bytes]] = {}

    def join(self, instance: str) -> None:
        """Starts a member."""
        arguments = [str(self.log.client["bootstrap.servers"]), self.topic, self.topic, instance]
        with (self.folder / instance).open("wb") as said:
            self.members[instance] = subprocess.Popen([sys.executable, "-c", MEMBER, *arguments], stdout=said)

    def join_both(self) -> None:
        """Members one and two, settled with two partitions each."""
        self.join("one")
        assert self.gets("one") == [0, 1, 2, 3]
        self.join("two")
        eventually(lambda: self.sizes() == {"one": 2, "two": 2})
        eventually(lambda: len(self.gets("one")) == len(self.gets("two")) == 2)

    def gets(self, instance: str) -> list[int]:
        """The partitions that a member was given last, once it was given any."""
        lines = eventually((self.folder / instance).read_text).splitlines()
        return [int(number) for number in lines[-1].split()]

    def kill(self, instance: str) -> None:
        """Kills a member -9."""
        member = self.members.pop(instance)
        member.kill()
        member.wait()

    def sizes(self) -> dict[str | None, int]:
        """How many partitions the broker says each member has."""
        (answer,) = self.log.admin.describe_consumer_groups([self.topic]).values()
        return {m.group_instance_id: len(m.assignment.topic_partitions) for m in answer.result().members}


@pytest.fixture
def group(log: Log, prefix: str, tmp_path: Path) -> Iterator[Group]:
    """A group without members."""
    mine = Group(log, prefix, tmp_path)
    yield mine
    for instance in list(mine.members):
        mine.kill(instance)


def test_a_killed_static_member_comes_back_to_its_partitions(group: Group) -> None:
    """A restart under the same id takes over at once; the other member keeps what it has."""
    group.join_both()
    mine = group.gets("two")
    group.kill("two")
    group.join("two")
    assert group.gets("two") == mine


def test_a_goodbye_for_a_dead_member_frees_its_partitions(broker: Broker, group: Group) -> None:
    """After `leave_group` the other member has all partitions; a second goodbye finds nobody."""
    group.join_both()
    group.kill("two")
    assert leave_group(broker.bootstrap, group.topic, "two")
    eventually(lambda: group.sizes() == {"one": 4})
    assert not leave_group(broker.bootstrap, group.topic, "two")


def test_a_dead_member_expires_as_the_traits_say(broker: Broker, group: Group) -> None:
    """Its partitions go to the other after the session timeout, or stay with the dead."""
    group.join_both()
    group.kill("two")
    if broker.traits.expires_dead_members:
        eventually(lambda: group.sizes() == {"one": 4}, seconds=30)
        return
    with pytest.raises(AssertionError, match="not within"):
        eventually(lambda: group.sizes() != {"one": 2, "two": 2}, seconds=SESSION_SECONDS + 1.5, pause=0.2)

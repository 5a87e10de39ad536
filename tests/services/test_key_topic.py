"""The key topic on a broker that compacts: a destroyed key is gone for good, and what it sealed stops nobody."""

from collections.abc import Callable
from typing import Any

import pytest
from confluent_kafka import TopicPartition

from lawful.infra.engines.traits import Broker
from lawful.infra.keyring import KafkaKeyring
from lawful.infra.settings import KafkaSettings
from lawful.schemas.codec import decode, encode
from lawful.schemas.event import UserMessage
from lawful.schemas.sealed import Erased, SealedEvent, SubjectKey
from lawful.schemas.sealing import Sealing
from lawful.schemas.topics import TOPICS, Topics
from lawful.schemas.verdict import Decision, Outcome
from lawful.schemas.view import View
from lawful.streams.effects import Effects
from lawful.streams.opening import Opener
from tests.contracts.log import Log
from tests.engines import eventually
from tests.streams.kit import ADA, BOB, pseudonym
from tests.streams.test_opening import ERASE, NOW, SECRET, Topic, World

# The topic's own settings, but with closed segments, dirty enough, and tombstones let go of, at once.
QUICK = {
    "segment.ms": 100,
    "min.cleanable.dirty.ratio": 0.01,
    "max.compaction.lag.ms": 100,
    "delete.retention.ms": 100,
    "file.delete.delay.ms": 100,
}


class KeyTopic(Topic):
    """The topic of keys on a broker, with the ring of a worker that reads it."""

    def __init__(self, log: Log, name: str, ring: KafkaKeyring) -> None:
        super().__init__()
        self.log, self.name, self.ring = log, name, ring

    def publish(self, key: SubjectKey, then: object) -> None:
        """As a guard does."""
        super().publish(key, then)
        assert self.log.send(self.name, encode(key), key=key.key_id.encode())[0][0] == ""

    def find(self, key_id: str) -> SubjectKey | None:
        """As a worker does."""
        return self.ring.find(key_id)


class OnBroker(World):
    """Guard and stages whose topic of keys is a real one."""

    def apply(self, effects: Effects) -> None:
        """Tombstones go to the broker as well."""
        super().apply(effects)
        assert isinstance(self.topic, KeyTopic)
        for send in effects.sends:
            if send.topic == TOPICS.keys:
                self.topic.log.send(self.topic.name, None, key=send.key)


def held(log: Log, topic: str) -> set[bytes]:
    """The keys of all records that the topic still has."""
    found, end, place = set[bytes](), log.end(topic), TopicPartition(topic, 0, 0)
    with log.consumer(f"{topic}-held") as consumer:
        consumer.assign([place])
        while consumer.position([place])[0].offset < end:
            found |= {bytes(message.key() or b"") for message in consumer.consume(100, 0.1)}
    return found


@pytest.mark.kafka
@pytest.mark.timeout(240)
def test_a_destroyed_key_is_gone_after_compaction_and_what_it_sealed_stops_nobody(broker: Broker, prefix: str) -> None:
    """A04: neither key nor tombstone is left in log or files; the sealed event reads as erased, others as before."""
    log = Log(broker.bootstrap)
    own = next(topic for topic in Topics(prefix).all() if topic.name == Topics(prefix).keys)
    config: dict[str, Any] = {**own.config, **QUICK}
    name = log.create(own.name, **config)

    def ring() -> KafkaKeyring:
        return KafkaKeyring(KafkaSettings(bootstrap=broker.bootstrap), name, now=lambda: NOW)

    topic = KeyTopic(log, name, ring())
    world = OnBroker(topic)
    hers, his = (world.publish(UserMessage("hello"), who) for who in (ADA, BOB))
    assert [verdict.decision for each in (hers, his) for verdict in world.take(each)] == [Decision.FORWARD] * 2
    mine, other = (decode(each.value or b"", SealedEvent).key_id.encode() for each in (hers, his))
    assert {mine, other} <= held(log, name)
    assert not gone(log, broker, name, mine)()
    assert world.asked(ERASE, ADA).outcome is Outcome.ERASED
    eventually(gone(log, broker, name, mine), pause=0.2, seconds=120)
    assert other in held(log, name)
    topic.ring.close()
    topic.ring = ring()  # a worker that starts now has never seen the key
    sealed = decode(hers.value or b"", SealedEvent)
    assert Opener(topic, Sealing(SECRET)).open(sealed, NOW) == Erased(sealed)
    (send,) = world.annotate(hers, world.rows).sends
    view = decode(send.value, View)
    assert (send.topic, view.subject, view.status_reason) == (TOPICS.annotated, pseudonym(ADA), "payload_erased")
    known = dict(world.rows)
    assert (world.take(hers), world.rows) == ([], known)  # nobody is answered twice, nothing is known anew
    assert world.asked(UserMessage("hello"), BOB).decision is Decision.FORWARD
    topic.ring.close()


def gone(log: Log, broker: Broker, topic: str, key: bytes) -> Callable[[], bool]:
    """Whether neither the topic nor, where they can be read, its files hold anything of the key any more."""
    folder = broker.data_dir / "data" / f"{topic}-0"

    def probe() -> bool:
        log.send(topic, b"", key=b"later")  # whatever comes closes the segment that holds what came before
        try:
            files = [path.read_bytes() for path in folder.glob("*.log*")]
        except FileNotFoundError:
            return False  # renamed or deleted meanwhile: look again
        return key not in held(log, topic) and not any(key in each for each in files)

    return probe

"""The ring of keys holds what is still needed, however long it runs."""

from types import SimpleNamespace

import pytest

from lawful.infra import keyring
from lawful.infra.keyring import KafkaKeyring
from lawful.infra.settings import KafkaSettings
from lawful.schemas.codec import encode
from lawful.schemas.sealed import HOUR, NEEDED_FOR, SubjectKey, key_id

DAY = 24 * HOUR
PEOPLE = 5


class Record:
    """A record of the topic."""

    def __init__(self, name: str, value: bytes | None) -> None:
        self._name, self._value = name, value

    def error(self) -> None:
        """None."""

    def key(self) -> bytes:
        """The key's name."""
        return self._name.encode()

    def value(self) -> bytes | None:
        """The key; nothing destroys it."""
        return self._value


class Topic:
    """A topic of one partition and its reader."""

    def __init__(self) -> None:
        self.records: list[Record] = []
        self.read = 0

    def list_topics(self, topic: str, _timeout: float) -> SimpleNamespace:
        """One partition."""
        return SimpleNamespace(topics={topic: SimpleNamespace(error=None, partitions={0: None})})

    def assign(self, _places: object) -> None:
        """From the beginning."""

    def get_watermark_offsets(self, _place: object, _timeout: float) -> tuple[int, int]:
        """All of it."""
        return 0, len(self.records)

    def consume(self, _most: int, _timeout: float) -> list[Record]:
        """What is new."""
        news, self.read = self.records[self.read :], len(self.records)
        return news

    def position(self, _places: object) -> list[SimpleNamespace]:
        """Behind what was read."""
        return [SimpleNamespace(partition=0, offset=self.read)]

    def publish(self, day: int, person: int) -> str:
        """A key made on a day."""
        made = f"{day * DAY // 1_000:012x}"
        name = key_id(f"{person:064x}", f"{made[:8]}-{made[8:]}-7000-8000-{person:012x}")
        key = SubjectKey(key_id=name, tenant_id="acme", nonce=b"n" * 12, wrapped=b"w" * 48)
        self.records.append(Record(name, encode(key)))
        return name


@pytest.fixture
def topic(monkeypatch: pytest.MonkeyPatch) -> Topic:
    """In the place of a broker."""
    made = Topic()
    monkeypatch.setattr(keyring, "Consumer", lambda _config: made)
    return made


def test_keys_that_no_payload_needs_any_more_are_let_go_of(topic: Topic) -> None:
    """Without a tombstone, which most never get: after months the ring holds as much as after two weeks."""
    now, held = [0], []
    ring = KafkaKeyring(KafkaSettings(), "keys", now=lambda: now[0])
    for day in range(1_000, 1_060):
        now[0] = day * DAY
        names = [topic.publish(day, person) for person in range(PEOPLE)]
        assert ring.find("unknown") is None
        assert all(ring.find(name) is not None for name in names)
        held.append(len(ring))
    assert held[14] == held[-1] <= PEOPLE * (NEEDED_FOR // DAY + 2)


def test_a_key_stays_as_long_as_it_is_needed_unless_it_is_destroyed(topic: Topic) -> None:
    """To the last hour; a destroyed one is gone at once, and its name bothers nobody later."""
    now = [1_000 * DAY]
    ring = KafkaKeyring(KafkaSettings(), "keys", now=lambda: now[0])
    kept, destroyed = topic.publish(1_000, 1), topic.publish(1_000, 2)
    assert ring.find(destroyed) is not None
    topic.records.append(Record(destroyed, None))
    now[0] += NEEDED_FOR
    assert ring.find("unknown") is None
    assert (ring.find(kept) is not None, ring.find(destroyed)) == (True, None)
    now[0] += 2 * HOUR
    assert (ring.find("unknown"), ring.find(kept), len(ring)) == (None, None, 0)

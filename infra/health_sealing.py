"""What `lawful doctor` looks at in sealing: whether guards and workers have the same payload key, and use it.

The doctor runs with one process's settings and can't see another's. What it can see is what guards
left behind: the keys on the key topic open under the payload key that wrapped them and no other,
and the newest events are sealed or they are not.
"""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from lawful.infra.erasure.logs import Logs
from lawful.infra.findings import Finding, State
from lawful.infra.settings import Settings
from lawful.schemas.codec import decode, decode_either
from lawful.schemas.errors import InvalidRecord, MustBlock
from lawful.schemas.event import AgentEvent
from lawful.schemas.sealed import SealedEvent, SubjectKey
from lawful.schemas.sealing import Sealing

NEWEST: Final = 200
"""So many records of each partition are looked at."""

_WHAT: Final = "payload key"
_ONE_KEY: Final = "one key for all: stop guards, let workers finish, then set LAWFUL_PAYLOAD_KEY_FILE everywhere"
_GUARDS: Final = "pip install 'lawful[sealing]' and LAWFUL_PAYLOAD_KEY_FILE for every guard and gateway"


@dataclass(frozen=True, slots=True)
class Wrapped:
    """Keys of people among the newest records, and how many of them the payload key unwraps.

    Attributes:
        foreign_at: when the newest one was published that it does not.
    """

    keys: int = 0
    opened: int = 0
    foreign_at: datetime | None = None


def payload_key(settings: Settings) -> Finding:
    """Whether this payload key is the guards', and guards use it.

    Raises:
        LawfulError: Kafka cannot be asked, or the key is too short.
    """
    sealing = Sealing(settings.payload_key) if settings.payload_key else None
    with closing(Logs(settings.kafka)) as logs:
        wrapped = _wrapped(logs, settings.topics.keys, sealing)
        sealed, plain = _events(logs, settings.topics.events)
    if sealing is None:
        return _without(wrapped, sealed)
    if wrapped.opened < wrapped.keys:
        foreign = wrapped.keys - wrapped.opened
        words = f"does not open {foreign} of the newest {wrapped.keys} keys of people; the last came {_time(wrapped)}"
        return Finding(_WHAT, State.WRONG, words, _ONE_KEY)
    if plain:
        words = f"{plain} of the newest {plain + sealed} events are not sealed: some guard has no payload key"
        return Finding(_WHAT, State.NOTE, words, _GUARDS)
    opens = f"opens all of the newest {wrapped.keys} keys of people" if wrapped.keys else "set; no guard has sealed yet"
    return Finding(_WHAT, State.FINE, opens)


def _without(wrapped: Wrapped, sealed: int) -> Finding:
    if wrapped.keys or sealed:
        words = "none here, but guards seal: a worker that is set like this blocks their events"
        return Finding(_WHAT, State.WRONG, words, "set LAWFUL_PAYLOAD_KEY_FILE, the guards' own, for every worker")
    words = "none: what agents publish can be read in Kafka until its time is over"
    return Finding(_WHAT, State.FINE, words)


def _wrapped(logs: Logs, topic: str, sealing: Sealing | None) -> Wrapped:
    there = {message.key(): message for message in logs.read(topic, last=NEWEST)}  # a tombstone stands for its key
    keys, opened, foreign = 0, 0, 0
    for message in there.values():
        key = _key(message.value())
        if key is None:
            continue
        keys += 1
        if sealing is not None and _opens(sealing, key):
            opened += 1
        else:
            foreign = max(foreign, message.timestamp()[1])
    return Wrapped(keys, opened, datetime.fromtimestamp(foreign / 1_000, UTC) if foreign else None)


def _key(value: bytes | None) -> SubjectKey | None:
    try:
        return decode(value, SubjectKey) if value else None
    except InvalidRecord:
        return None  # it opens nothing, for workers as for us


def _opens(sealing: Sealing, key: SubjectKey) -> bool:
    try:
        sealing.unwrap(key)
    except MustBlock:
        return False
    return True


def _events(logs: Logs, topic: str) -> tuple[int, int]:
    """How many of the newest events are sealed, and how many are not; what is no event counts as neither."""
    kinds = list(_kinds(logs, topic))
    return sum(kinds), len(kinds) - sum(kinds)


def _kinds(logs: Logs, topic: str) -> Iterator[bool]:
    for message in logs.read(topic, last=NEWEST):
        try:
            yield isinstance(decode_either(message.value() or b"", AgentEvent, SealedEvent), SealedEvent)
        except InvalidRecord:
            continue


def _time(wrapped: Wrapped) -> str:
    return "" if wrapped.foreign_at is None else f"{wrapped.foreign_at:%Y-%m-%d %H:%M} UTC"

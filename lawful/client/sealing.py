"""Events that leave this process encrypted, each under a key of the person whom it concerns.

Optional, and the only part of the client that needs `cryptography` (extra `sealing`). The guard
makes keys itself and asks nobody for one: every process has its own for a person, for a day.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from lawful.client.clock import now
from lawful.schemas.digest import digest_of
from lawful.schemas.envelope import holds_identifier
from lawful.schemas.event import AgentEvent, Identifier, Micros
from lawful.schemas.ids import uuid7
from lawful.schemas.pseudonym import Pseudonymiser
from lawful.schemas.sealed import ROTATE_AFTER, SealedEvent, SubjectKey, key_id
from lawful.schemas.sealing import Sealing
from lawful.schemas.verdict import Outcome, Predicate, Verdict

Then = Callable[[str | None], None]
"""Called with what went wrong, or with `None` once a key is published."""

MOST: Final = 10_000
"""Keys that are kept; whoever was heard of longest ago gets a new one next time."""

_ERASED: Final = (Outcome.ERASED, Outcome.ALREADY_ERASED)


@dataclass(slots=True)
class DataKey:
    """A person's key in this process.

    Attributes:
        record: as it is published.
        published: the broker has it.
        waiting: what is to happen then.
    """

    record: SubjectKey
    secret: bytes = field(repr=False)
    made_at: Micros
    published: bool = False
    waiting: list[Then] = field(default_factory=list)


class Sealer:
    """Seals events. Safe to share by threads.

    Args:
        secret: the installation's payload key, as the workers have it.
        pseudonymiser: the tenants' keys.
        clock: the time, in microseconds.
        new_id: makes the unique part of a key's id: a UUIDv7.
        most: keys that are kept.
    """

    def __init__(
        self,
        secret: bytes,
        pseudonymiser: Pseudonymiser,
        *,
        clock: Callable[[], Micros] = now,
        new_id: Callable[[], str] = uuid7,
        most: int = MOST,
    ) -> None:
        self._sealing = Sealing(secret)
        self._pseudonymiser = pseudonymiser
        self._clock = clock
        self._new_id = new_id
        self._most = most
        self._lock = threading.RLock()
        self._keys: OrderedDict[tuple[str, str], DataKey] = OrderedDict()

    def seal(self, event: AgentEvent, encoded: bytes) -> tuple[SealedEvent, DataKey]:
        """The sealed event, and the key that must be published before it."""
        subject = self._subject(event)
        key = self._key(event.tenant_id, subject or self._session(event))
        envelope = SealedEvent(
            event_id=self._clean(event),
            occurred_at=event.occurred_at,
            tenant_id=event.tenant_id,
            kind=event.kind,
            subject=subject,
            digest=digest_of(event, self._pseudonymiser),
            key_id=key.record.key_id,
            nonce=b"",
            ciphertext=b"",
        )
        return self._sealing.seal(key.secret, encoded, envelope), key

    def once_published(self, key: DataKey, publish: Callable[[SubjectKey, Then], None], then: Then) -> None:
        """Does something as soon as a key is published, in the order of these calls; publishes it if need be."""
        with self._lock:
            if key.published:
                then(None)
                return
            key.waiting.append(then)
            if len(key.waiting) == 1:
                publish(key.record, lambda error: self._told(key, error))

    def learn(self, event: AgentEvent, verdict: Verdict) -> None:
        """Lets go of a person's key where it is destroyed, or about to be."""
        if verdict.outcome in _ERASED or any(each.rule == Predicate.ERASURE.value for each in verdict.violations):
            with self._lock:
                self._keys.pop((event.tenant_id, self._subject(event) or self._session(event)), None)

    def _told(self, key: DataKey, error: str | None) -> None:
        with self._lock:
            key.published = error is None
            waiting, key.waiting = key.waiting, []
            for then in waiting:
                then(error)

    def _key(self, tenant: str, whose: str) -> DataKey:
        with self._lock:
            key, at = self._keys.get((tenant, whose)), self._clock()
            if key is None or not 0 <= at - key.made_at < ROTATE_AFTER:
                secret = self._sealing.new_key()
                record = self._sealing.wrap(secret, key_id(whose, self._new_id()), tenant)
                key = self._keys[tenant, whose] = DataKey(record, secret, at)
                if len(self._keys) > self._most:
                    self._keys.popitem(last=False)
            self._keys.move_to_end((tenant, whose))
            return key

    def _subject(self, event: AgentEvent) -> str | None:
        return None if event.principal is None else self._pseudonymiser.of(event.tenant_id, event.principal)

    def _session(self, event: AgentEvent) -> str:
        return self._pseudonymiser.of_session(event.tenant_id, event.session_id)

    def _clean(self, event: AgentEvent) -> str:
        """The event's id, or a pseudonym of it if it may identify somebody."""
        if not holds_identifier(event.event_id, [each.value for each in event.subjects]):
            return event.event_id
        return self._pseudonymiser.of(event.tenant_id, Identifier("envelope", event.event_id))

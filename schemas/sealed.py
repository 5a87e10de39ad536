"""An event that only whoever holds its subject's key can read, and that key.

Sealing is an option of the guard. What an agent published lies in `lawful.events` encrypted under
a key of its own person; the keys lie in a topic of their own, wrapped by the installation's. An
erasure destroys the person's keys, and whatever was sealed with them is gone at that moment,
wherever a copy of the log may be.
"""

import re
from dataclasses import dataclass, field
from typing import Final

from lawful.schemas.event import Micros, PayloadKind

HOUR: Final[Micros] = 3_600_000_000

ROTATE_AFTER: Final[Micros] = 24 * HOUR
"""A guard makes a new key for a person after this time."""

NOT_USED_AFTER: Final[Micros] = 3 * ROTATE_AFTER
"""An event sealed with a key older than this is refused, so that old keys can be let go of."""

NEEDED_FOR: Final[Micros] = 11 * 24 * HOUR
"""No payload that is still there was sealed with a key older than this: three days of use, and a week in a topic."""

_KEY_ID: Final = re.compile(r"[0-9a-f]{64}/([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedEvent:
    """An event of which only the envelope can be read. Nothing in it identifies a person in clear.

    Attributes:
        event_id: the event's; a pseudonym of it where it would identify a person.
        subject: the principal's pseudonym as the guard knows it; `None` if the event names nobody.
        digest: keyed digest of the payload, as in the audit.
        key_id: which key opens it.
        ciphertext: the encoded event, AES-256-GCM; all other fields are authenticated with it.
    """

    event_id: str
    occurred_at: Micros
    tenant_id: str
    kind: PayloadKind
    subject: str | None
    digest: str
    key_id: str
    nonce: bytes = field(repr=False)
    ciphertext: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectKey:
    """A person's key, wrapped by the installation's. On `lawful.keys` under its id; a tombstone destroys it.

    Attributes:
        wrapped: the key, AES-256-GCM, bound to id and tenant.
    """

    key_id: str
    tenant_id: str
    nonce: bytes = field(repr=False)
    wrapped: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Erased:
    """What a sealed event is once its key is destroyed: it happened, and nobody can say any more what."""

    sealed: SealedEvent


def key_id(pseudonym: str, unique: str) -> str:
    """The id of a key: whose it is, and a UUIDv7, which says when it was made."""
    return f"{pseudonym}/{unique}"


def made_at(name: str) -> Micros | None:
    """When a key was made; `None` if this is no id of a key."""
    found = _KEY_ID.fullmatch(name)
    return int(found[1] + found[2], 16) * 1_000 if found else None


def used_in_time(name: str, recorded_at: Micros) -> bool:
    """Whether an event of this time may have been sealed with the key; clocks may be a day apart."""
    made = made_at(name)
    return made is not None and made - 24 * HOUR <= recorded_at <= made + NOT_USED_AFTER


def still_needed(name: str, now: Micros) -> bool:
    """Whether a payload that was sealed with the key may still be in a topic."""
    made = made_at(name)
    return made is not None and now <= made + NEEDED_FOR

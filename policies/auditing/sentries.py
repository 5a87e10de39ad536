"""Who looks first: drawn by a keyed hash, unknown to everybody without the key, checkable with it.

Before a key is used, its commitment is in the audit. Once the key is given away, anybody can draw
again for every event and see that the sentries were those that had to be. RFC 9381's functions would
show it at once and without giving anything away; no maintained library of them was found (decision 0038).
"""

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from typing import Final

LEAST_KEY: Final = 32
_COMMIT: Final = b"lawful sentries: commitment 1"
_DRAW: Final = b"lawful sentries: draw 1"


def commitment(key: bytes, terms: str) -> str:
    """What is published before a key is used: binds to the key and the terms, tells nothing of the key.

    Args:
        key: at least 32 random bytes.
        terms: see `terms_of`.
    """
    return hashlib.sha256(_joined((_COMMIT, key, terms.encode()))).hexdigest()


def terms_of(pool: Iterable[str], count: int) -> str:
    """How many are drawn, and of whom, as published beside the commitment."""
    return f"{count} of {','.join(sorted(pool))}"


def read_terms(terms: str) -> tuple[tuple[str, ...], int]:
    """The pool and the number of sentries.

    Raises:
        ValueError: these are no terms.
    """
    count, _, names = terms.partition(" of ")
    return tuple(names.split(",")), int(count)


def draw(key: bytes, tenant: str, event_id: str, pool: Sequence[str], count: int) -> tuple[str, ...]:
    """The sentries of one event, sorted: every set of them is as likely as any other.

    Args:
        key: whoever has not got it cannot tell the result from chance.
        tenant: whose event.
        event_id: which event; all of its views have the same sentries.
        pool: names of all auditors, in any order.
        count: how many are drawn.
    """
    keyed = hmac.new(key, _joined((_DRAW, tenant.encode(), event_id.encode())), hashlib.sha256)
    return tuple(sorted(sorted(set(pool), key=lambda name: _lot(keyed, name))[:count]))


def _lot(keyed: hmac.HMAC, name: str) -> bytes:
    own = keyed.copy()
    own.update(name.encode())
    return own.digest()


def _joined(parts: Iterable[bytes]) -> bytes:
    """Length-prefixed, so that no two lists have the same bytes."""
    return b"".join(len(part).to_bytes(8, "big") + part for part in parts)

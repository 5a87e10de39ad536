"""What was found in a text before: agents repeat themselves, and a conversation is sent again and again.

Keyed by a keyed digest, so that a dump of memory holds no table of texts; bounded by entries.
"""

import secrets
import threading
from collections import OrderedDict
from hashlib import blake2b

from lawful.extractors.candidate import Candidate, Recogniser, Surroundings
from lawful.extractors.fields import Field


class Cached:
    """A recogniser that remembers. Only for one whose hits depend on text, names of fields and tenant alone.

    Args:
        inner: the recogniser.
        entries: how many texts to remember.
    """

    def __init__(self, inner: Recogniser, entries: int = 4_096) -> None:
        self._inner = inner
        self._entries = entries
        self._known: OrderedDict[bytes, tuple[Candidate, ...]] = OrderedDict()
        self._lock = threading.Lock()
        self._secret = secrets.token_bytes(32)

    @property
    def name(self) -> str:
        """The inner recogniser's."""
        return self._inner.name

    def find(self, field: Field, around: Surroundings) -> list[Candidate]:
        """The inner recogniser's hits, from memory where there are some."""
        key = self._key(field, around)
        with self._lock:
            known = self._known.get(key)
            if known is not None:
                self._known.move_to_end(key)
                return list(known)
        found = self._inner.find(field, around)  # what raises is not remembered
        with self._lock:
            self._known[key] = tuple(found)
            while len(self._known) > self._entries:
                self._known.popitem(last=False)
        return found

    def _key(self, field: Field, around: Surroundings) -> bytes:
        parts = (
            around.event.tenant_id,
            *field.keys[-2:],
            f"{field.is_key:d}{field.is_string:d}{field.is_json:d}",
            field.text,
        )
        digest = blake2b(key=self._secret, digest_size=32)
        for part in parts:
            raw = part.encode(errors="surrogatepass")
            digest.update(len(raw).to_bytes(8, "big") + raw)
        digest.update(len(parts).to_bytes(1, "big"))
        return digest.digest()

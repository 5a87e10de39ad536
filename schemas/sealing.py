"""Sealing events and wrapping keys: AES-256-GCM, by `cryptography` (extra `sealing`).

Every ciphertext is bound to all that is said around it, so nothing can be moved to another event,
person or tenant. Nonces are random; a key seals far fewer than 2**32 events in the day it lives
(NIST SP 800-38D, section 8.3).
"""

import os
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from lawful.schemas.errors import ConfigurationError, MustBlock
from lawful.schemas.sealed import SealedEvent, SubjectKey

_NONCE: Final = 12
_KEY: Final = 32
_LEAST: Final = 32


class Sealing:
    """Seals and opens under an installation's key.

    Args:
        secret: the installation's, at least 32 bytes of any kind.
        random: so many random bytes.

    Raises:
        ConfigurationError: the secret is too short.
    """

    def __init__(self, secret: bytes, *, random: Callable[[int], bytes] = os.urandom) -> None:
        if len(secret) < _LEAST:
            raise ConfigurationError(f"the payload key is shorter than {_LEAST} bytes", hint="make one by a generator")
        self._wrapping = AESGCM(HKDF(SHA256(), _KEY, salt=None, info=b"lawful: keys of payloads").derive(secret))
        self._random = random

    def new_key(self) -> bytes:
        """A key for one person."""
        return self._random(_KEY)

    def wrap(self, key: bytes, key_id: str, tenant_id: str) -> SubjectKey:
        """The key as it may be published."""
        nonce = self._random(_NONCE)
        wrapped = self._wrapping.encrypt(nonce, key, _bound(key_id, tenant_id))
        return SubjectKey(key_id=key_id, tenant_id=tenant_id, nonce=nonce, wrapped=wrapped)

    def unwrap(self, key: SubjectKey) -> bytes:
        """The key itself.

        Raises:
            MustBlock: it was wrapped under another secret, or changed.
        """
        try:
            return self._wrapping.decrypt(key.nonce, key.wrapped, _bound(key.key_id, key.tenant_id))
        except InvalidTag:
            raise MustBlock(
                "a person's key cannot be unwrapped: guards and workers have different payload keys"
            ) from None

    def seal(self, key: bytes, event: bytes, envelope: SealedEvent) -> SealedEvent:
        """The sealed event.

        Args:
            key: of `envelope.key_id`.
            event: the encoded event.
            envelope: all else that is said of it; its nonce and ciphertext are filled in.
        """
        nonce = self._random(_NONCE)
        ciphertext = AESGCM(key).encrypt(nonce, event, _around(envelope))
        return replace(envelope, nonce=nonce, ciphertext=ciphertext)

    def open(self, key: bytes, sealed: SealedEvent) -> bytes:
        """The encoded event.

        Raises:
            MustBlock: it was sealed with another key, or changed.
        """
        try:
            return AESGCM(key).decrypt(sealed.nonce, sealed.ciphertext, _around(sealed))
        except InvalidTag:
            raise MustBlock("a sealed event cannot be opened: it, or what is said around it, was changed") from None


def _around(sealed: SealedEvent) -> bytes:
    told = (sealed.event_id, str(sealed.occurred_at), sealed.tenant_id, sealed.kind.value, sealed.subject or "")
    return _bound(*told, sealed.digest, sealed.key_id)


def _bound(*parts: str) -> bytes:
    raw = [part.encode(errors="surrogatepass") for part in parts]
    return b"".join(len(each).to_bytes(4, "big") + each for each in raw)

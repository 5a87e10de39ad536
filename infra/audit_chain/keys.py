"""The two keys of the audit: one that rows are hashed under, one that anchors are signed with.

Rows are hashed under a key that is derived for each tenant, so that nobody who can write to the
database can make a row that fits, and so that one tenant's auditor can be given that tenant's key
and no other. Anchors are signed, so that they can be checked by whoever has the public key.
"""

import hmac
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from lawful.schemas.errors import ConfigurationError

_TENANT = b"lawful audit chain 1\0"
_FROM_PSEUDONYM_KEY = b"lawful audit chain key 1"

_MOST_TENANTS: Final = 4_096
"""So many derived keys are kept at hand: a tenant's id is whatever a sender says."""


class ChainKeys:
    """Keys that rows are hashed under.

    Args:
        master: the installation's secret.
    """

    def __init__(self, master: bytes) -> None:
        self._master = master

    def of(self, tenant_id: str) -> bytes:
        """The key of one tenant's rows."""
        return _derived(self._master, tenant_id)

    def hash(self, tenant_id: str, row: bytes) -> str:
        """HMAC-SHA256 of a row's canonical form, in hex."""
        return hmac.digest(self.of(tenant_id), row, "sha256").hex()


@lru_cache(_MOST_TENANTS)
def _derived(master: bytes, tenant_id: str) -> bytes:
    return hmac.digest(master, _TENANT + tenant_id.encode(errors="surrogatepass"), sha256)


def derived_master(pseudonym_key: bytes) -> bytes:
    """A chain key for installations that were given none of their own. Guards could derive it, too."""
    return hmac.digest(pseudonym_key, _FROM_PSEUDONYM_KEY, sha256)


class PublicKey:
    """Checks signatures of anchors."""

    def __init__(self, key: Ed25519PublicKey) -> None:
        self._key = key
        self.key_id = sha256(key.public_bytes(Encoding.Raw, PublicFormat.Raw)).hexdigest()[:16]

    def signed(self, statement: bytes, signature: bytes) -> bool:
        """Whether the owner of the private key signed this."""
        try:
            self._key.verify(signature, statement)
        except InvalidSignature:
            return False
        return True

    def pem(self) -> bytes:
        """For auditors: a PEM file's content."""
        return self._key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)

    @classmethod
    def read(cls, path: Path) -> "PublicKey":
        """From a PEM file.

        Raises:
            ConfigurationError: there is no such file, or it holds no Ed25519 public key.
        """
        try:
            key = load_pem_public_key(path.read_bytes())
        except (OSError, ValueError, UnsupportedAlgorithm) as error:
            raise ConfigurationError(
                f"{path} cannot be read as a public key ({type(error).__name__})",
                hint="it is what `lawful audit public-key` printed: a PEM file with an Ed25519 public key",
            ) from None
        if not isinstance(key, Ed25519PublicKey):
            raise ConfigurationError(f"{path} holds a key of another kind", hint="an Ed25519 public key is needed")
        return cls(key)


class SigningKey:
    """Signs anchors."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.public = PublicKey(key.public_key())

    def sign(self, statement: bytes) -> bytes:
        """64 bytes; the same for the same statement."""
        return self._key.sign(statement)

    @classmethod
    def parse(cls, pem: bytes) -> "SigningKey":
        """From the content of a PEM file without a password.

        Raises:
            ConfigurationError: it holds no Ed25519 private key.
        """
        try:
            key = load_pem_private_key(pem, password=None)
        except (ValueError, TypeError, UnsupportedAlgorithm):
            key = None
        if not isinstance(key, Ed25519PrivateKey):
            raise ConfigurationError(
                "the audit's signing key is no Ed25519 private key in PEM without a password",
                hint="make one with `openssl genpkey -algorithm ed25519`, and name it in LAWFUL_AUDIT_SIGNING_KEY_FILE",
            )
        return cls(key)


def new_signing_key() -> bytes:
    """A new private key as a PEM file's content."""
    return Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())

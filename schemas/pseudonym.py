"""Pseudonyms: the only form in which state and audit know a person.

HMAC-SHA256 under the tenant's key over tenant, scheme and normalised identifier (GDPR Art. 4(5);
a bare hash of an e-mail address can be reversed by guessing, a keyed one cannot).
"""

import hmac
import re
from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Final, Self

from lawful.schemas.errors import ConfigurationError
from lawful.schemas.event import Identifier
from lawful.schemas.legible import UNSEEN, legible
from lawful.schemas.normalising import Normalise, normalise_identifier
from lawful.schemas.secretfile import read_secret

__all__ = ["PSEUDONYM", "UNSEEN", "Pseudonymiser", "legible", "normalise_identifier"]

PSEUDONYM: Final = "pseudonym"
"""Scheme of a value that is a pseudonym already: who passes data on need not know whose it is to say whose it is."""

_MADE: Final = re.compile(r"[0-9a-f]{64}")

_MOST_TENANTS: Final = 4_096
"""So many derived keys are kept at hand: a tenant's id is whatever a sender says."""


class Pseudonymiser:
    """Turns identifiers into pseudonyms, one key per tenant.

    Args:
        keys: tenant id to key; at least 16 bytes each.
        master: when given, tenants without a key of their own get one derived from it.
        normalise: the normal form of identifiers. What is remembered is under
            `lawful.schemas.canonical`'s; a guard does with less, since its keys only keep an order.

    Raises:
        ConfigurationError: a key is no bytes, or too short.
    """

    def __init__(
        self,
        keys: Mapping[str, bytes] | None = None,
        *,
        master: bytes | None = None,
        normalise: Normalise = normalise_identifier,
    ) -> None:
        self._keys = dict(keys or {})
        self._master = master
        self.normalise = normalise
        for tenant, key in [*self._keys.items(), *([] if master is None else [("*", master)])]:
            _check(tenant, key)

    @classmethod
    def from_file(cls, file: Path | str) -> Self:
        """Under the key in the file that workers are given as `LAWFUL_PSEUDONYM_KEY_FILE`, read as they read it.

        Raises:
            ConfigurationError: it cannot be read, or is too short.
        """
        return cls(master=read_secret(Path(file), "the pseudonym key"))

    def of(self, tenant_id: str, identifier: Identifier) -> str:
        """The pseudonym of an identifier: 64 hex digits, equal for equal normal forms."""
        return self._of(tenant_id, self.normalise(identifier))

    def someone(self, tenant_id: str, identifier: Identifier) -> str | None:
        """As `of`; `None` if it is blank and points to nobody."""
        normal = self.normalise(identifier)
        return self._of(tenant_id, normal) if normal.value else None

    def _of(self, tenant_id: str, normal: Identifier) -> str:
        if normal.scheme == PSEUDONYM and _MADE.fullmatch(normal.value):
            return normal.value
        return self._digest(tenant_id, "id", normal.scheme, normal.value)

    def of_session(self, tenant_id: str, session_id: str) -> str:
        """The record key of an event that names no subject."""
        return self._digest(tenant_id, "session", session_id)

    def of_content(self, tenant_id: str, content: str) -> str:
        """Keyed digest of a payload, for comparing without knowing."""
        return self._digest(tenant_id, "content", content)

    def of_slice(self, tenant_id: str, kind: str, value: str) -> str:
        """The record key of what a session, an agent or a tenant did, for the rules over those."""
        return self._digest(tenant_id, "slice", kind, value)

    def of_argument(self, tenant_id: str, scheme: str, value: str) -> str:
        """Keyed digest of an action's argument: equal for equal normal forms. Half as long as a pseudonym."""
        normal = self.normalise(Identifier(scheme, value))
        return self._digest(tenant_id, "argument", normal.scheme, normal.value)[:32]

    def _digest(self, tenant_id: str, *parts: str) -> str:
        # Length prefixes keep ("ab", "c") and ("a", "bc") apart.
        message = b"".join(
            len(raw).to_bytes(4, "big") + raw
            for raw in (part.encode(errors="surrogatepass") for part in (tenant_id, *parts))
        )
        return hmac.digest(self._key(tenant_id), message, "sha256").hex()

    def _key(self, tenant_id: str) -> bytes:
        key = self._keys.get(tenant_id)
        if key is not None:
            return key
        if self._master is None:
            raise ConfigurationError(
                f"tenant {tenant_id!r} has no pseudonym key",
                hint="set LAWFUL_PSEUDONYM_KEY, or give this tenant a key of its own",
            )
        return _derived(self._master, tenant_id)


@lru_cache(_MOST_TENANTS)
def _derived(master: bytes, tenant_id: str) -> bytes:
    return hmac.new(master, tenant_id.encode(), sha256).digest()


def _check(tenant: str, key: object) -> None:
    if not isinstance(key, bytes):  # a str in an agent's code would fail at the first event only, and block it
        raise ConfigurationError(
            f"the pseudonym key of tenant {tenant!r} is {type(key).__name__}, not bytes",
            hint="take Pseudonymiser.from_file(path), or encode it",
        )
    if len(key) < 16:  # noqa: PLR2004 - the bound is the sentence below
        raise ConfigurationError(f"the pseudonym key of tenant {tenant!r} is shorter than 16 bytes")

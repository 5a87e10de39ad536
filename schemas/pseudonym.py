"""Pseudonyms: the only form in which state and audit know a person.

HMAC-SHA256 under the tenant's key over tenant, scheme and normalised identifier (GDPR Art. 4(5);
a bare hash of an e-mail address can be reversed by guessing, a keyed one cannot).
"""

import hmac
import re
import unicodedata
from collections.abc import Mapping
from hashlib import sha256
from typing import Final

from lawful.schemas.errors import ConfigurationError
from lawful.schemas.event import Identifier

_DOCUMENTS: Final = frozenset(
    {"bank_account", "card", "credit_card", "iban", "national_id", "passport", "ssn", "tax_id"}
)
# Unicode's default-ignorable characters: they change nothing that anybody sees.
_UNSEEN: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)


class Pseudonymiser:
    """Turns identifiers into pseudonyms, one key per tenant.

    Args:
        keys: tenant id to key; at least 16 bytes each.
        master: when given, tenants without a key of their own get one derived from it.
    """

    def __init__(self, keys: Mapping[str, bytes] | None = None, *, master: bytes | None = None) -> None:
        self._keys = dict(keys or {})
        self._master = master
        for tenant, key in [*self._keys.items(), ("*", master or b"\0" * 16)]:
            if len(key) < 16:  # noqa: PLR2004 - the bound is the sentence below
                raise ConfigurationError(f"the pseudonym key of tenant {tenant!r} is shorter than 16 bytes")

    def of(self, tenant_id: str, identifier: Identifier) -> str:
        """The pseudonym of an identifier: 64 hex digits, equal for equal normal forms."""
        normal = normalise_identifier(identifier)
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
        normal = normalise_identifier(Identifier(scheme, value))
        return self._digest(tenant_id, "argument", normal.scheme, normal.value)[:32]

    def _digest(self, tenant_id: str, *parts: str) -> str:
        # Length prefixes keep ("ab", "c") and ("a", "bc") apart.
        message = b"".join(
            len(raw).to_bytes(4, "big") + raw
            for raw in (part.encode(errors="surrogatepass") for part in (tenant_id, *parts))
        )
        return hmac.new(self._key(tenant_id), message, sha256).hexdigest()

    def _key(self, tenant_id: str) -> bytes:
        key = self._keys.get(tenant_id)
        if key is not None:
            return key
        if self._master is None:
            raise ConfigurationError(
                f"tenant {tenant_id!r} has no pseudonym key",
                hint="set LAWFUL_PSEUDONYM_KEY, or give this tenant a key of its own",
            )
        key = hmac.new(self._master, tenant_id.encode(), sha256).digest()
        self._keys[tenant_id] = key
        return key


def normalise_identifier(identifier: Identifier) -> Identifier:
    """The form under which equal identifiers are equal.

    What cannot be seen goes, and characters that only look different (full width, composed accents)
    become one (Unicode NFKC). E-mail addresses and names fold case and spaces; phone numbers keep
    digits and a leading plus; numbers of documents and accounts keep letters and digits; everything
    else is stripped and case-folded.
    """
    scheme = legible(identifier.scheme).strip().lower()
    value = " ".join(legible(identifier.value).split()).casefold()
    if scheme == "phone":
        value = _phone(value)
    elif scheme == "email":
        value = value.replace(" ", "").removeprefix("mailto:")
    elif scheme in _DOCUMENTS:
        value = "".join(char for char in value if char.isalnum()) or value
    return Identifier(scheme, value)


def legible(text: str) -> str:
    """The text without what cannot be seen, and with one character for those that only look different."""
    return text if text.isascii() else unicodedata.normalize("NFKC", _UNSEEN.sub("", text))


def _phone(value: str) -> str:
    before = re.split(r"\d", value, maxsplit=1)[0]
    digits = "".join(str(unicodedata.decimal(char)) for char in value if char.isdecimal())
    if "+" in before:
        return f"+{digits}"
    return f"+{digits[2:]}" if digits.startswith("00") else digits

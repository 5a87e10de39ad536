"""What an anchor's signature covers, and an anchor as a line of JSON for files and notes."""

import base64
import binascii
import json
from dataclasses import replace
from typing import Any

from lawful.infra.audit_chain.keys import PublicKey, SigningKey
from lawful.infra.audit_chain.link import Head
from lawful.infra.clickhouse.rows import Partition
from lawful.schemas.audit import Anchor, AnchorKind
from lawful.schemas.errors import InvalidRecord
from lawful.schemas.event import Micros

_NUMBERS = frozenset({"partition", "offset", "number", "signed_at"})
_FIELDS = ("kind", "topic", "partition", "offset", "number", "row_hash", "signed_at", "key_id")


def statement(anchor: Anchor) -> bytes:
    """The bytes that are signed: JSON of all fields but the signature, in one fixed form."""
    return ("lawful anchor 1\n" + json.dumps([getattr(anchor, name) for name in _FIELDS])).encode()


def signed(kind: AnchorKind, of: Partition, head: Head, *, at: Micros, key: SigningKey) -> Anchor:
    """An anchor of a chain's end."""
    anchor = Anchor(
        kind=kind,
        topic=of.topic,
        partition=of.number,
        offset=head.offset,
        number=head.number,
        row_hash=head.row_hash,
        signed_at=at,
        key_id=key.public.key_id,
        signature="",
    )
    return replace(anchor, signature=base64.b64encode(key.sign(statement(anchor))).decode())


def genuine(anchor: Anchor, key: PublicKey) -> bool:
    """Whether the owner of the private key signed this anchor."""
    try:
        signature = base64.b64decode(anchor.signature, validate=True)
    except (binascii.Error, ValueError):
        return False
    return anchor.key_id == key.key_id and key.signed(statement(anchor), signature)


def line(anchor: Anchor) -> str:
    """One line of JSON, without the line's end."""
    return json.dumps({name: getattr(anchor, name) for name in (*_FIELDS, "signature")})


def read_line(text: str) -> Anchor:
    """An anchor from its line.

    Raises:
        InvalidRecord: it is none.
    """
    try:
        found = json.loads(text)
        values: dict[str, Any] = {
            name: _typed(found[name], int if name in _NUMBERS else str) for name in (*_FIELDS, "signature")
        }
        values["kind"] = AnchorKind(values["kind"])
        return Anchor(**values)
    except (ValueError, KeyError, TypeError):
        raise InvalidRecord("a line that is no anchor") from None


def _typed(value: Any, kind: type) -> Any:
    if type(value) is not kind:
        raise TypeError
    return value

"""How a record says which schema wrote it: two framings, told apart by the first byte.

Avro single-object encoding (Avro specification 1.11, "Single-object encoding"): `C3 01`, then
the CRC-64-AVRO fingerprint, little-endian. Confluent wire format: `00`, then a registry's schema
id, big-endian.
"""

from dataclasses import dataclass

from lawful.schemas.errors import InvalidRecord

SINGLE_OBJECT = b"\xc3\x01"
CONFLUENT = b"\x00"
SINGLE_OBJECT_HEADER = 10
CONFLUENT_HEADER = 5


@dataclass(frozen=True, slots=True)
class Framed:
    """Which schema wrote a record, and where its body starts.

    Attributes:
        fingerprint: of a single-object record, else empty.
        schema_id: of a Confluent record, else `None`.
    """

    fingerprint: bytes
    schema_id: int | None
    body: int


def read_frame(data: bytes) -> Framed:
    """Reads the framing.

    Raises:
        InvalidRecord: empty, too short for its framing, or an unknown first byte.
    """
    if data.startswith(SINGLE_OBJECT) and len(data) >= SINGLE_OBJECT_HEADER:
        return Framed(data[2:SINGLE_OBJECT_HEADER], None, SINGLE_OBJECT_HEADER)
    if data.startswith(CONFLUENT) and len(data) >= CONFLUENT_HEADER:
        return Framed(b"", int.from_bytes(data[1:CONFLUENT_HEADER], "big"), CONFLUENT_HEADER)
    raise InvalidRecord(_why(data))


def _why(data: bytes) -> str:
    if not data:
        return "empty record: its value has no bytes"
    if data[:1] == CONFLUENT or SINGLE_OBJECT.startswith(data[:2]) or data.startswith(SINGLE_OBJECT):
        return f"truncated record: {len(data)} bytes do not hold the framing's header"
    return (
        f"unknown framing: the first byte is 0x{data[0]:02x}; expected 0xc3 0x01 (Avro single-object encoding) "
        "or 0x00 (Confluent wire format)"
    )

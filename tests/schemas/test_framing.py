"""Both framings, told apart by the first byte."""

import pytest
from fastavro.schema import fingerprint

from lawful.schemas.errors import InvalidRecord
from lawful.schemas.framing import Framed, read_frame


def test_single_object_encoding_gives_the_fingerprint() -> None:
    """C3 01 and eight bytes are the header of Avro's single-object encoding."""
    assert read_frame(b"\xc3\x01abcdefghBODY") == Framed(b"abcdefgh", None, 10)


def test_confluent_wire_format_gives_the_id() -> None:
    """A zero byte and four bytes, big-endian, are a registry's schema id."""
    assert read_frame(b"\x00\x00\x00\x01\x02BODY") == Framed(b"", 258, 5)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"\xc3", "truncated"),
        (b"\xc3\x01", "truncated"),
        (b"\xc3\x01abcdefg", "truncated"),
        (b"\x00\x00\x00\x00", "truncated"),
        (b"\xc3\x02abcdefghi", "unknown framing"),
        (b'{"json": 1}', "0x7b"),
    ],
)
def test_what_is_no_frame_is_refused_with_the_reason(data: bytes, reason: str) -> None:
    """Empty, short and foreign records are told apart."""
    with pytest.raises(InvalidRecord, match=reason):
        read_frame(data)


@pytest.mark.parametrize(("schema", "crc"), [('"null"', 0x63DD24E7CC258F8A), ('"int"', 0x7275D51A3F395C8F)])
def test_fingerprints_are_those_of_the_avro_specification(schema: str, crc: int) -> None:
    """Fastavro gives CRC-64-AVRO in the byte order that single-object encoding wants (Avro's own test cases)."""
    assert bytes.fromhex(fingerprint(schema, "CRC-64-AVRO")) == crc.to_bytes(8, "little")

"""Avro's variable-length integers, and the little that generated code calls for.

Avro specification 1.11, "Binary Encoding": a long is zigzag-coded, seven bits a byte, low bits
first. "Raw" below is the number before zigzag is undone, so that an index or a length can be
looked up as it was read.
"""

import struct
from typing import Final, NoReturn

SMALL: Final = 1024
LONG_BITS: Final = 64
_LONG_BYTES: Final = 10
_MORE: Final = 0x80
_PAIR: Final = 1 << 14
_PAIRS: Final = tuple(bytes((pair & 0x7F | _MORE, pair >> 7 | _MORE)) for pair in range(_PAIR))
"""Two bytes at once of what has more to come: most long integers are times."""
_INT: Final = 1 << 31
_LONG: Final = 1 << 63


class Malformed(ValueError):
    """The bytes are no Avro; the message names the fault and quotes nothing."""


def long_bytes(value: int) -> bytes:
    """A 64-bit integer, as Avro writes it."""
    if not -_LONG <= value < _LONG:
        raise OverflowError
    raw = (value << 1) ^ (value >> 63)
    out = b""
    while raw >= _PAIR:
        out += _PAIRS[raw & _PAIR - 1]
        raw >>= 14
    return out + (bytes((raw,)) if raw < _MORE else bytes((raw & 0x7F | _MORE, raw >> 7)))


def int_bytes(value: int) -> bytes:
    """A 32-bit integer, as Avro writes it."""
    if not -_INT <= value < _INT:
        raise OverflowError
    return long_bytes(value)


SMALL_LONGS: Final = tuple(long_bytes(value) for value in range(SMALL))
"""Lengths, counts and small numbers, ready made."""

DOUBLE: Final = struct.Struct("<d")
BOOLEANS: Final = {False: b"\0", True: b"\1"}
TRUTHS: Final = {0: False, 1: True}


def raw_rest(data: bytes, at: int, first: int) -> tuple[int, int]:
    """The raw number whose first byte, at `at - 1`, said that there are more; and where it ends."""
    raw = first & 0x7F
    for shift in range(7, 7 * _LONG_BYTES, 7):
        byte = data[at]
        at += 1
        raw |= (byte & 0x7F) << shift
        if byte < _MORE:
            if raw >> LONG_BITS:
                break
            return raw, at
    raise Malformed("an integer is longer than 64 bits")


def block(data: bytes, at: int) -> tuple[int, int]:
    """The number of items in the next block of an array or map, 0 at its end; and where they start."""
    raw = data[at]
    at += 1
    if raw >= _MORE:
        raw, at = raw_rest(data, at, raw)
    if raw & 1:  # A negative count is followed by the block's size in bytes, which only skipping needs.
        size = data[at]
        at += 1
        if size >= _MORE:
            size, at = raw_rest(data, at, size)
        return (raw + 1) >> 1, at
    return raw >> 1, at


def length(data: bytes, at: int, first: int) -> tuple[int, int]:
    """The raw length whose first byte, at `at - 1`, was no plain one; and where what it measures starts."""
    raw = first
    if first >= _MORE:
        second = data[at]
        if second < _MORE:  # Two bytes are common: a pseudonym has 64 characters.
            raw, at = first & 0x7F | second << 7, at + 1
        else:
            raw, at = raw_rest(data, at, first)
    if raw & 1:
        raise Malformed("a length is negative")
    return raw, at


def unknown() -> NoReturn:
    """For generated code: the index of a union's branch that is not there."""
    raise LookupError


def check_int(value: int) -> int:
    """The value, if it fits 32 bits."""
    if not -_INT <= value < _INT:
        raise Malformed("an integer is longer than 32 bits")
    return value


def as_map(pairs: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """The pairs as Avro's map, which knows each key once."""
    mapping = dict(pairs)
    if len(mapping) != len(pairs):
        raise ValueError("a key occurs twice")
    return mapping

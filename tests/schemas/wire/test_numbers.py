"""Avro's integers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.schemas.wire import numbers
from lawful.schemas.wire.numbers import Malformed, block, int_bytes, length, long_bytes, raw_rest


@pytest.mark.parametrize(
    ("value", "data"), [(0, b"\0"), (-1, b"\1"), (1, b"\2"), (-64, b"\x7f"), (64, b"\x80\1"), (-65, b"\x81\1")]
)
def test_integers_are_written_as_in_the_avro_specification(value: int, data: bytes) -> None:
    """The specification's own examples."""
    assert long_bytes(value) == data
    assert int_bytes(value) == data


@given(st.integers(-(2**63), 2**63 - 1))
def test_every_long_is_read_back(value: int) -> None:
    """Zigzag and seven bits a byte, there and back."""
    data = long_bytes(value)
    raw, end = (data[0], 1) if data[0] < 128 else raw_rest(data, 1, data[0])
    assert ((raw >> 1) ^ -(raw & 1), end) == (value, len(data))


@pytest.mark.parametrize(("write", "value"), [(long_bytes, 2**63), (long_bytes, -(2**63) - 1), (int_bytes, 2**31)])
def test_a_number_that_does_not_fit_is_refused(write: object, value: int) -> None:
    """Nothing is cut off."""
    assert callable(write)
    with pytest.raises(OverflowError):
        write(value)


@pytest.mark.parametrize("data", [b"\xff" * 10 + b"\1", b"\xff" * 9 + b"\2"])
def test_a_number_longer_than_64_bits_is_malformed(data: bytes) -> None:
    """A crafted number cannot grow without bound."""
    with pytest.raises(Malformed, match="longer than 64 bits"):
        raw_rest(data, 1, data[0])


def test_a_number_longer_than_32_bits_is_malformed_where_an_int_is_due() -> None:
    """Avro's int has 32 bits."""
    assert numbers.check_int(-(2**31)) == -(2**31)
    with pytest.raises(Malformed, match="longer than 32 bits"):
        numbers.check_int(2**31)


def test_a_negative_length_is_malformed() -> None:
    """It would move the reader backwards."""
    assert length(b"\x80\x01", 1, 0x80) == (128, 2)
    assert length(b"\x80\x80\x01", 1, 0x80) == (1 << 14, 3)
    for data in (b"\x01", b"\x81\x01", b"\x81\x80\x01"):
        with pytest.raises(Malformed, match="negative"):
            length(data, 1, data[0])


@pytest.mark.parametrize(
    ("data", "count", "end"),
    [(b"\0", 0, 1), (b"\4", 2, 1), (b"\3\x10", 2, 2), (b"\x80\2", 128, 2), (b"\3\x80\1", 2, 3)],
)
def test_a_blocks_count_may_be_negative_with_its_size_behind(data: bytes, count: int, end: int) -> None:
    """Both of the specification's ways to begin a block are read."""
    assert block(data, 0) == (count, end)

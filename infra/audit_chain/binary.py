"""Values as ClickHouse's RowBinary format has them, a column at a time.

RowBinary is length-prefixed and has one form for every value, so the bytes that are inserted are
also the bytes that are hashed, and any ClickHouse gives them back. Columns repeat their values, so
what was encoded once is looked up: that, and joining in C, is what makes it cheap.
"""

import struct
from collections.abc import Callable, Sequence
from typing import Any

Encode = Callable[[Any], bytes]

_KEPT = 4_096
_SEVEN_BITS = 0x80


class _Memo(dict[Any, bytes]):
    """Values that were encoded before; forgets all when there are too many."""

    def __init__(self, encode: Encode) -> None:
        super().__init__()
        self._encode = encode

    def __missing__(self, value: Any) -> bytes:
        if len(self) >= _KEPT:
            self.clear()
        self[value] = made = self._encode(value)
        return made


def string(text: str) -> bytes:
    """The length as LEB128, then the bytes."""
    raw = text.encode(errors="surrogatepass")
    return bytes((len(raw),)) + raw if len(raw) < _SEVEN_BITS else length(len(raw)) + raw


def length(number: int) -> bytes:
    """LEB128: seven bits a byte, the lowest first."""
    made = bytearray()
    while number >= _SEVEN_BITS:
        made.append(number & 0x7F | _SEVEN_BITS)
        number >>= 7
    made.append(number)
    return bytes(made)


_NUMBERS = {"Int8": "<b", "Int32": "<i", "Int64": "<q", "Float64": "<d"}
_SAME = {"Bool": "Int8", "Enum8": "Int8", "DateTime64(3)": "Int64", "DateTime64(6)": "Int64"}
"""Types whose bytes are those of a number: truth values, the words of an enum, ticks since 1970."""


def encoder(kind: str) -> Encode:
    """What writes values of a type, which is given without LowCardinality and time zone."""
    kind = _SAME.get(kind, kind)
    if kind == "String":
        return string
    if kind in _NUMBERS:
        return struct.Struct(_NUMBERS[kind]).pack
    outer, _, inner = kind.partition("(")
    return {"Array": _array, "Nullable": _nullable}[outer](encoder(inner.removesuffix(")")))


def _array(item: Encode) -> Encode:
    return lambda values: length(len(values)) + b"".join(map(item, values))


def _nullable(inner: Encode) -> Encode:
    return lambda value: b"\x01" if value is None else b"\x00" + inner(value)


class Column:
    """Writes the values of one column.

    Args:
        kind: its type, see `encoder`.
        varied: whether values hardly ever repeat, so that remembering them does not pay.
    """

    def __init__(self, kind: str, *, varied: bool) -> None:
        self._encode = encoder(kind)
        self._memo = None if varied else _Memo(self._encode)

    def encode(self, values: Sequence[Any]) -> list[bytes]:
        """Each value's bytes."""
        if self._memo is None:
            return list(map(self._encode, values))
        try:
            return list(map(self._memo.__getitem__, values))
        except TypeError:  # lists in lists cannot be looked up
            return list(map(self._encode, values))

"""Linking rows: each row's hash covers all of the row and the hash of the one before it."""

from collections.abc import Sequence
from dataclasses import dataclass

from lawful.infra.audit_chain import binary
from lawful.infra.audit_chain.form import Form
from lawful.infra.audit_chain.keys import ChainKeys
from lawful.infra.clickhouse.rows import AUDIT_COLUMNS, Row

_TENANT = AUDIT_COLUMNS.index("tenant_id")
_NUMBER = binary.encoder("Int64")


@dataclass(frozen=True, slots=True)
class Head:
    """The end of a chain.

    Attributes:
        offset: place in the log of the last row; -1 for none.
        number: how many rows the chain has had.
        row_hash: of the last row; empty for none.
    """

    offset: int = -1
    number: int = 0
    row_hash: str = ""


@dataclass(frozen=True, slots=True)
class Linked:
    """Rows as links of a chain.

    Attributes:
        wire: all of them as RowBinary, in the order of `form.COLUMNS`.
        head: the chain's end with them.
    """

    wire: bytes
    head: Head


class Linker:
    """Puts rows behind a chain's head. A pure function of both and of the keys.

    Args:
        keys: what rows are hashed under.
    """

    def __init__(self, keys: ChainKeys) -> None:
        self._keys = keys
        self._form = Form()

    def link(self, rows: Sequence[Row], head: Head) -> Linked:
        """Links rows of one log partition, in the order of the log, to its chain."""
        parts: list[bytes] = []
        number, before = head.number, head.row_hash
        for row, base in zip(rows, self._form.base(rows), strict=True):
            number += 1
            hashed, inserted = self._form.extensions(row)
            tail = _NUMBER(number) + binary.string(before)
            before = self._keys.hash(row.values[_TENANT], base + hashed + tail)
            parts += (base, inserted, tail, binary.string(before))
        return Linked(b"".join(parts), Head(rows[-1].place.offset, number, before))

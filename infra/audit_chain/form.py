"""The canonical form of an audit row: the bytes that its hash covers, written here and read back by SQL.

It is RowBinary of, in this order: the columns of `BASE`; one string that holds every later column
that is not at its default, as name and value; `chain_no`; `prev_hash`. So it covers every column,
it is length-prefixed throughout, and a column that a later version adds changes no hash of a row
that was written before it, while a value that somebody puts into it there does show.
"""

from collections.abc import Sequence
from operator import itemgetter

from lawful.infra.audit_chain import binary
from lawful.infra.clickhouse.rows import AUDIT_COLUMNS, Row

_LOW = "String"
_WORDS = "Array(String)"

# INVARIANT: what rows are hashed over; nothing in here ever changes, not even the order. See EXTENSIONS.
BASE: tuple[tuple[str, str], ...] = (
    *(("log_topic", _LOW), ("log_partition", "Int32"), ("log_offset", "Int64"), ("logged_at", "DateTime64(3)")),
    *(("kind", _LOW), ("tenant_id", _LOW), ("event_id", "String"), ("payload_kind", _LOW)),
    *(("recorded_at", "DateTime64(6)"), ("occurred_at", "DateTime64(6)"), ("skewed", "Bool"), ("source", _LOW)),
    *(("agent_id", _LOW), ("agent_version", _LOW), ("session_id", "String"), ("task_id", "String")),
    *(("causation_id", "String"), ("traceparent", "String"), ("tool", _LOW), ("recipient_kind", _LOW)),
    *(("recipient_id", "String"), ("recipient_region", _LOW), ("deadline_ms", "Int64"), ("digest", "String")),
    *(("event_topic", _LOW), ("event_partition", "Int32"), ("event_offset", "Int64"), ("view_key", "String")),
    *(("subject", "String"), ("role", _LOW), ("part", "Int32"), ("parts", "Int32"), ("subjects", _WORDS)),
    *(("roles", _WORDS), ("purposes.purpose", _WORDS), ("purposes.provenance", _WORDS)),
    *(("findings.path", _WORDS), ("findings.start", "Array(Int32)"), ("findings.end", "Array(Int32)")),
    *(("findings.category", _WORDS), ("findings.detector", _WORDS), ("findings.detector_version", _WORDS)),
    *(("findings.score", "Array(Float64)"), ("findings.essential", "Array(Bool)"), ("findings.subject", _WORDS)),
    *(("acts.name", _WORDS), ("acts.arguments", "Array(Array(String))"), ("status", _LOW), ("status_reason", _LOW)),
    *(("fact_kind", _LOW), ("fact_purposes", _WORDS), ("fact_all_purposes", "Bool"), ("fact_categories", _WORDS)),
    *(("fact_all_categories", "Bool"), ("fact_expires_at", "Nullable(DateTime64(6))"), ("fact_re_enrols", "Bool")),
    *(("request_kind", _LOW), ("request_id", "String"), ("link_alias", "String"), ("link_root", "String")),
    *(("decision", "Enum8"), ("violations.rule", _WORDS), ("violations.reason", _WORDS)),
    *(("violations.decision", "Array(Enum8)"), ("violations.message", _WORDS), ("violations.subject", _WORDS)),
    *(("violations.purpose", _WORDS), ("violations.category", _WORDS), ("violations.article", _WORDS)),
    *(("violations.evidence", "Array(Array(String))"), ("obligations.path", _WORDS)),
    *(("obligations.start", "Array(Int32)"), ("obligations.end", "Array(Int32)"), ("obligations.action", _WORDS)),
    *(("obligations.category", _WORDS), ("outcome", _LOW), ("exceptions", _WORDS), ("policy_id", _LOW)),
    *(("policy_version", _LOW), ("policy_digest", _LOW), ("decided_on.topic", _WORDS)),
    *(("decided_on.partition", "Array(Int32)"), ("decided_on.offset", "Array(Int64)"), ("guard_reason", _LOW)),
    ("waited_ms", "Int64"),
)

EXTENSIONS: tuple[tuple[str, str], ...] = (
    ("note", "String"),
    *(("votes.auditor", _WORDS), ("votes.version", _WORDS), ("votes.decision", _WORDS), ("votes.reason", _WORDS)),
    *(("votes.sentry", "Array(Bool)"), ("votes.part", "Array(Int32)")),
)
"""Columns that came later, in the order in which they came. A new column of the table goes to this end."""

TAIL: tuple[tuple[str, str], ...] = (("chain_no", "Int64"), ("prev_hash", "String"), ("row_hash", "String"))
"""Columns of the chain itself. The hash covers all but the last, which is the hash."""

COLUMNS = tuple(name for name, _ in (*BASE, *EXTENSIONS, *TAIL))
"""Every column, in the order in which rows are inserted."""

PLACE_COLUMNS = ("log_partition", "log_offset", "logged_at")
_VARIED = frozenset({"log_offset", "logged_at", "event_id", "recorded_at", "occurred_at", "digest", "event_offset"})
_NO_EXTENSION = b"\x00"


class Form:
    """Writes rows in their canonical form. Remembers what it has encoded, so keep one."""

    def __init__(self) -> None:
        self._base = [binary.Column(kind, varied=name in _VARIED) for name, kind in BASE]
        self._extensions = [(binary.string(name), binary.Column(kind, varied=False)) for name, kind in EXTENSIONS]
        self._blank = [_default(kind) for _, kind in EXTENSIONS]
        self._pick = itemgetter(*(AUDIT_COLUMNS.index(name) for name, _ in BASE))

    def base(self, rows: Sequence[Row]) -> list[bytes]:
        """The columns of `BASE`, for each row."""
        columns = zip(*[self._pick(row.values) for row in rows], strict=True)
        encoded = [column.encode(values) for column, values in zip(self._base, columns, strict=True)]
        return list(map(b"".join, zip(*encoded, strict=True)))

    def extensions(self, row: Row) -> tuple[bytes, bytes]:
        """The later columns: as they are hashed, and as they are inserted."""
        if not row.more:
            return _NO_EXTENSION, b"".join(self._blank)
        given = dict(row.more)
        inserted, hashed = [], []
        for (name, column), blank, (key, _) in zip(self._extensions, self._blank, EXTENSIONS, strict=True):
            value = column.encode([given[key]])[0] if key in given else blank
            inserted.append(value)
            hashed.append(b"" if value == blank else name + value)
        joined = b"".join(hashed)
        return binary.length(len(joined)) + joined, b"".join(inserted)


def _default(kind: str) -> bytes:
    """The bytes of a type's default: an empty text or list, zero."""
    if kind == "String" or kind.startswith("Array("):
        return b"\x00"
    return binary.encoder(kind)(None if kind.startswith("Nullable(") else 0)


def canonical_sql() -> str:
    """The same form as an expression of ClickHouse, over a row of the table."""
    base = ", ".join(f"`{name}`" for name, _ in BASE)
    later = ", ".join(
        f"if(`{name}` = defaultValueOfTypeName('{kind}'), '', formatRow('RowBinary', '{name}', `{name}`))"
        for name, kind in EXTENSIONS
    )
    return f"formatRow('RowBinary', {base}, concat({later}), chain_no, prev_hash)"

"""Bytes of one version of a schema as bytes of another: Avro's schema resolution, by fastavro.

Not on the hot path: it is for what an older release wrote, and for what must stay readable to an
older release while a fleet is being upgraded.
"""

from io import BytesIO

import fastavro

from lawful.schemas.catalogue import WriterSchema
from lawful.schemas.errors import InvalidRecord


def rewritten(body: bytes, writer: WriterSchema, reader: WriterSchema) -> bytes:
    """A record's body, without framing, as `reader` would have written it.

    Raises:
        InvalidRecord: something follows the record.
        Exception: whatever fastavro raises on bytes that are no such record.
    """
    source, target = BytesIO(body), BytesIO()
    values = fastavro.schemaless_reader(
        source, writer.parsed, reader.parsed, return_record_name=True, return_record_name_override=True
    )
    require_end(writer.record, source.tell(), len(body))
    fastavro.schemaless_writer(target, reader.parsed, values)
    return target.getvalue()


def require_end(record: str, end: int, size: int) -> None:
    """Refuses a record that does not end where its bytes do."""
    if end > size:
        raise InvalidRecord(f"{record} cannot be read: truncated")
    if end < size:
        raise InvalidRecord(f"{record} is followed by {size - end} trailing bytes")

"""Stub."""
from typing import Protocol
from lawful.schemas.catalogue import WriterSchema
class SchemaRegistry(Protocol):
    """Where the Confluent wire format's ids live."""

    def writer(self, schema_id: int) -> WriterSchema: ...
    def register(self, subject: str, text: str) -> int: ...

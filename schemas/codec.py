"""Bytes to records and back, for everything that travels on Kafka or lies in a table.

Writing uses the schemas shipped in the package and Avro single-object encoding unless a registry
is configured. Reading takes either framing and any released writer's schema, and resolves it to
the current one. Whatever cannot be read is an `InvalidRecord` that never quotes the content.
"""

import struct
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeVar, cast

from lawful.schemas.catalogue import NAMESPACE, RECORDS, WriterSchema, by_fingerprint, current, released
from lawful.schemas.errors import ConfigurationError, InvalidRecord
from lawful.schemas.foreign import foreign
from lawful.schemas.framing import CONFLUENT, SINGLE_OBJECT, read_frame
from lawful.schemas.rewriting import require_end, rewritten
from lawful.schemas.wire.generate import pair
from lawful.schemas.wire.numbers import Malformed

T = TypeVar("T")
A = TypeVar("A")
B = TypeVar("B")

MAX_BYTES: Final = 16 * 1024 * 1024
"""No record of ours comes near this; a larger one is refused before it is looked at."""


class SchemaRegistry(Protocol):
    """Where the ids of the Confluent wire format live; `lawful.schemas.registry` is one."""

    def texts(self, schema_id: int) -> tuple[str, ...]:
        """The JSON of a schema, last, after that of all schemas it refers to."""
        ...

    def schema_id(self, subject: str, text: str) -> int:
        """The id of a schema under a subject."""
        ...


@dataclass(frozen=True, slots=True)
class _Plan:
    """All that encoding and decoding one class takes, looked up once."""

    cls: type
    schema: WriterSchema
    write: Callable[[Any, Callable[[bytes], object]], None]
    read: Callable[[bytes, int], tuple[Any, int]]


_PLANS: dict[type, _Plan] = {}


def _plan(cls: type) -> _Plan:
    found = _PLANS.get(cls)
    if found is None:
        if cls not in RECORDS:
            raise InvalidRecord(f"{cls.__name__} is no record of the bus: {', '.join(sorted(RECORDS.values()))} are")
        schema = current(RECORDS[cls])
        both = pair(cls, schema.parsed)
        found = _PLANS[cls] = _Plan(cls, schema, both.write, both.read)
    return found


@dataclass(frozen=True, slots=True)
class _Target:
    """How one class is written: its framing, and an older schema if the record is to be rewritten."""

    header: bytes
    older: WriterSchema | None


class Codec:
    """Encodes and decodes records.

    Args:
        registry: where ids of the Confluent wire format are looked up; without one such records
            are refused.
        confluent: write the Confluent wire format instead of single-object encoding.
        write_as: record name to released version, for records that are to be written as an older
            release does while a fleet is being upgraded: upgrade every process first, then drop
            this. What the older schema lacks is left out.
        also_read: self-contained schemas of newer releases, as JSON, that this process is to read.
        max_bytes: records larger than this are refused, in both directions.
    """

    def __init__(
        self,
        registry: SchemaRegistry | None = None,
        *,
        confluent: bool = False,
        write_as: Mapping[str, int] | None = None,
        also_read: Iterable[str] = (),
        max_bytes: int = MAX_BYTES,
    ) -> None:
        if confluent and registry is None:
            raise ValueError("the Confluent wire format needs a registry")
        self._registry = registry
        self._confluent = confluent
        self._write_as = dict(write_as or {})
        self._also_read = tuple(also_read)
        self._max_bytes = max_bytes
        self._targets: dict[type, _Target] = {}
        self._by_fingerprint: Mapping[bytes, WriterSchema] | None = None
        self._from_registry: dict[int, WriterSchema] = {}

    def upgrade(self, write_as: Mapping[str, int], also_read: Iterable[str]) -> None:
        """Reads and writes otherwise from now on; see the arguments of the class.

        Raises:
            ConfigurationError: there is no such record or release.
            InvalidRecord: a schema is none of ours, or what it writes cannot be read.
        """
        texts, versions = tuple(also_read), dict(write_as)
        for record, version in versions.items():
            _released(record, version)
        for text in texts:
            foreign((text,))
        self._write_as, self._also_read = versions, texts
        self._targets.clear()
        self._by_fingerprint = None

    def encode(self, record: object) -> bytes:
        """The bytes of a record.

        Raises:
            InvalidRecord: it holds a value that its schema cannot take, or is too large.
            RetryLater: the registry is away.
        """
        plan = _plan(type(record))
        target = self._targets.get(plan.cls) or self._target(plan)
        pieces = [target.header]
        try:
            plan.write(record, pieces.append)
            if target.older is not None:
                pieces[1:] = [rewritten(b"".join(pieces[1:]), plan.schema, target.older)]
        except Exception as error:  # noqa: BLE001 - whatever stops writing, this record cannot go out
            raise InvalidRecord(f"{plan.schema.record} cannot be written: {_kind(error)}") from None
        return self._bounded(b"".join(pieces))

    def decode(self, data: bytes, expect: type[T]) -> T:
        """The record that some bytes hold.

        Raises:
            InvalidRecord: they hold none of this type; the message says why, without content.
            RetryLater: the registry is away.
        """
        plan = _plan(expect)
        writer, body = self._writer(data)
        if writer.record != plan.schema.record:
            raise InvalidRecord(f"wrong type: {writer.record} where {plan.schema.record} is expected")
        return cast("T", self._read(data, body, writer, plan))

    def decode_either(self, data: bytes, first: type[A], second: type[B]) -> A | B:
        """Like `decode`, for topics that carry two types."""
        writer, body = self._writer(data)
        plan = _plan(second if writer.record == RECORDS.get(second) else first)
        if writer.record != plan.schema.record:
            raise InvalidRecord(f"wrong type: {writer.record} where {RECORDS[first]} or {RECORDS[second]} is expected")
        return cast("A | B", self._read(data, body, writer, plan))

    def _read(self, data: bytes, body: int, writer: WriterSchema, plan: _Plan) -> Any:
        try:
            if writer.fingerprint != plan.schema.fingerprint:
                data, body = rewritten(data[body:], writer, plan.schema), 0
            record, end = plan.read(data, body)
            require_end(writer.record, end, len(data))
        except InvalidRecord:
            raise
        except Exception as error:  # noqa: BLE001 - crafted bytes may cause any error; each is the record's
            raise InvalidRecord(f"{writer.record} cannot be read: {_kind(error)}") from None
        return record

    def _writer(self, data: bytes) -> tuple[WriterSchema, int]:
        frame = read_frame(self._bounded(data))
        if frame.schema_id is not None:
            return self._by_id(frame.schema_id), frame.body
        if self._by_fingerprint is None:
            newer = {schema.fingerprint: schema for schema in (foreign((text,)) for text in self._also_read)}
            self._by_fingerprint = {**newer, **by_fingerprint()}
        found = self._by_fingerprint.get(frame.fingerprint)
        if found is None:
            raise InvalidRecord(
                f"unknown schema fingerprint {frame.fingerprint.hex()}: written by a newer version, "
                "or by a schema that was never released; upgrade this process"
            )
        return found, frame.body

    def _by_id(self, schema_id: int) -> WriterSchema:
        known = self._from_registry.get(schema_id)
        if known is None:
            if self._registry is None:
                raise InvalidRecord(f"Confluent wire format (schema id {schema_id}), but no registry is configured")
            known = self._from_registry[schema_id] = foreign(self._registry.texts(schema_id))
        return known

    def _target(self, plan: _Plan) -> _Target:
        schema, version = plan.schema, self._write_as.get(plan.schema.record)
        if version is not None:
            schema = _released(plan.schema.record, version)
        header = SINGLE_OBJECT + schema.fingerprint
        if self._confluent and self._registry is not None:
            schema_id = self._registry.schema_id(f"{NAMESPACE}.{schema.record}", schema.text)
            header = CONFLUENT + schema_id.to_bytes(4, "big")
        older = None if schema.fingerprint == plan.schema.fingerprint else schema
        self._targets[plan.cls] = target = _Target(header, older)
        return target

    def _bounded(self, data: bytes) -> bytes:
        if len(data) > self._max_bytes:
            raise InvalidRecord(f"record of {len(data)} bytes is larger than the limit of {self._max_bytes}")
        return data


PROCESS: Final = Codec()
"""What this process reads and writes with where nobody says otherwise."""
encode = PROCESS.encode
decode = PROCESS.decode
decode_either = PROCESS.decode_either


def _released(record: str, version: int) -> WriterSchema:
    found = next((schema for schema in released(record) if schema.version == version), None)
    if found is None:
        raise ConfigurationError(
            f"schema {record} has no released version {version}",
            hint=f"there are: {', '.join(str(schema.version) for schema in released(record)) or 'none'}",
        )
    return found


def _kind(error: Exception) -> str:
    """What went wrong, in words that cannot quote the content."""
    match error:
        case Malformed():
            return str(error)
        case EOFError() | IndexError() | struct.error():
            return "truncated"
        case LookupError():
            return "an enum or union branch that this version does not know"
        case UnicodeError():
            return "text that is not valid Unicode"
        case OverflowError():
            return "a number outside of its range"
        case _:
            return f"a value does not fit its schema ({type(error).__name__})"

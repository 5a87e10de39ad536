"""A Confluent-compatible schema registry, for fleets that have one.

Only a codec that is told to use a registry comes here; Avro single-object encoding needs none.
What the registry says is cached for good: ids and schemas never change. Needs the extra
`confluent-kafka[schemaregistry]`, which is imported on first use.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from lawful.schemas.errors import ConfigurationError, InvalidRecord, MustStop, RetryLater

T = TypeVar("T")

_NOT_FOUND: Final = 404
_CONFLICT: Final = 409
_UNPROCESSABLE: Final = 422
_DENIED: Final = (401, 403)
_MAX_REFERENCES: Final = 100


class ConfluentRegistry:
    """Reads schemas by id and registers ours, with confluent-kafka's client.

    Args:
        settings: the client's own settings, such as `url` and `basic.auth.user.info`. A call waits
            for at most `timeout` seconds (default 5) and tries `max.retries` more times (default 1).
        register: register a schema that the registry does not know yet; else it must be there.
    """

    def __init__(self, settings: Mapping[str, Any], *, register: bool = True) -> None:
        self._settings = {"timeout": 5, "max.retries": 1, "retries.wait.ms": 200, **settings}
        self._register = register
        self._client: Any = None
        self._texts: dict[int, tuple[str, ...]] = {}
        self._ids: dict[tuple[str, str], int] = {}

    def texts(self, schema_id: int) -> tuple[str, ...]:
        """The JSON of a schema, last, after that of all schemas it refers to.

        Raises:
            InvalidRecord: the registry has no Avro schema of this id.
            RetryLater: it does not answer.
        """
        known = self._texts.get(schema_id)
        if known is None:
            found = self._call(lambda client: client.get_schema(schema_id), f"schema id {schema_id}")
            if (found.schema_type or "AVRO") != "AVRO":
                raise InvalidRecord(f"schema id {schema_id} of the registry is no Avro schema")
            known = self._texts[schema_id] = (*self._referred(found, []), str(found.schema_str))
        return known

    def schema_id(self, subject: str, text: str) -> int:
        """The id of one of our schemas, which is registered if need be and allowed.

        Raises:
            MustStop: the registry refuses it, or does not know it and `register` is off.
            RetryLater: it does not answer.
        """
        known = self._ids.get((subject, text))
        if known is None:
            known = self._ids[subject, text] = int(
                self._call(lambda client: self._look_up(client, subject, text), subject)
            )
        return known

    def close(self) -> None:
        """Lets go of the connection."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def _look_up(self, client: Any, subject: str, text: str) -> int:
        from confluent_kafka.schema_registry import Schema  # noqa: PLC0415 - an extra

        schema = Schema(text, "AVRO")
        if self._register:
            return int(client.register_schema(subject, schema))
        try:
            return int(client.lookup_schema(subject, schema).schema_id)
        except Exception as error:
            if getattr(error, "http_status_code", None) != _NOT_FOUND:
                raise
            raise MustStop(
                f"the schema registry does not know the schema of subject {subject}: register it first"
            ) from None

    def _referred(self, schema: Any, seen: list[tuple[str, int]]) -> tuple[str, ...]:
        texts: list[str] = []
        for reference in schema.references or ():
            place = (str(reference.subject), int(reference.version))
            if place in seen:
                continue
            seen.append(place)
            if len(seen) > _MAX_REFERENCES:
                raise InvalidRecord(f"a schema of the registry refers to more than {_MAX_REFERENCES} others")
            found = self._call(_version(*place), f"subject {place[0]}")
            texts += [*self._referred(found.schema, seen), str(found.schema.schema_str)]
        return tuple(texts)

    def _call(self, ask: Callable[[Any], T], about: str) -> T:
        """Maps the client's errors to what the engine must do."""
        try:
            return ask(self._connected())
        except (InvalidRecord, MustStop, ConfigurationError):
            raise
        except Exception as error:  # noqa: BLE001 - the client lets its HTTP library's errors through
            raise _mapped(error, about) from None

    def _connected(self) -> Any:
        if self._client is None:
            try:
                from confluent_kafka.schema_registry import SchemaRegistryClient  # noqa: PLC0415 - an extra
            except ImportError as error:
                raise ConfigurationError(
                    f"the schema registry client is not installed: {error.name} is missing",
                    hint="pip install 'confluent-kafka[schemaregistry]'",
                ) from None
            try:
                self._client = SchemaRegistryClient.new_client(self._settings)
            except (TypeError, ValueError) as error:
                raise ConfigurationError(f"the schema registry's settings are wrong: {error}") from None
        return self._client


def _version(subject: str, version: int) -> Callable[[Any], Any]:
    return lambda client: client.get_version(subject, version)


def _mapped(error: Exception, about: str) -> InvalidRecord | MustStop | RetryLater:
    """The error that names the action. The registry's own words stay out: they may quote a schema."""
    status = getattr(error, "http_status_code", None)
    if status == _NOT_FOUND:
        return InvalidRecord(f"the schema registry knows no {about}")
    if status in (_CONFLICT, _UNPROCESSABLE):
        return MustStop(f"the schema registry refuses the schema of {about} as incompatible or invalid (HTTP {status})")
    if status in _DENIED:
        return MustStop(f"the schema registry denies access (HTTP {status}): check its user and password")
    reason = f"HTTP {status}" if status is not None else type(error).__name__
    return RetryLater(f"the schema registry does not answer ({reason})")

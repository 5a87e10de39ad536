"""The port to a schema registry: one suite, on a registry over HTTP and on the client's own mock."""

import json
from collections.abc import Iterator

import pytest

from lawful.schemas.catalogue import current, source_of
from lawful.schemas.codec import Codec, decode
from lawful.schemas.errors import ConfigurationError, InvalidRecord, MustStop, RetryLater
from lawful.schemas.registry import ConfluentRegistry
from tests.contracts.fake_registry import FakeRegistry, running
from tests.schemas.samples import EVENT, VERDICT

QUICK = {"max.retries": 0, "timeout": 5}
SUBJECT = "lawful.Watermark"


@pytest.fixture
def server() -> Iterator[FakeRegistry]:
    """A registry over HTTP."""
    with running() as registry:
        yield registry


@pytest.fixture(params=["http", "mock"])
def registry(request: pytest.FixtureRequest) -> Iterator[ConfluentRegistry]:
    """The same client in front of two registries."""
    url = request.getfixturevalue("server").url if request.param == "http" else "mock://contract"
    found = ConfluentRegistry({"url": url, **({"max.retries": 0} if request.param == "http" else {})})
    yield found
    found.close()


def test_a_schema_keeps_its_id_and_is_found_by_it(registry: ConfluentRegistry) -> None:
    """Registering twice gives the same id, and the id gives the schema back."""
    text = current("Watermark").text
    number = registry.schema_id(SUBJECT, text)
    assert registry.schema_id(SUBJECT, text) == number
    assert [json.loads(one) for one in registry.texts(number)] == [json.loads(text)]


def test_different_schemas_have_different_ids(registry: ConfluentRegistry) -> None:
    """An id stands for one schema."""
    ids = {registry.schema_id(f"lawful.{record}", current(record).text) for record in ("Watermark", "LinkRow")}
    assert len(ids) == 2


def test_an_id_that_is_not_there_is_an_invalid_record(registry: ConfluentRegistry) -> None:
    """No retry would help."""
    with pytest.raises(InvalidRecord, match="knows no schema id 424242"):
        registry.texts(424242)


def test_records_travel_in_the_confluent_wire_format(registry: ConfluentRegistry) -> None:
    """A codec with a registry writes it, and reads both framings."""
    codec = Codec(registry, confluent=True)
    for record in (EVENT, VERDICT):
        data = codec.encode(record)
        assert data[0] == 0
        assert codec.decode(data, type(record)) == record
        assert codec.decode(Codec().encode(record), type(record)) == record
        with pytest.raises(InvalidRecord, match="no registry is configured"):
            decode(data, type(record))


def test_what_the_registry_said_is_remembered(server: FakeRegistry) -> None:
    """Neither an id nor a schema is asked for twice."""
    client = ConfluentRegistry({"url": server.url, **QUICK})
    for _ in range(3):
        client.texts(client.schema_id(SUBJECT, current("Watermark").text))
    client.close()
    assert len(server.calls) <= 2


def test_referred_schemas_come_first(server: FakeRegistry) -> None:
    """A registry may keep shared types under subjects of their own."""
    pending = source_of("Pending")
    partial = pending["fields"][0]["type"]["items"]["fields"][1]["type"]
    pending["fields"][0]["type"]["items"]["fields"][1]["type"] = "lawful.Partial"
    server.register("lawful.Partial", {"schema": json.dumps(partial)})
    reference = {"name": "lawful.Partial", "subject": "lawful.Partial", "version": 1}
    server.register("lawful.Pending", {"schema": json.dumps(pending), "references": [reference]})
    texts = ConfluentRegistry({"url": server.url, **QUICK}).texts(2)
    assert [json.loads(text) for text in texts] == [partial, pending]


@pytest.mark.parametrize(
    ("status", "error"),
    [(500, RetryLater), (503, RetryLater), (429, RetryLater), (401, MustStop), (403, MustStop)],
)
def test_a_registry_in_trouble_names_the_action(server: FakeRegistry, status: int, error: type[Exception]) -> None:
    """Trouble on its side is retried; denied access stops."""
    server.fail_with = status
    with pytest.raises(error, match=str(status)):
        ConfluentRegistry({"url": server.url, **QUICK}).texts(1)


@pytest.mark.parametrize("status", [409, 422])
def test_a_refused_schema_stops(server: FakeRegistry, status: int) -> None:
    """An incompatible schema must not be written with."""
    server.fail_with = status
    with pytest.raises(MustStop, match=r"refuses the schema of lawful\.Watermark"):
        ConfluentRegistry({"url": server.url, **QUICK}).schema_id(SUBJECT, current("Watermark").text)


def test_a_registry_that_is_away_is_retried_later() -> None:
    """Nothing listens there."""
    with running() as gone:
        url = gone.url
    with pytest.raises(RetryLater, match="does not answer"):
        ConfluentRegistry({"url": url, **QUICK}).texts(1)


def test_a_registry_that_came_back_is_asked_again(server: FakeRegistry) -> None:
    """A failure is not remembered."""
    server.register(SUBJECT, {"schema": current("Watermark").text})
    server.fail_with = 503
    client = ConfluentRegistry({"url": server.url, **QUICK})
    with pytest.raises(RetryLater):
        client.texts(1)
    server.fail_with = None
    assert len(client.texts(1)) == 1


def test_nothing_is_registered_when_that_is_off(server: FakeRegistry) -> None:
    """In production schemas are registered by a release, not by a worker."""
    client = ConfluentRegistry({"url": server.url, **QUICK}, register=False)
    with pytest.raises(MustStop, match="register it first"):
        client.schema_id(SUBJECT, current("Watermark").text)
    assert server.schemas == []
    server.register(SUBJECT, {"schema": current("Watermark").text})
    assert client.schema_id(SUBJECT, current("Watermark").text) == 1


def test_a_schema_of_another_language_is_an_invalid_record(server: FakeRegistry) -> None:
    """Ids of JSON Schema and Protobuf are not ours."""
    server.register("other", {"schema": "{}", "schemaType": "JSON"})
    with pytest.raises(InvalidRecord, match="no Avro schema"):
        ConfluentRegistry({"url": server.url, **QUICK}).texts(1)


def test_wrong_settings_are_told_before_any_call() -> None:
    """A misspelt setting names itself."""
    with pytest.raises(ConfigurationError, match=r"ulr|url"):
        ConfluentRegistry({"ulr": "http://127.0.0.1:1"}).texts(1)

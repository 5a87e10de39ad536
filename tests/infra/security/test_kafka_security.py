"""Security settings reach both Kafka clients: librdkafka's and the workers' own, over a real TLS connection."""

from collections.abc import Callable
from pathlib import Path

import pytest
from aiokafka.errors import KafkaError
from faust.types import TP

from lawful.infra.compose_root import tls, worker_options
from lawful.infra.kafka_admin import admin, inspect_topics
from lawful.infra.kafka_errors import mapped
from lawful.infra.settings import KafkaSettings, Settings, Store
from lawful.infra.settings_load import load_settings, variable
from lawful.schemas.errors import ConfigurationError, LawfulError
from lawful.streams.reading import log_bounds
from lawful.streams.topology import LawfulApp
from tests.infra.security.certificates import KEY_PASSWORD, Authority, make_authority
from tests.infra.security.fake_broker import Visitors, fake_broker

PASSWORD = "hidden-password"


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """Certificates."""
    return make_authority(tmp_path_factory.mktemp("certificates"))


def settings(authority: Authority, port: int, name: str = "client", **more: str) -> Settings:
    """As an operator sets them, by environment."""
    values = {
        "kafka.bootstrap": f"127.0.0.1:{port}",
        "kafka.security_protocol": "SSL",
        "kafka.ssl_ca_location": authority.ca,
        "kafka.ssl_certificate_location": authority.certificate(name),
        "kafka.ssl_key_location": authority.key(name),
        "store": Store.MEMORY.value,
        **{key.replace("__", "."): value for key, value in more.items()},
    }
    return load_settings({variable(key): value for key, value in values.items()})


SASL = {
    "kafka__security_protocol": "SASL_SSL",
    "kafka__sasl_mechanism": "PLAIN",
    "kafka__sasl_username": "worker",
    "kafka__sasl_password": PASSWORD,
}


def by_librdkafka(settings: Settings) -> None:
    """As the command line, the audit writer and the guards connect."""
    client = admin(settings.kafka)
    with pytest.raises(LawfulError), mapped("listing topics"):
        client.list_topics(timeout=1.5)


async def by_faust(settings: Settings) -> None:
    """As a worker connects to read its tables back."""
    app = LawfulApp(worker_options(settings))
    with pytest.raises(KafkaError):
        await log_bounds(app, [TP("lawful.events", 0)])


async def visit(client: str, settings: Settings) -> None:
    """One of the two clients tries to connect."""
    if client == "librdkafka":
        by_librdkafka(settings)
    else:
        await by_faust(settings)


BOTH = pytest.mark.parametrize("client", ["librdkafka", "faust"])


async def met(authority: Authority, client: str, make: Callable[[int], Settings]) -> Visitors:
    """What a broker learns of a client with these settings."""
    with fake_broker(authority.server_context()) as (port, visitors):
        await visit(client, make(port))
    return visitors


@BOTH
async def test_a_client_shows_its_certificate(authority: Authority, client: str) -> None:
    """TLS both ways: the broker sees whom it talks to, and the client trusts the broker by the authority's file."""
    visitors = await met(authority, client, lambda port: settings(authority, port))
    assert set(visitors.names) == {"worker-1"}
    assert visitors.requests


@BOTH
async def test_a_key_may_have_a_password(authority: Authority, client: str) -> None:
    """It opens the key for either client."""
    visitors = await met(
        authority, client, lambda port: settings(authority, port, "locked", kafka__ssl_key_password=KEY_PASSWORD)
    )
    assert set(visitors.names) == {"worker-2"}


@BOTH
async def test_a_client_logs_in_over_tls(authority: Authority, client: str) -> None:
    """SASL: name and password reach the broker, inside of TLS."""
    visitors = await met(authority, client, lambda port: settings(authority, port, **SASL))
    assert set(visitors.mechanisms) == {"PLAIN"}
    assert {part for part in visitors.logins[0].split(b"\0") if part} == {b"worker", PASSWORD.encode()}


@BOTH
async def test_a_broker_that_the_authority_does_not_know_is_not_talked_to(
    authority: Authority, client: str, tmp_path: Path
) -> None:
    """Neither client says a word to a stranger."""
    stranger = make_authority(tmp_path)
    with fake_broker(stranger.server_context()) as (port, visitors):
        await visit(client, settings(authority, port, **SASL))
    assert visitors.failures
    assert not visitors.requests


@pytest.mark.parametrize("mechanism", ["", "OAUTHBEARER", "GSSAPI"])
def test_what_workers_cannot_do_is_refused_by_name(authority: Authority, mechanism: str) -> None:
    """Instead of falling back to something weaker."""
    wanted = settings(authority, 9092, **{**SASL, "kafka__sasl_mechanism": mechanism})
    with pytest.raises(ConfigurationError, match="cannot log in to Kafka with"):
        worker_options(wanted)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"ssl_ca_location": "ca.pem"}, "kafka.ssl_ca_location is set, but kafka.security_protocol is PLAINTEXT"),
        (
            {"sasl_username": "me", "security_protocol": "SSL"},
            "kafka.sasl_username is set, but kafka.security_protocol is SSL",
        ),
    ],
)
def test_security_that_would_not_be_used_is_refused(values: dict[str, str], said: str) -> None:
    """Whoever sets a certificate and leaves the connection in clear text is told so."""
    with pytest.raises(ConfigurationError, match=said):
        KafkaSettings(**values)


def test_certificates_that_cannot_be_used_are_named(authority: Authority, tmp_path: Path) -> None:
    """A file that is missing or is no certificate is a fault of the setting, and its content is not shown."""
    broken = tmp_path / "broken.pem"
    broken.write_text("hidden")
    for path in (str(tmp_path / "none.pem"), str(broken)):
        with pytest.raises(ConfigurationError, match=r"check kafka\.ssl_") as caught:
            tls(settings(authority, 9092, kafka__ssl_ca_location=path).kafka)
        assert "hidden" not in str(caught.value)


def test_no_secret_is_shown_whatever_goes_wrong(
    authority: Authority, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither repr nor options nor errors nor logs of settings with secrets hold one."""
    monkeypatch.setattr("lawful.infra.kafka_admin.TIMEOUT_SECONDS", 1.0)
    wanted = settings(authority, 1, "locked", kafka__ssl_key_password=KEY_PASSWORD, **SASL)
    with pytest.raises(LawfulError) as caught:
        inspect_topics(wanted)
    shown = [repr(wanted), repr(worker_options(wanted)), repr(worker_options(wanted).credentials), str(caught.value)]
    assert not [text for text in (*shown, caplog.text) if PASSWORD in text or KEY_PASSWORD in text]

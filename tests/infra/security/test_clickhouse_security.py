"""TLS to ClickHouse: the authority's file, a client's certificate, and what is refused."""

import contextlib
import socket
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from lawful.infra.clickhouse.client import connect
from lawful.infra.engines.clickhouse import EmbeddedClickHouse
from lawful.infra.settings import ClickHouseSettings
from lawful.schemas.errors import ConfigurationError, RetryLater
from tests.infra.security.certificates import Authority, make_authority

pytestmark = pytest.mark.service


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """Certificates."""
    return make_authority(tmp_path_factory.mktemp("certificates"))


@contextlib.contextmanager
def front(context: ssl.SSLContext, port: int) -> Iterator[tuple[int, list[str]]]:
    """TLS before a plain HTTP port; gives the port, and the names of those who came."""
    names: list[str] = []
    stop = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.05)
        thread = threading.Thread(target=_accept, args=(listener, context, port, names, stop))
        thread.start()
        try:
            yield listener.getsockname()[1], names
        finally:
            stop.set()
            thread.join()


def _accept(
    listener: socket.socket, context: ssl.SSLContext, port: int, names: list[str], stop: threading.Event
) -> None:
    running: list[threading.Thread] = []
    while not stop.is_set():
        with contextlib.suppress(TimeoutError):
            client, _ = listener.accept()
            running.append(threading.Thread(target=_pass_on, args=(client, context, port, names, stop)))
            running[-1].start()
    for thread in running:
        thread.join()


def _pass_on(
    client: socket.socket, context: ssl.SSLContext, port: int, names: list[str], stop: threading.Event
) -> None:
    with contextlib.suppress(OSError), client, context.wrap_socket(client, server_side=True) as secure:
        names.append(str(secure.getpeercert()))
        with socket.create_connection(("127.0.0.1", port)) as plain:
            back = threading.Thread(target=_copy, args=(plain, secure, stop))
            back.start()
            _copy(secure, plain, stop)
            back.join()


def _copy(source: socket.socket, target: socket.socket, stop: threading.Event) -> None:
    source.settimeout(0.05)
    while not stop.is_set():
        try:
            part = source.recv(65_536)
        except TimeoutError:
            continue
        except OSError:
            return
        if not part:
            return
        target.sendall(part)


def settings(clickhouse: EmbeddedClickHouse, authority: Authority, port: int, **more: object) -> ClickHouseSettings:
    """A login with password and certificate."""
    values = {
        "port": port,
        "user": "owner",
        "password": clickhouse.password("owner"),
        "secure": True,
        "ssl_ca_location": authority.ca,
        "ssl_certificate_location": authority.certificate("client"),
        "ssl_key_location": authority.key("client"),
        "database": "default",
    }
    return ClickHouseSettings(**{**values, **more})  # type: ignore[arg-type]


def test_a_client_shows_its_certificate_and_logs_in(clickhouse: EmbeddedClickHouse, authority: Authority) -> None:
    """With a certificate and a password: the server sees the certificate, and queries are answered."""
    with front(authority.server_context(), clickhouse.port) as (port, names):
        client = connect(settings(clickhouse, authority, port))
        assert client.query("SELECT currentUser()").result_rows == [("owner",)]
        client.close()
    assert "worker-1" in names[0]


def test_a_server_that_the_authority_does_not_know_gets_no_password(
    clickhouse: EmbeddedClickHouse, authority: Authority, tmp_path: Path
) -> None:
    """The connection ends before anything is sent."""
    stranger = make_authority(tmp_path)
    with front(stranger.server_context(), clickhouse.port) as (port, names), pytest.raises(RetryLater) as caught:
        connect(settings(clickhouse, authority, port))
    assert names == []
    assert clickhouse.password("owner") not in str(caught.value)


def test_without_a_certificate_a_server_that_wants_one_is_not_reached(
    clickhouse: EmbeddedClickHouse, authority: Authority
) -> None:
    """The certificate is what opens the door, not the password alone."""
    with front(authority.server_context(), clickhouse.port) as (port, _), pytest.raises(RetryLater):
        connect(settings(clickhouse, authority, port, ssl_certificate_location="", ssl_key_location=""))


def test_certificates_over_plain_http_are_refused(clickhouse: EmbeddedClickHouse, authority: Authority) -> None:
    """Whoever sets an authority and leaves the connection in clear text is told so."""
    with pytest.raises(ConfigurationError, match=r"clickhouse\.ssl_ca_location is set, but clickhouse\.secure is not"):
        settings(clickhouse, authority, 8443, secure=False)


def test_a_certificate_that_is_not_there_is_named(clickhouse: EmbeddedClickHouse, authority: Authority) -> None:
    """It is a fault of the setting, not of the server."""
    with pytest.raises(ConfigurationError, match=r"clickhouse\.ssl_ca_location: cannot read .*none\.pem"):
        connect(settings(clickhouse, authority, 8443, ssl_ca_location=str(Path(authority.ca).with_name("none.pem"))))

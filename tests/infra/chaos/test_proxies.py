"""The proxies that faults are made with do what they say, and nothing else."""

import contextlib
import socket
import struct
import threading
from collections.abc import Callable, Iterator

import pytest

from lawful.infra.chaos.disk import MARKER, Disk, DiskProxy
from lawful.infra.chaos.proxy import HOST
from lawful.infra.chaos.wire import Wire


@contextlib.contextmanager
def server(answer: Callable[[bytes], bytes]) -> Iterator[int]:
    """Answers every request on its connection; gives its port."""
    listener = socket.create_server((HOST, 0))

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listener.accept()
                with connection, contextlib.suppress(OSError):
                    while data := connection.recv(1 << 16):
                        connection.sendall(answer(data))

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield listener.getsockname()[1]
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    thread.join(5)


def framed(content: bytes) -> bytes:
    """As Kafka frames it."""
    return struct.pack(">i", len(content)) + content


@pytest.fixture
def broker() -> Iterator[int]:
    """Something that names its own address, as a broker does."""
    port: list[int] = []
    with server(lambda _: framed(b"I am " + HOST.encode() + struct.pack(">i", port[0]))) as listening:
        port.append(listening)
        yield listening


def test_a_wire_names_itself_where_the_broker_does(broker: int) -> None:
    """Clients come back through it."""
    with Wire(broker) as wire, socket.create_connection((HOST, wire.port), 5) as client:
        client.sendall(framed(b"who are you?"))
        assert client.recv(100) == framed(b"I am " + HOST.encode() + struct.pack(">i", wire.port))


def test_a_cut_ends_connections_and_the_next_one_works(broker: int) -> None:
    """It counts what it cut."""
    with Wire(broker) as wire:
        with socket.create_connection((HOST, wire.port), 5) as client:
            client.sendall(framed(b"who are you?"))
            client.recv(100)
            assert wire.cut() == wire.cuts == 1
            with contextlib.suppress(ConnectionResetError):
                assert client.recv(100) == b""
        with socket.create_connection((HOST, wire.port), 5) as client:
            client.sendall(framed(b"and now?"))
            assert client.recv(100)


def asked(port: int, request: bytes) -> bytes:
    """What a proxy on this port answers."""
    with socket.create_connection((HOST, port), 5) as client:
        client.sendall(request)
        return client.recv(1_000)


def test_a_full_disk_refuses_inserts_only() -> None:
    """ClickHouse's own code says why."""
    with server(lambda data: b"done: " + data) as clickhouse, DiskProxy(clickhouse) as proxy:
        insert = b"POST /?" + MARKER + b"=1"
        assert asked(proxy.port, insert) == b"done: " + insert
        proxy.disk = Disk.FULL
        assert b"X-ClickHouse-Exception-Code: 243" in asked(proxy.port, insert)
        assert asked(proxy.port, b"SELECT 1") == b"done: SELECT 1"
        assert proxy.refused == 1


def test_a_slow_disk_takes_its_time() -> None:
    """What is asked of it is done in the end."""
    with server(lambda data: b"done: " + data) as clickhouse, DiskProxy(clickhouse, delay=0.05) as proxy:
        proxy.disk = Disk.SLOW
        assert asked(proxy.port, MARKER) == b"done: " + MARKER
        assert proxy.delayed == 1

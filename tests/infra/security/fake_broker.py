"""A broker behind TLS that lets clients log in and then has nothing more to say; it notes who came."""

import contextlib
import socket
import ssl
import struct
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

_API_VERSIONS, _SASL_HANDSHAKE, _SASL_AUTHENTICATE = 18, 17, 36
_SUPPORTED = (
    (0, 0, 8),
    (1, 0, 11),
    (3, 0, 5),
    (_SASL_HANDSHAKE, 0, 1),
    (_API_VERSIONS, 0, 0),
    (_SASL_AUTHENTICATE, 0, 0),
)
_UNSUPPORTED_VERSION = 35


@dataclass
class Visitors:
    """What the broker learnt of its clients."""

    names: list[str] = field(default_factory=list)
    mechanisms: list[str] = field(default_factory=list)
    logins: list[bytes] = field(default_factory=list)
    requests: list[int] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


@contextlib.contextmanager
def fake_broker(context: ssl.SSLContext) -> Iterator[tuple[int, Visitors]]:
    """Listens on loopback; gives the port, and what it learns."""
    visitors, stop = Visitors(), threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.05)
        thread = threading.Thread(target=_accept, args=(listener, context, visitors, stop))
        thread.start()
        try:
            yield listener.getsockname()[1], visitors
        finally:
            stop.set()
            thread.join()


def _accept(listener: socket.socket, context: ssl.SSLContext, visitors: Visitors, stop: threading.Event) -> None:
    while not stop.is_set():
        try:
            client, _ = listener.accept()
        except TimeoutError:
            continue
        client.settimeout(2)
        try:
            with client, context.wrap_socket(client, server_side=True) as secure:
                visitors.names.append(_name(secure))
                _serve(secure, visitors)
        except OSError as error:
            visitors.failures.append(type(error).__name__)


def _name(secure: ssl.SSLSocket) -> str:
    found = secure.getpeercert() or {}
    subject: tuple[tuple[tuple[str, str], ...], ...] = found.get("subject", ())  # type: ignore[assignment]
    return dict(pair for part in subject for pair in part).get("commonName", "")


def _serve(secure: ssl.SSLSocket, visitors: Visitors) -> None:
    while (request := _read(secure)) is not None:
        key, version, correlation = struct.unpack(">hhi", request[:8])
        visitors.requests.append(key)
        body = _after_client_id(request)
        if key == _API_VERSIONS:
            code = _UNSUPPORTED_VERSION if version else 0
            answer = struct.pack(">hi", code, len(_SUPPORTED)) + b"".join(
                struct.pack(">hhh", *each) for each in _SUPPORTED
            )
        elif key == _SASL_HANDSHAKE:
            mechanism = body[2:]
            visitors.mechanisms.append(mechanism.decode())
            answer = struct.pack(">hih", 0, 1, len(mechanism)) + mechanism
        elif key == _SASL_AUTHENTICATE:
            visitors.logins.append(body[4:])
            answer = struct.pack(">hhi", 0, -1, 0)
        else:
            return
        secure.sendall(struct.pack(">ii", 4 + len(answer), correlation) + answer)


def _after_client_id(request: bytes) -> bytes:
    (length,) = struct.unpack(">h", request[8:10])
    return request[10 + max(0, length) :]


def _read(secure: ssl.SSLSocket) -> bytes | None:
    head = _exactly(secure, 4)
    return None if head is None else _exactly(secure, struct.unpack(">i", head)[0])


def _exactly(secure: ssl.SSLSocket, size: int) -> bytes | None:
    found = b""
    while len(found) < size:
        part = secure.recv(size - len(found))
        if not part:
            return None
        found += part
    return found

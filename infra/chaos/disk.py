"""A proxy before ClickHouse that answers as ClickHouse does when its disk is full or slow.

Only inserts are hit: everything else passes. A full disk refuses an insert, in ClickHouse's own words;
a slow one carries it out, late.
"""

import contextlib
import socket
import threading
import time
from enum import Enum, auto
from types import TracebackType
from typing import Self

HOST = "127.0.0.1"
MARKER = b"insert_deduplication_token"
_WORDS = b"Code: 243. DB::Exception: Cannot reserve 1.00 MiB, not enough space. (NOT_ENOUGH_SPACE)\n"
_REFUSAL = (
    b"HTTP/1.1 500 Internal Server Error\r\nContent-Type: text/plain; charset=UTF-8\r\n"
    b"X-ClickHouse-Exception-Code: 243\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(_WORDS), _WORDS)
)


class Disk(Enum):
    """How the disk is."""

    FINE = auto()
    FULL = auto()
    SLOW = auto()


class DiskProxy:
    """Forwards to ClickHouse's HTTP port.

    Args:
        port: where ClickHouse listens.
        delay: seconds that a slow disk takes for an insert.
    """

    def __init__(self, port: int, delay: float = 2.0) -> None:
        self._to = port
        self._delay = delay
        self._listener = socket.create_server((HOST, 0))
        self._ends: set[socket.socket] = set()
        self._accepts = threading.Thread(target=self._accept, daemon=True)
        self.port: int = self._listener.getsockname()[1]
        self.disk = Disk.FINE
        self.refused = 0
        self.delayed = 0

    def __enter__(self) -> Self:
        self._accepts.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for end in (self._listener, *self._ends):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self._accepts.join(5)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection((HOST, self._to), 5)
            except OSError:
                client.close()
                continue
            server.settimeout(None)
            self._ends |= {client, server}
            threading.Thread(target=self._requests, args=(client, server), daemon=True).start()
            threading.Thread(target=self._answers, args=(server, client), daemon=True).start()

    def _requests(self, client: socket.socket, server: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := client.recv(1 << 16):
                if MARKER in data and self._stops(client):
                    break
                server.sendall(data)
        for end in (client, server):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _stops(self, client: socket.socket) -> bool:
        if self.disk is Disk.FULL:
            self.refused += 1
            client.sendall(_REFUSAL)
            return True
        if self.disk is Disk.SLOW:
            self.delayed += 1
            time.sleep(self._delay)
        return False

    @staticmethod
    def _answers(server: socket.socket, client: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := server.recv(1 << 16):
                client.sendall(data)
        with contextlib.suppress(OSError):
            client.shutdown(socket.SHUT_WR)

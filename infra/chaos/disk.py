"""A proxy before ClickHouse that answers as ClickHouse does when its disk is full or slow.

Only inserts are hit: everything else passes. A full disk refuses an insert, in ClickHouse's own words;
a slow one carries it out, late.
"""

import socket
import time
from enum import Enum, auto

from lawful.infra.chaos.proxy import CHUNK, Proxy, forward

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


class DiskProxy(Proxy):
    """Forwards to ClickHouse's HTTP port.

    Args:
        clickhouse: where ClickHouse listens.
        delay: seconds that a slow disk takes for an insert.
    """

    def __init__(self, clickhouse: int, delay: float = 2.0) -> None:
        super().__init__(clickhouse)
        self._delay = delay
        self.disk = Disk.FINE
        self.refused = 0
        self.delayed = 0

    def _requests(self, client: socket.socket, server: socket.socket) -> None:
        while data := client.recv(CHUNK):
            if MARKER in data and self._stops(client):
                return
            server.sendall(data)

    def _stops(self, client: socket.socket) -> bool:
        if self.disk is Disk.FULL:
            self.refused += 1
            client.sendall(_REFUSAL)
            return True
        if self.disk is Disk.SLOW:
            self.delayed += 1
            time.sleep(self._delay)
        return False

    def _answers(self, server: socket.socket, client: socket.socket) -> None:
        forward(server, client)

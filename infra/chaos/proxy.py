"""What the proxies of the faults have in common: a port of their own on loopback, and pairs of connections."""

import contextlib
import socket
import struct
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from types import TracebackType
from typing import Self

HOST = "127.0.0.1"
CHUNK = 1 << 16
_RESET = struct.pack("ii", 1, 0)


Work = Callable[[socket.socket, socket.socket], None]


class Proxy(ABC):
    """Takes connections and makes one to the target for each; a context manager.

    Args:
        target: the port on loopback that is stood before.
    """

    def __init__(self, target: int) -> None:
        self._target = target
        self._listener = socket.create_server((HOST, 0))
        self.port: int = self._listener.getsockname()[1]
        self._open: set[socket.socket] = set()
        self._gate = threading.Lock()
        self._accepts = threading.Thread(target=self._accept, daemon=True)

    @abstractmethod
    def _requests(self, client: socket.socket, server: socket.socket) -> None:
        """Passes on what the client says, until it ends."""

    @abstractmethod
    def _answers(self, server: socket.socket, client: socket.socket) -> None:
        """Passes on what the server says, until it ends."""

    def __enter__(self) -> Self:
        self._accepts.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._accepts.join(5)
        self.cut()

    def cut(self) -> int:
        """Cuts all connections; gives how many there were."""
        with self._gate:
            ends, self._open = self._open, set()
        for end in ends:
            _close(end, reset=True)
        return len(ends) // 2

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection((HOST, self._target), 5)
            except OSError:
                client.close()
                continue
            server.settimeout(None)
            with self._gate:
                self._open |= {client, server}
            for work, source, sink in ((self._requests, client, server), (self._answers, server, client)):
                threading.Thread(target=self._until_it_ends, args=(work, source, sink), daemon=True).start()

    def _until_it_ends(self, work: Work, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError, ValueError):
            work(source, sink)
        with self._gate:
            mine = {source, sink} & self._open
            self._open -= mine
        for end in mine:  # the other direction ends with it
            _close(end)


def _close(end: socket.socket, *, reset: bool = False) -> None:
    with contextlib.suppress(OSError):
        if reset:
            end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        end.shutdown(socket.SHUT_RDWR)
    end.close()


def forward(source: socket.socket, sink: socket.socket) -> None:
    """Passes on bytes as they are."""
    while data := source.recv(CHUNK):
        sink.sendall(data)

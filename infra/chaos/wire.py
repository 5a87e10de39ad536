"""A TCP proxy before a broker, whose connections can be cut.

A broker names its own address in its answers, so that clients would go around the proxy: the port is
replaced on the way, frame by frame. What was sent before a cut is carried out; its answer is lost.
"""

import contextlib
import socket
import struct
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self

HOST = "127.0.0.1"
_Work = Callable[[socket.socket, socket.socket], None]
_RESET = struct.pack("ii", 1, 0)


class Wire:
    """Forwards to a broker on loopback until it is cut; new connections work again at once.

    Args:
        broker: the port that the broker listens on.
    """

    def __init__(self, broker: int) -> None:
        self._broker = broker
        self._listener = socket.create_server((HOST, 0))
        self.port: int = self._listener.getsockname()[1]
        self._inner, self._outer = (HOST.encode() + struct.pack(">i", port) for port in (broker, self.port))
        self._open: set[socket.socket] = set()
        self._gate = threading.Lock()
        self._accepts = threading.Thread(target=self._accept, daemon=True)
        self.cuts = 0

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
            with contextlib.suppress(OSError):
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self.cuts += len(ends) // 2
        return len(ends) // 2

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection((HOST, self._broker), 5)
            except OSError:
                client.close()
                continue
            server.settimeout(None)
            with self._gate:
                self._open |= {client, server}
            for work, source, target in ((_forward, client, server), (self._answers, server, client)):
                threading.Thread(target=self._until_cut, args=(work, source, target), daemon=True).start()

    def _until_cut(self, work: "_Work", source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError, ValueError):
            work(source, target)
        with self._gate:
            mine = {source, target} & self._open
            self._open -= mine
        for end in mine:  # the other direction ends with it
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _answers(self, server: socket.socket, client: socket.socket) -> None:
        with server.makefile("rb") as stream:
            while len(head := stream.read(4)) == 4:  # noqa: PLR2004 - a length in four bytes
                (size,) = struct.unpack(">i", head)
                client.sendall(head + stream.read(size).replace(self._inner, self._outer))


def _forward(source: socket.socket, target: socket.socket) -> None:
    while data := source.recv(1 << 16):
        target.sendall(data)

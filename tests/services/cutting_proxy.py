"""A TCP proxy on loopback that can be told to misbehave, for tests of retries."""

import contextlib
import socket
import threading
from types import TracebackType
from typing import Self


class CuttingProxy:
    """Forwards to `port`; while `cutting`, it delivers requests whole and never an answer.

    Args:
        port: where requests go.
        marker: only connections whose request holds these bytes are cut.
    """

    def __init__(self, port: int, marker: bytes) -> None:
        self._to = port
        self._marker = marker
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self.cuts_left = 0
        self.cuts = 0
        self.port: int = self._listener.getsockname()[1]

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for each in [self._listener, *self._open]:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self._to))
            self._open += [client, server]
            cut = threading.Event()
            threading.Thread(target=self._requests, args=(client, server, cut), daemon=True).start()
            threading.Thread(target=self._answers, args=(server, client, cut), daemon=True).start()

    def _requests(self, client: socket.socket, server: socket.socket, cut: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while data := client.recv(1 << 16):
                if self.cuts_left > 0 and self._marker in data:
                    self.cuts_left -= 1
                    cut.set()
                server.sendall(data)
            server.shutdown(socket.SHUT_WR)

    def _answers(self, server: socket.socket, client: socket.socket, cut: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while data := server.recv(1 << 16):
                if cut.is_set():  # the server has carried it out; the client never hears of it
                    self.cuts += 1
                    client.shutdown(socket.SHUT_RDWR)
                    return
                client.sendall(data)
            client.shutdown(socket.SHUT_RDWR)

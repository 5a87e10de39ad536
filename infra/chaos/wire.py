"""A TCP proxy before a broker, whose connections can be cut.

A broker names its own address in its answers, so that clients would go around the proxy: the port is
replaced on the way, frame by frame. What was sent before a cut is carried out; its answer is lost.
"""

import socket
import struct

from lawful.infra.chaos.proxy import HOST, Proxy, forward


class Wire(Proxy):
    """Forwards to a broker on loopback until it is cut; new connections work again at once.

    Args:
        broker: the port that the broker listens on.
    """

    def __init__(self, broker: int) -> None:
        super().__init__(broker)
        self._inner, self._outer = (HOST.encode() + struct.pack(">i", port) for port in (broker, self.port))
        self.cuts = 0

    def cut(self) -> int:
        """Cuts all connections; gives how many there were."""
        cut = super().cut()
        self.cuts += cut
        return cut

    def _requests(self, client: socket.socket, server: socket.socket) -> None:
        forward(client, server)

    def _answers(self, server: socket.socket, client: socket.socket) -> None:
        with server.makefile("rb") as stream:
            while len(head := stream.read(4)) == 4:  # noqa: PLR2004 - a length in four bytes
                (size,) = struct.unpack(">i", head)
                client.sendall(head + stream.read(size).replace(self._inner, self._outer))

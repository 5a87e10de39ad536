"""Free ports on loopback, without trusting that a free port stays free.

Between finding a free port and the engine binding it, anybody may take it. So a start that fails
is tried again on other ports; and a port given out once is not given out again by this process.
"""

import contextlib
import socket
from collections.abc import Callable
from typing import TypeVar

from lawful.infra.engines.process import EngineFailed

LOOPBACK = "127.0.0.1"
ATTEMPTS = 3
T = TypeVar("T")

_given: set[int] = set()


def free_port() -> int:
    """A port on loopback that nobody listens on at this moment."""
    while True:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            probe.bind((LOOPBACK, 0))
            port = int(probe.getsockname()[1])
        if port not in _given:
            _given.add(port)
            return port


def on_free_ports(count: int, start: Callable[[tuple[int, ...]], T], *, attempts: int = ATTEMPTS) -> T:
    """Calls `start` with free ports, and again with others when it fails because it lost a race.

    Raises:
        EngineFailed: the last attempt's failure, or one that is not about an address in use.
    """
    for left in reversed(range(attempts)):
        try:
            return start(tuple(free_port() for _ in range(count)))
        except EngineFailed as failure:
            if not left or "address" not in str(failure).lower():
                raise
    raise AssertionError("attempts must be at least 1")


def answers(port: int, *, timeout: float = 0.5) -> bool:
    """Whether something accepts connections on this loopback port."""
    with contextlib.suppress(OSError), socket.create_connection((LOOPBACK, port), timeout):
        return True
    return False

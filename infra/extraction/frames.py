"""Values between a worker and its extraction processes: pickled, each behind its length.

Both ends are the same program of the same user, and a socket that nobody else has joins them.
"""

import os
import pickle
import selectors
import struct
import time
from typing import Any, Final

HEAD: Final = struct.Struct(">I")
_CHUNK: Final = 1 << 16


class Late(Exception):
    """Nothing came, or nothing was taken, in time."""


def pack(value: object) -> bytes:
    """A value as a frame."""
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return HEAD.pack(len(data)) + data


def send(channel: int, value: object, seconds: float | None = None) -> None:
    """Sends a value.

    Args:
        channel: a file descriptor.
        value: what to send.
        seconds: how long to wait until it is taken; without a number, for ever.

    Raises:
        Late: it was not taken in time.
        OSError: the other end is gone.
    """
    data = memoryview(pack(value))
    deadline = _deadline(seconds)
    while data:
        _await(channel, selectors.EVENT_WRITE, deadline)
        data = data[os.write(channel, data[:_CHUNK]) :]


class Reader:
    """Reads values from a file descriptor.

    Args:
        channel: the descriptor.
    """

    def __init__(self, channel: int) -> None:
        self._channel = channel
        self._got = bytearray()

    def next(self, seconds: float | None = None) -> Any:
        """The next value.

        Args:
            seconds: how long to wait; without a number, for ever.

        Raises:
            Late: it did not come in time.
            EOFError: the other end is gone.
        """
        deadline = _deadline(seconds)
        while (frame := self._complete()) is None:
            _await(self._channel, selectors.EVENT_READ, deadline)
            data = os.read(self._channel, _CHUNK)
            if not data:
                raise EOFError
            self._got += data
        return pickle.loads(frame)  # noqa: S301 - from our own process, see above

    def _complete(self) -> bytes | None:
        if len(self._got) < HEAD.size:
            return None
        (length,) = HEAD.unpack_from(self._got)
        end = HEAD.size + length
        if len(self._got) < end:
            return None
        frame = bytes(self._got[HEAD.size : end])
        del self._got[:end]
        return frame


def _deadline(seconds: float | None) -> float | None:
    return None if seconds is None else time.monotonic() + seconds


def _await(channel: int, event: int, deadline: float | None) -> None:
    if deadline is None:
        return
    with selectors.DefaultSelector() as selector:
        selector.register(channel, event)
        if not selector.select(max(0.0, deadline - time.monotonic())):
            raise Late

"""Ctrl-C, SIGTERM and a closed terminal as one exception, once: whoever is stopping is not interrupted by another."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_STOP = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def interruptible() -> Iterator[None]:
    """Within, the first SIGINT, SIGTERM or SIGHUP raises `KeyboardInterrupt`; later ones are ignored.

    Under `nohup`, a closed terminal goes on to end nothing.
    """

    def interrupt(_: int, __: FrameType | None) -> None:
        for number in heard:
            signal.signal(number, signal.SIG_IGN)
        raise KeyboardInterrupt

    nohup = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    heard = [number for number in _STOP if not (nohup and number is signal.SIGHUP)]
    before = {number: signal.signal(number, interrupt) for number in heard}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

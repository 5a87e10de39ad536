"""Ctrl-C, SIGTERM and a closed terminal as one exception, once: whoever is stopping is not interrupted by another."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_STOP = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_AGAIN_SECONDS = 0.01


@contextmanager
def interruptible() -> Iterator[None]:
    """Within, the first SIGINT, SIGTERM or SIGHUP raises `KeyboardInterrupt`; later ones are ignored.

    Under `nohup`, a closed terminal goes on to end nothing. Where Python can raise nothing, as in the callbacks that
    every import has, it drops the exception; then it is raised again a moment later.
    """

    def interrupt(_: int, __: FrameType | None) -> None:
        for number in heard:
            signal.signal(number, signal.SIG_IGN)
        raise KeyboardInterrupt

    def dropped(what: "sys.UnraisableHookArgs") -> None:
        if issubclass(what.exc_type, KeyboardInterrupt):
            signal.signal(signal.SIGINT, interrupt)
            again.append(threading.Timer(_AGAIN_SECONDS, os.kill, (os.getpid(), signal.SIGINT)))
            again[-1].start()
        else:
            told(what)

    again: list[threading.Timer] = []
    nohup = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    heard = [number for number in _STOP if not (nohup and number is signal.SIGHUP)]
    before = {number: signal.signal(number, interrupt) for number in heard}
    told, sys.unraisablehook = sys.unraisablehook, dropped
    try:
        yield
    finally:
        sys.unraisablehook = told
        for timer in again:  # whoever is leaving is not interrupted any more
            timer.cancel()
            timer.join()
        for number, handler in before.items():
            signal.signal(number, handler)

"""SIGTERM and SIGINT as a call, for processes whose loop then ends by itself."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def on_signals(handle: Callable[[], None]) -> Iterator[None]:
    """Within, SIGTERM and SIGINT call this. Does nothing outside of the main thread, which alone may be signalled."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        handle()

    before = {number: signal.signal(number, on_signal) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

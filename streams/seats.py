"""A seat for each auditor: a thread of its own, so that one that hangs keeps nobody else waiting.

A thread cannot be stopped. One that is stuck is passed over at once until it comes back; its seat
is a daemon, so it does not keep a process from ending either.
"""

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final, Generic, TypeVar

T = TypeVar("T")
A = TypeVar("A")

_MOST_WAITING: Final = 64


class Seat(Generic[A, T]):
    """Answers one question after the other.

    Args:
        name: of the thread.
        answer: what is asked.
    """

    def __init__(self, name: str, answer: Callable[[A], T]) -> None:
        self._name = name
        self._answer = answer
        self._questions: queue.Queue[tuple[A, Future[T]]] = queue.Queue(_MOST_WAITING)
        self._gate = threading.Lock()
        self._thread: threading.Thread | None = None

    def ask(self, question: A) -> "Future[T] | None":
        """Queues a question; `None` if too many wait already."""
        future: Future[T] = Future()
        try:
            self._questions.put_nowait((question, future))
        except queue.Full:
            return None
        with self._gate:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name=f"lawful-auditor-{self._name}", daemon=True)
                self._thread.start()
        return future

    def _work(self) -> None:
        while True:
            question, future = self._questions.get()
            if not future.set_running_or_notify_cancel():
                continue  # nobody waits for it any more
            try:
                future.set_result(self._answer(question))
            except BaseException as error:  # noqa: BLE001 - whatever an auditor raises is its vote's trouble
                future.set_exception(error)

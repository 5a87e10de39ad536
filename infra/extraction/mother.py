"""The process that builds one extractor, and forks those that work with it.

A model takes seconds to load and hundreds of megabytes; a fork takes milliseconds and shares them. So
a process that hangs is replaced at once. This one has no threads, reads no events, and does nothing but
fork and kill; when its worker is gone, all of them end.
"""

import gc
import os
import signal
import socket
import struct
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NoReturn

from lawful.extractors.port import ExtractionSpec, Extractor, Job, extract_each
from lawful.infra.extraction.frames import Reader, send
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.event import AgentEvent

READY: Final = "ready"
FORK, KILL = b"F", b"K"
COMMAND: Final = struct.Struct(">cQ")
"""What a worker wants: to fork (with a socket for the child), or to kill (with its process id)."""

PATIENCE: Final = 5.0
"""Seconds beyond its limit after which an event ends its process, if nobody is left to do it."""

_CONTROL: Final = 0


@dataclass(frozen=True, slots=True)
class Batch:
    """Events to read.

    Attributes:
        events: each with its spec's number.
        specs: those that this child does not have yet.
        is_first: what came before is forgotten.
    """

    events: tuple[tuple[AgentEvent, int], ...]
    specs: dict[int, ExtractionSpec]
    is_first: bool


def main() -> int:
    """Builds the extractor that it is told, says that it is ready, and obeys."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the worker decides when this ends
    try:
        build: Callable[[], Extractor] = Reader(_CONTROL).next()
        extractor = build()
    except ConfigurationError as error:
        send(_CONTROL, error)
        return 1
    gc.collect()
    gc.freeze()  # what is there stays shared: no collection touches it
    send(_CONTROL, READY)
    _obey(extractor)
    return 0


def _obey(extractor: Extractor) -> None:
    children: set[int] = set()
    control = socket.socket(fileno=_CONTROL)
    while True:
        message, given, _, _ = socket.recv_fds(control, COMMAND.size, 1)
        if len(message) < COMMAND.size:
            break
        command, pid = COMMAND.unpack(message)
        if command == FORK:
            children.add(pid := _fork(extractor, control, given[0]))
            send(_CONTROL, pid)
        elif pid in children:
            _end(pid)
            children.discard(pid)
    for pid in children:
        _end(pid)


def _fork(extractor: Extractor, control: socket.socket, channel: int) -> int:
    pid = os.fork()
    if pid == 0:
        control.close()
        _work(extractor, channel)
    os.close(channel)
    return pid


def _end(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def _work(extractor: Extractor, channel: int) -> NoReturn:
    """A child's life: batches of jobs in, answers out one by one, until its channel closes."""
    try:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        asked, specs = Reader(channel), dict[int, ExtractionSpec]()
        while True:
            batch: Batch = asked.next()
            specs = batch.specs if batch.is_first else {**specs, **batch.specs}
            _answer(extractor, [(event, specs[number]) for event, number in batch.events], channel)
    except BaseException:  # noqa: BLE001 - whatever it is, its text could quote what was read
        os._exit(0)


def _answer(extractor: Extractor, jobs: Sequence[Job], channel: int) -> None:
    answers = extract_each(extractor, jobs)
    for _, spec in jobs:
        signal.setitimer(signal.ITIMER_REAL, spec.limits.extraction_ms / 1_000 + PATIENCE)
        send(channel, next(answers))
    signal.setitimer(signal.ITIMER_REAL, 0)


if __name__ == "__main__":
    sys.exit(main())

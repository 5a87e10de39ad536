"""The worker's end of its extraction processes: starting the mother, forking, asking, killing."""

import contextlib
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from lawful.extractors.port import Extraction, ExtractionSpec, Extractor, Job
from lawful.infra.extraction.frames import HEAD, Late, Reader, send
from lawful.infra.extraction.mother import COMMAND, FORK, KILL, READY, Batch
from lawful.schemas.errors import ConfigurationError

START_SECONDS: Final = 60.0
FORK_SECONDS: Final = 10.0
_MOST_SPECS: Final = 64
# One core each: more threads in a matrix product would only be in each other's way, and no fork survives them.
_ENVIRONMENT: Final = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
# The search path comes first: nothing of ours can be imported before.
_START: Final = f"""
import os, pickle, struct, sys
def read(count):
    data = b""
    while len(data) < count:
        data += os.read(0, count - len(data)) or sys.exit(1)
    return data
sys.path[:] = pickle.loads(read(struct.unpack(">I", read({HEAD.size}))[0]))
from lawful.infra.extraction.mother import main
sys.exit(main())
"""


class Child:
    """One process that extracts. After anything but an answer it is of no use any more."""

    def __init__(self, pid: int, channel: socket.socket) -> None:
        self.pid = pid
        self.events = 0
        self._channel = channel
        self._reader = Reader(channel.fileno())
        self._specs: dict[int, tuple[int, ExtractionSpec]] = {}

    def ask(self, jobs: Sequence[Job], spare: float) -> Iterator[Extraction]:
        """The answers to a batch, as they come.

        Raises:
            Late: one did not come within its event's limit and `spare` seconds.
            EOFError, OSError: the process is gone.
        """
        self.events += len(jobs)
        send(self._channel.fileno(), self._batch(jobs), FORK_SECONDS)
        for _, spec in jobs:
            yield self._reader.next(spec.limits.extraction_ms / 1_000 + spare)

    def _batch(self, jobs: Sequence[Job]) -> Batch:
        """The jobs with the specs that the child does not have yet, each once: they can be large."""
        if len(self._specs) > _MOST_SPECS:
            self._specs.clear()
        is_new = not self._specs
        new: dict[int, ExtractionSpec] = {}
        events = []
        for event, spec in jobs:
            if id(spec) not in self._specs:
                number = len(self._specs)
                self._specs[id(spec)] = number, spec
                new[number] = spec
            events.append((event, self._specs[id(spec)][0]))
        return Batch(tuple(events), new, is_new)

    def close(self) -> None:
        """Closes the channel, at which a healthy process ends by itself."""
        self._channel.close()


class Mother:
    """The process that has the extractor.

    Args:
        build: builds it, over there; pickled.

    Raises:
        ConfigurationError: it cannot be built.
    """

    def __init__(self, build: Callable[[], Extractor]) -> None:
        ours, theirs = socket.socketpair()
        self._control = ours
        self._turn = threading.Lock()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-c", _START],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,  # a traceback there could quote what was read
                env={**os.environ, **_ENVIRONMENT},
                start_new_session=True,
            )
        self._reader = Reader(ours.fileno())
        with contextlib.suppress(OSError):
            send(ours.fileno(), sys.path)
            send(ours.fileno(), build)

    def await_ready(self) -> None:
        """Returns when the extractor is warm.

        Raises:
            ConfigurationError: as the extractor's builder says, or it does not start.
        """
        try:
            said = self._reader.next(START_SECONDS)
        except (Late, EOFError, OSError) as error:
            raise ConfigurationError(
                f"the extraction process does not start ({type(error).__name__})",
                hint="see whether the extractor can be built at all, and that there is memory",
            ) from None
        if isinstance(said, ConfigurationError):
            raise said
        if said != READY:
            raise ConfigurationError("the extraction process says what nobody understands")

    def fork(self) -> Child:
        """A new child; milliseconds.

        Raises:
            Late, EOFError, OSError: the mother herself is of no use any more.
        """
        ours, theirs = socket.socketpair()
        try:
            with self._turn, theirs:
                socket.send_fds(self._control, [COMMAND.pack(FORK, 0)], [theirs.fileno()])
                return Child(self._reader.next(FORK_SECONDS), ours)
        except BaseException:
            ours.close()
            raise

    def kill(self, child: Child) -> None:
        """Ends a child at once."""
        child.close()
        with self._turn, contextlib.suppress(OSError):
            self._control.sendall(COMMAND.pack(KILL, child.pid))

    def close(self) -> None:
        """Ends her and all of her children."""
        self._control.close()
        try:
            self._process.wait(FORK_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

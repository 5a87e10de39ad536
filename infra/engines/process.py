"""A supervised child process: started, health-checked, stopped, never an orphan.

Every engine and every worker that we start ourselves is one of these. Between us and the child
sits the keeper (see `keeper.py`), in a session of its own: Ctrl-C reaches only us, and we give
the order to stop; when we are killed, even with -9, the keeper stops the child.
"""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from lawful.schemas.errors import MustStop

KEEPER = Path(__file__).with_name("keeper.py")
TAIL_LINES = 25
POLL_SECONDS = 0.02


class EngineFailed(MustStop):
    """A child process did not start, did not become healthy, or ended on its own."""


@dataclass(frozen=True, slots=True)
class Command:
    """What to run and how to know that it works.

    Attributes:
        name: what people call it, e.g. "embedded ClickHouse".
        argv: the program and its arguments.
        log: the file that gets the child's standard output and error, appended.
        healthy: says whether the child answers; called until it does. None: started is healthy.
        env: variables on top of ours.
        cwd: working directory.
        start_seconds: how long it may take to become healthy.
        grace_seconds: how long it may take to stop before it is killed.
    """

    name: str
    argv: Sequence[str]
    log: Path
    healthy: Callable[[], bool] | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: Path | None = None
    start_seconds: float = 30.0
    grace_seconds: float = 5.0


class ChildProcess:
    """One run of a `Command`. A context manager; `stop` may be called any number of times."""

    def __init__(self, command: Command) -> None:
        self.command = command
        self._keeper: subprocess.Popen[bytes] | None = None
        self.pid: int | None = None
        self._log_begins = 0

    def start(self) -> Self:
        """Starts the child and returns when it is healthy.

        Raises:
            EngineFailed: it ended, or was not healthy in time; the message holds the log's tail.
        """
        self._spawn()
        try:
            self._await_health()
        except BaseException:
            self.stop()
            raise
        return self

    def _spawn(self) -> None:
        command = self.command
        command.log.parent.mkdir(parents=True, exist_ok=True)
        with command.log.open("ab") as log:
            self._log_begins = log.seek(0, os.SEEK_END)
            self._keeper = subprocess.Popen(
                [sys.executable, "-I", "-S", str(KEEPER), str(command.grace_seconds), "--", *command.argv],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=command.cwd,
                env={**os.environ, **command.env},
                start_new_session=True,
            )
        with _pipe(self._keeper.stdout) as answer:
            line = answer.readline()
        if not line:
            self.stop()
            raise EngineFailed(self._why("could not be started"))
        self.pid = int(line)

    def _await_health(self) -> None:
        deadline = time.monotonic() + self.command.start_seconds
        while self.command.healthy and not self.command.healthy():
            self.check()
            if time.monotonic() > deadline:
                raise EngineFailed(self._why(f"did not answer within {self.command.start_seconds:g} s"))
            time.sleep(POLL_SECONDS)
        self.check()

    def check(self) -> None:
        """Raises EngineFailed, with the tail of the log, unless the child runs."""
        if not self.alive:
            raise EngineFailed(self._why(f"ended on its own with status {self.returncode}"))

    @property
    def alive(self) -> bool:
        """Whether the child runs."""
        return self._keeper is not None and self._keeper.poll() is None

    @property
    def returncode(self) -> int | None:
        """Exit status of the child (128 + n when signal n ended it); None while it runs or before."""
        return self._keeper.poll() if self._keeper else None

    def tail(self, lines: int = TAIL_LINES) -> str:
        """The last lines of the child's log, of this run only."""
        with contextlib.suppress(OSError), self.command.log.open("rb") as log:
            log.seek(self._log_begins)
            return "\n".join(log.read().decode(errors="replace").splitlines()[-lines:])
        return ""

    def _why(self, what: str) -> str:
        return f"{self.command.name} {what}; end of its log ({self.command.log}):\n{self.tail() or '(empty)'}"

    def stop(self) -> None:
        """SIGTERM, and SIGKILL after the grace; returns when the child is gone."""
        keeper = self._keeper
        if keeper is None:
            return
        if keeper.stdin and not keeper.stdin.closed:
            with contextlib.suppress(BrokenPipeError):
                keeper.stdin.close()
        try:
            keeper.wait(self.command.grace_seconds + 5)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """Kills the child at once (-9), as a crash would; returns when it is gone."""
        keeper = self._keeper
        if keeper is None:
            return
        if keeper.poll() is None and self.pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
        try:
            keeper.wait(5)
        except subprocess.TimeoutExpired:  # only if the keeper hangs: it takes the child with it
            keeper.kill()
            keeper.wait()
        self.stop()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:  # pragma: no cover - we asked for a pipe
        raise EngineFailed("no pipe to the keeper")
    return stream

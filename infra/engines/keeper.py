"""The keeper: a tiny process between us and an engine, so that no engine outlives us.

It is run by path (`python -I -S keeper.py GRACE_SECONDS -- COMMAND ...`) and needs the standard
library only. It starts the command, then waits for the first of three things: the command ends;
its own standard input closes (we asked for a stop, or we were killed, even with -9); its parent
changes (a forked sibling of ours still holds the pipe). Then it stops the command: SIGTERM, and
SIGKILL after the grace. On Linux the command also gets SIGKILL from the kernel when the keeper
itself is killed. That signal is tied to the *thread* that forked, which is why a single-threaded
keeper does the forking and not some thread of ours that may end before the engine should.
"""

import contextlib
import ctypes
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence

PR_SET_PDEATHSIG = 1
POLL_SECONDS = 0.25  # only a change of parent is not told by a signal or a pipe


def _die_with_parent() -> Callable[[], None] | None:
    """What the command must call between fork and exec, on Linux; None elsewhere."""
    if not sys.platform.startswith("linux"):
        return None
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    keeper = os.getpid()

    def ask() -> None:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != keeper:  # it died between fork and prctl
            os._exit(1)

    return ask


def _signal_group(process: "subprocess.Popen[bytes]", number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def _stop(process: "subprocess.Popen[bytes]", grace: float) -> None:
    _signal_group(process, signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(grace)
    _signal_group(process, signal.SIGKILL)  # also whatever the command left behind in its group
    process.wait()


class _Told:
    """What signals tell: to stop, or that the command ended. Ctrl-C and hang-ups are our parent's to act on."""

    def __init__(self) -> None:
        self.to_stop = False
        self.wake, end = os.pipe()
        for pipe_end in (self.wake, end):
            os.set_blocking(pipe_end, False)
        signal.set_wakeup_fd(end, warn_on_full_buffer=False)
        signal.signal(signal.SIGTERM, self._hear)
        for number in (signal.SIGINT, signal.SIGHUP, signal.SIGCHLD):
            signal.signal(number, lambda *_: None)  # SIG_IGN would be inherited by the command

    def _hear(self, *_: object) -> None:
        self.to_stop = True


def _ended(process: "subprocess.Popen[bytes]", parent: int, told: _Told) -> bool:
    """Waits for news, for a moment; says whether it is time to stop."""
    readable, _, _ = select.select([0, told.wake], [], [], POLL_SECONDS)
    if told.wake in readable:
        os.read(told.wake, 4096)
    if 0 in readable and not os.read(0, 4096):
        return True
    return told.to_stop or process.poll() is not None or os.getppid() != parent


def main(arguments: Sequence[str]) -> int:
    """Runs the command until it ends or must end; the exit status is the command's.

    Args:
        arguments: seconds of grace, `--`, the command.
    """
    parent = os.getppid()
    told = _Told()
    grace, command = float(arguments[0]), list(arguments[2:])
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=2,
        stderr=2,
        process_group=0,
        preexec_fn=_die_with_parent(),  # noqa: PLW1509 - the keeper has one thread, by design
    )
    os.write(1, f"{process.pid}\n".encode())
    os.close(1)
    while not _ended(process, parent, told):
        pass
    _stop(process, grace)
    code = process.returncode
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

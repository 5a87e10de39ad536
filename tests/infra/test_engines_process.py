"""Children start healthy or fail loudly, and never outlive us, whatever kills us."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Self

import pytest

from lawful.infra.engines.process import ChildProcess, Command, EngineFailed
from tests.engines import eventually

pytestmark = pytest.mark.service
SLEEP = (sys.executable, "-c", "import time; time.sleep(600)")
DEAF = (
    sys.executable,
    "-c",
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); time.sleep(600)",
)
linux_only = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux kills with the parent")

# What the parents below do first: start a child and say its id and its keeper's.
START = """
import os, signal, sys, time
from pathlib import Path
from lawful.infra.engines.process import ChildProcess, Command
sleep = [sys.executable, "-c", "import time; time.sleep(600)"]
child = ChildProcess(Command("sleeper", sleep, Path(sys.argv[1]))).start()
"""
SAY = "print(child.pid, child._keeper.pid, flush=True)\n"


def command(log: Path, argv: tuple[str, ...] = SLEEP, healthy: Callable[[], bool] | None = None) -> Command:
    """A command with little patience."""
    return Command("sleeper", argv, log, healthy=healthy, start_seconds=0.3, grace_seconds=0.3)


def gone(pid: int) -> bool:
    """Whether a process is no more, or only waits for somebody to read its status."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z"


def _hear_ctrl_c() -> None:
    """Also where the tests run in the background of a shell, which ignores it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Parent:
    """A process that starts a child, to be killed."""

    def __init__(self, log: Path, then: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", START + SAY + then, str(log)],
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=_hear_ctrl_c,  # noqa: PLW1509 - no thread holds a lock that this needs
        )
        self.child, self.keeper = (int(pid) for pid in self.line().split())

    def line(self) -> str:
        """What it says next."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for pid in (self.process.pid, self.child):
            if not gone(pid):
                os.kill(pid, signal.SIGKILL)
        self.process.communicate()


def test_a_child_runs_until_stopped_and_stop_may_be_repeated(tmp_path: Path) -> None:
    """A stopped child is gone, and stopping again does nothing."""
    with ChildProcess(command(tmp_path / "log")) as child:
        assert child.alive
        assert child.pid is not None
        child.stop()
        assert child.returncode is not None
        assert gone(child.pid)
        child.stop()


def test_a_child_that_ends_at_once_fails_with_the_end_of_its_log(tmp_path: Path) -> None:
    """The error holds the status and what the child said last."""
    failing = (sys.executable, "-c", "import sys; print('no such volume'); sys.exit(3)")
    with pytest.raises(EngineFailed, match=r"(?s)status 3.*no such volume"):
        ChildProcess(command(tmp_path / "log", failing, healthy=lambda: False)).start()


def test_a_program_that_does_not_exist_fails_by_its_name(tmp_path: Path) -> None:
    """A missing program is an error of ours, with its name in it."""
    with pytest.raises(EngineFailed, match=r"(?s)could not be started.*no-such-program"):
        ChildProcess(command(tmp_path / "log", ("no-such-program",))).start()


def test_a_child_that_never_becomes_healthy_is_stopped(tmp_path: Path) -> None:
    """When the deadline passes, the start fails and leaves nothing behind."""
    child = ChildProcess(command(tmp_path / "log", healthy=lambda: False))
    with pytest.raises(EngineFailed, match=r"did not answer within 0\.3 s"):
        child.start()
    assert child.pid is not None
    assert gone(child.pid)


def test_an_interrupt_while_waiting_for_health_leaves_nothing_behind(tmp_path: Path) -> None:
    """Ctrl-C during start stops the child, too."""

    def interrupt() -> bool:
        raise KeyboardInterrupt

    child = ChildProcess(command(tmp_path / "log", healthy=interrupt))
    with pytest.raises(KeyboardInterrupt):
        child.start()
    assert child.pid is not None
    assert gone(child.pid)


def test_a_child_that_ignores_the_order_to_stop_is_killed(tmp_path: Path) -> None:
    """SIGKILL comes after the grace."""
    log = tmp_path / "log"
    with ChildProcess(command(log, DEAF)) as child:
        eventually(lambda: "deaf" in log.read_text())
        child.stop()
        assert child.returncode == 128 + signal.SIGKILL


def test_a_killed_child_is_noticed(tmp_path: Path) -> None:
    """After kill -9 the child is not alive, and `check` says so."""
    with ChildProcess(command(tmp_path / "log")) as child:
        child.kill()
        assert not child.alive
        with pytest.raises(EngineFailed, match="ended on its own with status 137"):
            child.check()


def test_a_child_outlives_the_thread_that_started_it(tmp_path: Path) -> None:
    """The kernel's parent-death signal is about threads; ending a thread must not end an engine."""
    child = ChildProcess(command(tmp_path / "log"))
    starter = threading.Thread(target=child.start)
    starter.start()
    starter.join()
    try:
        with pytest.raises(AssertionError, match="not within"):  # it would have ended within moments
            eventually(lambda: not child.alive, seconds=0.7)
    finally:
        child.stop()


def test_killing_the_parent_takes_the_child_along(tmp_path: Path) -> None:
    """No orphan after kill -9 of the parent."""
    with Parent(tmp_path / "log", "time.sleep(600)") as parent:
        parent.process.kill()
        eventually(lambda: gone(parent.child) and gone(parent.keeper))


def test_a_forked_sibling_that_holds_the_pipe_keeps_no_orphan(tmp_path: Path) -> None:
    """The keeper also notices that its parent has changed, not only that the pipe closed."""
    fork = "pid = os.fork()\nif pid: print(pid, flush=True)\ntime.sleep(600)"
    with Parent(tmp_path / "log", fork) as parent:
        sibling = int(parent.line())
        parent.process.kill()
        eventually(lambda: gone(parent.child) and gone(parent.keeper))
        os.kill(sibling, signal.SIGKILL)


@linux_only
def test_killing_the_keeper_takes_the_child_along(tmp_path: Path) -> None:
    """Even with the keeper killed -9, the kernel ends the child."""
    with Parent(tmp_path / "log", "time.sleep(600)") as parent:
        os.kill(parent.keeper, signal.SIGKILL)
        eventually(lambda: gone(parent.child))


def test_ctrl_c_reaches_the_parent_only(tmp_path: Path) -> None:
    """The parent gives the order to stop; a Ctrl-C in its terminal does not reach the child."""
    wait = """
try:
    print("waiting", flush=True)
    time.sleep(600)
except KeyboardInterrupt:
    child.check()
    print("alive", flush=True)
    child.stop()
"""
    with Parent(tmp_path / "log", wait) as parent:
        assert parent.line() == "waiting"
        os.killpg(parent.process.pid, signal.SIGINT)
        assert parent.line() == "alive"
        eventually(lambda: gone(parent.child))


def test_what_the_child_started_goes_with_it(tmp_path: Path) -> None:
    """A grandchild in the child's group is killed as well."""
    log = tmp_path / "log"
    family = "import subprocess, sys; print(subprocess.Popen(sys.argv[1:]).pid, flush=True); sys.exit(0)"
    with ChildProcess(command(log, (sys.executable, "-c", family, *SLEEP))) as child:
        grandchild = int(eventually(log.read_text))
        child.stop()
        eventually(lambda: gone(grandchild))

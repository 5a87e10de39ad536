"""Running `lawful` as a user does: as a process of its own, in a folder of its own."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.engines import eventually

COMMAND = (sys.executable, "-m", "lawful.cli.main")


def environment() -> dict[str, str]:
    """Ours, without settings of the person who runs the tests."""
    return {name: value for name, value in os.environ.items() if not name.startswith("LAWFUL_")}


def lawful(folder: Path, *arguments: str, status: int = 0, seconds: float = 100) -> str:
    """Standard output of one command, which has to end with this status."""
    done = subprocess.run(
        [*COMMAND, *arguments],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    assert done.returncode == status, done.stderr[-3000:]
    return done.stdout


def lawful_json(folder: Path, *arguments: str, status: int = 0) -> Any:
    """The one JSON object that a command prints."""
    return json.loads(lawful(folder, *arguments, "--json", status=status))


@contextmanager
def begun(folder: Path, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    """A command that goes on, until it is stopped here; its standard error goes to a file."""
    with (folder / "stderr").open("w") as errors:
        process = subprocess.Popen(
            [*COMMAND, *arguments],
            cwd=folder,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        process.kill()  # does nothing to one that has ended; its children end by themselves
        process.communicate(timeout=30)


def said(folder: Path) -> str:
    """What a command begun here has said so far."""
    return (folder / "stderr").read_text(encoding="utf-8")


def ours(folder: Path) -> list[int]:
    """Processes whose command line names this folder."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = entry.read_bytes()
        except OSError:
            continue  # it has just ended
        if str(folder).encode() in line:
            found.append(int(entry.parent.name))
    return found


def stop(process: "subprocess.Popen[str]", number: int = signal.SIGINT, seconds: float = 40) -> int:
    """Sends a signal; gives the exit status."""
    process.send_signal(number)
    process.communicate(timeout=seconds)
    return process.returncode


def nothing_left(folder: Path) -> None:
    """Waits until no process of this folder is there."""
    eventually(lambda: not ours(folder), seconds=30, pause=0.1)

"""What processes of an installation take: memory, disk and CPU, as the kernel counts it."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from lawful.infra.engines.process import ChildProcess

_MEGABYTE = 1 << 20


def resident(pid: int | None) -> float:
    """Megabytes that a process holds in memory now; 0 if it is gone.

    Raises:
        OSError: this system has no /proc.
    """
    try:
        lines = Path(f"/proc/{pid}/status").read_text("ascii").splitlines()
    except FileNotFoundError:
        return 0.0
    return next((int(line.split()[1]) / 1_024 for line in lines if line.startswith("VmRSS:")), 0.0)


def each_resident(processes: Mapping[str, ChildProcess]) -> dict[str, float]:
    """Of every process, by name."""
    return {name: resident(child.pid) for name, child in processes.items()}


def on_disk(folder: Path) -> float:
    """Megabytes of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / _MEGABYTE


def cpu_seconds(pid: int | None) -> float:
    """Seconds of CPU that a process and those it started have taken so far; 0 if it is gone.

    Raises:
        OSError: this system has no /proc.
    """
    ticks, children = _ticks()
    waiting, total = [pid], 0
    while waiting:
        each = waiting.pop()
        total += ticks.get(each, 0)
        waiting += children.get(each, [])
    return total / os.sysconf("SC_CLK_TCK")


def _ticks() -> tuple[dict[int | None, int], dict[int | None, list[int]]]:
    """Of every process: ticks of its own, and the processes that it started."""
    ticks: dict[int | None, int] = {}
    children: dict[int | None, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(FileNotFoundError, ProcessLookupError):
                # The name, in brackets, may hold anything; what follows it does not.
                fields = (folder / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
                ticks[int(folder.name)] = int(fields[11]) + int(fields[12])
                children.setdefault(int(fields[1]), []).append(int(folder.name))
    return ticks, children

"""What processes of an installation hold in memory and on disk, as the kernel counts it."""

from collections.abc import Mapping
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

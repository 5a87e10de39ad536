"""On what it was measured: figures without their machine say nothing."""

import multiprocessing
import os
import platform
import statistics
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from lawful import __version__

PACKAGES = ("celine-regorus",)
_ROUNDS: Final = 5
_WORK: Final = 400_000  # loops: a fifth of a second
_BYTES: Final = 65_536


def machine() -> dict[str, Any]:
    """Processor, cores and how busy they are."""
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load": [round(value, 2) for value in os.getloadavg()] if hasattr(os, "getloadavg") else None,
    }


def versions() -> dict[str, str]:
    """Of Python, of this, and of the engines measured."""
    found = {"lawful": __version__, "python": f"{platform.python_implementation()} {sys.version.split()[0]}"}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def at_once(processes: int) -> float:
    """What the same work costs each of several processes at once, by CPU, to what it costs one of them alone.

    Where nothing is shared it is 1. Cores that share caches, a clock or their threads make it more; no program can do
    better on them.
    """
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        list(pool.map(_work, range(processes)))  # all are there, and warm
        rounds = [(_taken(pool, 1), _taken(pool, processes)) for _ in range(_ROUNDS)]
    return round(statistics.median(together / alone for alone, together in rounds), 3)


def _taken(pool: ProcessPoolExecutor, processes: int) -> float:
    return statistics.fmean(pool.map(_work, range(processes)))


def _work(seed: int) -> float:
    """Seconds of CPU that some looking up and copying takes."""
    table, text, began = {number: str(number) for number in range(_BYTES)}, bytes(_BYTES), time.process_time()
    for number in range(_WORK):
        key = (number * 7_919 + seed) % _BYTES
        table[key] = table[(key * 31) % _BYTES] or text[key:].hex()
    return time.process_time() - began


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown")

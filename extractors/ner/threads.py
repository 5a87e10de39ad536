"""One thread for small matrices: more of them wait for each other longer than they work.

numpy's wheels bring OpenBLAS, which by itself starts a thread per core; on a busy machine a product
of a few rows then takes ten times as long. Whoever else computes in this process keeps their threads.
"""

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np

_PREFIXES: Final = ("scipy_openblas", "openblas")
_SUFFIXES: Final = ("64_", "")


@contextmanager
def one_thread() -> Iterator[None]:
    """Within it, numpy multiplies in the thread that asks. Does nothing where numpy came with another library."""
    switch = _switch()
    before = switch[0]() if switch else 1
    if switch is None or before == 1:
        yield
        return
    switch[1](1)
    try:
        yield
    finally:
        switch[1](before)


@lru_cache(maxsize=1)
def _switch() -> tuple[Callable[[], int], Callable[[int], object]] | None:
    """How to read and set the number of OpenBLAS's threads."""
    for file in (Path(np.__file__).parents[1] / "numpy.libs").glob("*openblas*"):
        try:
            library = ctypes.CDLL(str(file))
        except OSError:
            continue
        for prefix in _PREFIXES:
            for suffix in _SUFFIXES:
                get, put = (f"{prefix}_{verb}_num_threads{suffix}" for verb in ("get", "set"))
                if hasattr(library, get) and hasattr(library, put):
                    return getattr(library, get), getattr(library, put)
    return None

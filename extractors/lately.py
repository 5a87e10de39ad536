"""What was made of the texts that are being read: recognisers take turns on a text, and each asks for the same."""

import threading
from collections.abc import Callable
from functools import wraps
from typing import Any, Final, TypeVar

T = TypeVar("T")
_TEXTS: Final = 256
_LONG: Final = 4_000  # characters; a longer text is remembered alone


class _Last(threading.local):
    """By function: a thread's last texts, with what was made of each."""

    def __init__(self) -> None:
        self.made: dict[object, dict[str, Any]] = {}


_LAST: Final = _Last()


def lately(make: Callable[[str], T]) -> Callable[[str], T]:
    """The same function, which remembers each thread's last texts, as many as are read together, until `forget`.

    Args:
        make: depends on the text alone, and gives something.
    """
    mine = object()

    @wraps(make)
    def remembering(text: str) -> T:
        known = _LAST.made.get(mine)
        if known is None:
            known = _LAST.made[mine] = {}
        made: T | None = known.get(text)
        if made is None:
            made = make(text)
            if len(known) >= _TEXTS or len(text) > _LONG:
                known.clear()
            known[text] = made
        return made

    return remembering


def forget() -> None:
    """Lets go of all texts of this thread: they were read, and nobody needs them any more."""
    _LAST.made.clear()

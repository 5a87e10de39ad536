"""What was made of the texts that were last looked at: recognisers take turns on a text, and each asks for the same."""

import threading
from collections.abc import Callable
from functools import wraps
from typing import Any, Final, TypeVar

T = TypeVar("T")
_TEXTS: Final = 256
_LONG: Final = 4_000  # characters; a longer text is remembered alone


class _Last(threading.local):
    """A thread's last texts, with what was made of each."""

    def __init__(self) -> None:
        self.known: dict[str, Any] = {}


def lately(make: Callable[[str], T]) -> Callable[[str], T]:
    """The same function, which remembers each thread's last texts: as many as are read together.

    Args:
        make: depends on the text alone, and gives something.
    """
    last = _Last()

    @wraps(make)
    def remembering(text: str) -> T:
        made: T | None = last.known.get(text)
        if made is None:
            made = make(text)
            if len(last.known) >= _TEXTS or len(text) > _LONG:
                last.known.clear()
            last.known[text] = made
        return made

    return remembering

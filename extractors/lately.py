"""What was made of the text that was last looked at: recognisers take turns on one text, and each asks for the same."""

import threading
from collections.abc import Callable
from functools import wraps
from typing import TypeVar

T = TypeVar("T")


def lately(make: Callable[[str], T]) -> Callable[[str], T]:
    """The same function, which remembers one text per thread, by identity, until it is asked about another.

    Args:
        make: depends on the text alone.
    """
    last = threading.local()

    @wraps(make)
    def remembering(text: str) -> T:
        if getattr(last, "text", None) is not text:
            last.made, last.text = make(text), text
        made: T = last.made
        return made

    return remembering

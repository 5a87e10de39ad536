"""Plain functions: an agent loop of your own gets its tools guarded in one line."""

from collections.abc import Callable, Iterable
from typing import Any

from lawful.client import AsyncGuard, Guard

Function = Callable[..., Any]


def guarded(guard: Guard | AsyncGuard, functions: Iterable[Function]) -> list[Function]:
    """The same functions under the same names; each call is judged in the session around it.

    Args:
        guard: with an `AsyncGuard` the functions are awaited, also those that were not before.
        functions: an agent's tools; the policy knows them by their `__name__`.
    """
    return [guard.tool()(function) for function in functions]

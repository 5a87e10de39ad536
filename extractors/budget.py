"""What an event may cost, in time and in steps, and the ways in which a recogniser ends early."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TypeVar

T = TypeVar("T")
UNBOUNDED: Final = 1 << 60


class TimeUp(Exception):
    """The event has used up its time."""


class TooMuch(Exception):
    """There is more in a text than an event may hold."""


class TooMuchWork(TooMuch):
    """There is more to look at in a text than an event may cost."""


class DetectorFailed(Exception):
    """A recogniser raised. Holds its name and the exception's class, never a message.

    Args:
        detector: the recogniser's name.
        error: the exception's class name.
    """

    def __init__(self, detector: str, error: str) -> None:
        self.detector = detector
        self.error = error
        super().__init__(f"{detector}:{error}")


@dataclass(slots=True)
class Budget:
    """What one event may cost.

    Attributes:
        clock: seconds that never run backwards.
        deadline: on that clock.
        most: hits of one recogniser in one text.
        steps: of work that are left, about a microsecond each. Counted, not timed: the same text ends in
            the same way on every machine, busy or not.
    """

    clock: Callable[[], float]
    deadline: float
    most: int = 2_000
    steps: int = UNBOUNDED

    def check(self) -> None:
        """Go on, or raise `TimeUp`."""
        if self.clock() >= self.deadline:
            raise TimeUp

    def remaining(self) -> float:
        """Seconds left; raises `TimeUp` when there are none."""
        left = self.deadline - self.clock()
        if left <= 0:
            raise TimeUp
        return left

    def spend(self, steps: int) -> None:
        """Pay for work before it is done, or raise `TooMuchWork`."""
        self.steps -= steps
        if self.steps < 0:
            raise TooMuchWork

    def each(self, found: Iterable[T], steps: int) -> Iterator[T]:
        """What is found, each paid for before it is looked at; raises `TooMuchWork`."""
        for one in found:
            self.spend(steps)
            yield one


class _Free(Budget):
    """Whatever it takes."""

    def spend(self, steps: int) -> None:
        """Nobody counts."""
        del steps


FREE: Final = _Free(lambda: 0.0, 1.0)
"""For what is short, or not asked by an event."""

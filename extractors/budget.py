"""The time an event may cost, and the two ways in which a recogniser ends early."""

from collections.abc import Callable
from dataclasses import dataclass


class TimeUp(Exception):
    """The event has used up its time."""


class TooMuch(Exception):
    """There is more in a text than an event may hold."""


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


@dataclass(frozen=True, slots=True)
class Budget:
    """What one event may cost.

    Attributes:
        clock: seconds that never run backwards.
        deadline: on that clock.
        most: hits of one recogniser in one text.
    """

    clock: Callable[[], float]
    deadline: float
    most: int = 2_000

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

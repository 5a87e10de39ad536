"""One difference between two versions of a policy, and whether it is stricter."""

from dataclasses import dataclass
from enum import StrEnum


class Direction(StrEnum):
    """What a change does to events. `neutral`: nothing, or it depends on the event."""

    STRICTER = "stricter"
    LOOSER = "looser"
    NEUTRAL = "neutral"


@dataclass(frozen=True, slots=True)
class Change:
    """A difference in the words of whoever wrote the policy.

    Attributes:
        what: the part of the policy, `purpose marketing.email`.
        message: what is different about it.
    """

    direction: Direction
    what: str
    message: str

    def __str__(self) -> str:
        return f"{self.direction.value}: {self.what}: {self.message}"


def stricter(what: str, message: str) -> Change:
    """A change after which less passes."""
    return Change(Direction.STRICTER, what, message)


def looser(what: str, message: str) -> Change:
    """A change after which more passes."""
    return Change(Direction.LOOSER, what, message)


def neutral(what: str, message: str) -> Change:
    """A change that by itself lets neither more nor less pass."""
    return Change(Direction.NEUTRAL, what, message)


def either(what: str, message: str, *, more_passes: bool) -> Change:
    """A looser change if more passes, else a stricter one."""
    return looser(what, message) if more_passes else stricter(what, message)

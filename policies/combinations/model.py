"""What a policy says about categories that together tell too much, once it has been read."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from lawful.policies.channels.model import Channels, Handling, Who
from lawful.schemas.event import Micros
from lawful.schemas.taxonomy import covers
from lawful.schemas.verdict import Decision

MARK: Final = "+"
"""Stands before a combination's name among the channels that an event travels; no channel's name has it."""

BLOCK: Final = Handling(Decision.BLOCK)


@dataclass(frozen=True, slots=True)
class Combination:
    """Categories of which one recipient may learn so many about a person in a session, and no more.

    Attributes:
        members: the categories; what lies below one is it, and what lies above may be.
        most: how many of them.
        to: the recipients that it is about, as of a channel.
        keep: a disclosure counts for at least so long.
        handling: of what would be too much.
    """

    name: str
    members: tuple[str, ...]
    most: int
    to: Who = field(default_factory=Who)
    exempt: Who | None = None
    keep: Micros = 0
    handling: Handling = BLOCK
    message: str = ""
    article: str = ""

    def of(self, categories: Iterable[str]) -> tuple[str, ...]:
        """The members that these categories are, or may be, in the order of the rule."""
        found = tuple(categories)
        return tuple(member for member in self.members if any(meets(member, each) for each in found))


def names_of(channels: Channels | None) -> frozenset[str]:
    """What the channels that events may travel are called, combinations with their mark."""
    if channels is None:
        return frozenset()
    return frozenset((*channels.rules, *(MARK + name for name in channels.combinations)))


def meets(member: str, category: str) -> bool:
    """Whether a category that was found is a member, lies below it, or is so broad that it may be."""
    return covers(member, category) or covers(category, member)

"""What a policy says about labels: who passes them on, for how long, and who may lift them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from lawful.schemas.event import Micros, PayloadKind
from lawful.schemas.taxonomy import covered_by

DAY: Final[Micros] = 24 * 3600 * 1_000_000


class WithoutPlace(StrEnum):
    """What becomes of a redaction that is due for a category of which nobody knows a place."""

    BLOCK = "block"
    WITHHOLD = "withhold"


@dataclass(frozen=True, slots=True)
class Declassification:
    """Leave to lift labels.

    Attributes:
        why: for those who read the audit.
        agents: who may.
        purposes: all that the lifting event is for must be covered by these.
        categories: what may be lifted, with what lies below.
    """

    name: str
    why: str
    agents: frozenset[str]
    purposes: tuple[str, ...]
    categories: tuple[str, ...]

    def covers(self, agent: str, purposes: frozenset[str], category: str) -> bool:
        """Whether this agent may lift this category in an event that is for these purposes."""
        allowed = bool(purposes) and all(covered_by(each, self.purposes) for each in purposes)
        return allowed and agent in self.agents and covered_by(category, self.categories)


GIVERS: Final = frozenset({PayloadKind.AGENT_MESSAGE, PayloadKind.MEMORY_WRITE, PayloadKind.MEMORY_READ})


@dataclass(frozen=True, slots=True)
class Labels:
    """The policy's rules about labels.

    Attributes:
        givers: events of these kinds carry what was found in them on; all carry on what they inherited.
        keep: for so long after an event, what it causes inherits.
    """

    givers: frozenset[PayloadKind] = GIVERS
    keep: Micros = DAY
    without_place: WithoutPlace = WithoutPlace.BLOCK
    declassify: Mapping[str, Declassification] = field(default_factory=dict)

"""Rules for what an agent, and whoever it talks to, gets to read of a record: as it is, coarser, or not at all."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from lawful.firewalls.words import words
from lawful.schemas.event import RecipientKind

LONGEST_TEXT: Final = 200
Path = tuple[str, ...]
"""Keys from the top of a record, each as its words; lists do not count."""


def path_of(dotted: str) -> Path:
    """A dotted path as `Path`."""
    return tuple(words(part) for part in dotted.split("."))


@dataclass(frozen=True, slots=True)
class FieldRule:
    """What becomes of one field.

    Attributes:
        name: its dotted path, as the file has it.
        steps: the forms in which it may go out, the most exact first; `""` is as it is. None: blocked.
        values: if given, the only ones that pass, by their words.
        labels: other names of its last key.
    """

    name: str
    steps: tuple[str, ...] = ()
    values: Mapping[str, str] | None = None
    longest: int = LONGEST_TEXT
    labels: tuple[str, ...] = ()

    @property
    def paths(self) -> tuple[Path, ...]:
        """Where it stands in a record, under all its names."""
        path = path_of(self.name)
        return (path, *((*path[:-1], words(label)) for label in self.labels))


@dataclass(frozen=True, slots=True)
class Derived:
    """A length of stay instead of its dates.

    Attributes:
        start: path of the first day.
        end: path of the last one; in the same object.
        days: how many make one of the unit.
    """

    name: str
    start: Path
    end: Path
    days: int = 1


class Excess(StrEnum):
    """What happens to a field that would be one too many."""

    BLOCK = "block"
    GENERALISE = "generalise"


@dataclass(frozen=True, slots=True)
class Combination:
    """Fields of which one recipient gets only so many.

    Attributes:
        kinds: the recipients it is about; nothing: all.
    """

    name: str
    fields: frozenset[str]
    most: int
    kinds: frozenset[RecipientKind] | None = None
    action: Excess = Excess.BLOCK


class Scope(StrEnum):
    """Whose disclosures are added up."""

    RECIPIENT = "recipient"
    KIND = "kind"


@dataclass(frozen=True, slots=True)
class Crowd:
    """How many people of the population table must remain who could be meant."""

    k: int
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Abstraction:
    """A domain's rules.

    Attributes:
        fields: by name; a key that is not here is blocked.
    """

    id: str
    version: str
    fields: Mapping[str, FieldRule]
    derived: tuple[Derived, ...] = ()
    combinations: tuple[Combination, ...] = ()
    crowd: Crowd | None = None
    scope: Scope = Scope.RECIPIENT
    description: str = ""

    def protected(self) -> frozenset[str]:
        """Fields whose disclosures are added up."""
        crowd: Iterable[str] = self.crowd.fields if self.crowd else ()
        return frozenset(crowd).union(*(rule.fields for rule in self.combinations))

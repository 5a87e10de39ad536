"""A hit before it becomes a finding: what it is, where in one field, and how much it is worth."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol, runtime_checkable

from lawful.extractors.budget import Budget
from lawful.extractors.fields import Field
from lawful.extractors.port import ExtractionSpec
from lawful.schemas.event import AgentEvent


class Strength(IntEnum):
    """How a hit was come by; of two readings of one place the stronger wins."""

    GUESS = 1  # a statistical model
    LEXICON = 2  # a listed term with a cue
    PATTERN = 3  # a form that few other things have
    KEY = 4  # a field's name
    IDENTIFIER = 5  # a known identifier of a person, or a form that the policy declares


@dataclass(frozen=True, slots=True)
class Candidate:
    """One hit in one field.

    Attributes:
        subject: pseudonym of the person that the text identifies.
        has_context: a word beside it says what it is.
    """

    start: int
    end: int
    category: str
    detector: str
    version: str
    score: float
    strength: Strength
    subject: str | None = None
    has_context: bool = False


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a recogniser may know besides the field: the event, the policy's part, the time left."""

    event: AgentEvent
    spec: ExtractionSpec
    budget: Budget


class Recogniser(Protocol):
    """Finds one kind of personal data in one field."""

    @property
    def name(self) -> str:
        """Under which findings and failures name it."""
        ...

    def find(self, field: Field, around: Surroundings) -> list[Candidate]:
        """The hits in a field, in any order. Deterministic."""
        ...


@runtime_checkable
class Ahead(Protocol):
    """A recogniser that is faster when it has seen many fields at once."""

    def ahead(self, fields: Sequence[tuple[Field, ExtractionSpec]]) -> None:
        """Does what can be done for many fields together; changes nothing that `find` gives."""
        ...

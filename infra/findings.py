"""What a check of an installation says."""

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """How something is."""

    FINE = "fine"
    NOTE = "note"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found.

    Attributes:
        hint: what to do about it.
    """

    what: str
    state: State
    words: str
    hint: str = ""

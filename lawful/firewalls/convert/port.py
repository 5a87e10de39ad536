"""The port that turns a text into candidates. Nobody trusts who implements it: the verifier decides."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

from lawful.firewalls.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that a text seems to say. Content all over; it goes to the verifier and nowhere else.

    Attributes:
        label: what the text calls it.
        value: a leaf, a list or an object of JSON.
        kind: what the text calls the thing that it says it of.
        item: candidates with one number are about one thing.
    """

    label: str = field(repr=False)
    value: Any = field(repr=False)
    kind: str = field(default="", repr=False)
    item: int = 0


@dataclass(frozen=True, slots=True)
class Conversion:
    """What was made of a text.

    Attributes:
        not_understood: lines and sentences that nothing was found in.
        unreadable: documents that were not unambiguous.
    """

    candidates: Iterable[Candidate] = ()
    not_understood: int = 0
    unreadable: int = 0


class Converter(Protocol):
    """Finds candidates in a text; may be wrong, may be fooled."""

    def convert(self, text: str, vocabulary: Vocabulary) -> Conversion:
        """What a text seems to say, in its own words."""
        ...

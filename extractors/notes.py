"""Notes leave out whom they are about.

`Has diabetes` begins with what somebody does or is; `Metformin 500 mg` says nothing else. Verbs that are said of
things, too, and lines of terms alone count only where the event says whom it is about.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from lawful.extractors.lexicon_table import Lexicon, Term

Place = tuple[int, int, Term]
"""Where a term begins and ends in its sentence."""

_LONGEST: Final = 200  # characters of a line of nothing but terms
_NEAR: Final = 4  # words between a verb that things have, too, and what it says of somebody
_HEALTH: Final = "user.health_and_medical"
_NOTED: Final = (_HEALTH, "user.criminal_history")


@dataclass(frozen=True)
class Sentence:
    """A sentence in folded words.

    Attributes:
        words: each with its place.
        about_somebody: whether the event is, and this is prose.
    """

    text: str = field(repr=False)
    words: Sequence[tuple[str, int, int]] = field(repr=False)
    about_somebody: bool = False

    @cached_property
    def said(self) -> set[str]:
        """All words, with straight apostrophes."""
        return {word.replace("\u2019", "'") for word, _, _ in self.words}

    @cached_property
    def asks(self) -> bool:
        """Whether it is a question."""
        return self.text.rstrip(" !.\"')").endswith("?")

    def before(self, start: int) -> list[str]:
        """The words before a place."""
        return [word for word, _, end in self.words if end <= start]

    def after(self, end: int) -> list[str]:
        """The words behind a place."""
        return [word for word, start, _ in self.words if start >= end]

    def within(self, start: int, end: int) -> list[str]:
        """The words between two places."""
        return [word for word, first, last in self.words if start <= first and last <= end]


def opens_note(lists: Lexicon, sentence: Sentence, place: Place) -> bool:
    """Whether a sentence begins with what is said of people, and says it of this term."""
    start, end, term = place
    if not sentence.words or sentence.asks:
        return False
    first = sentence.words[0][0]
    if first in lists.opens_notes:
        return True
    if not (sentence.about_somebody and first in lists.may_open_notes and term.category.startswith(_NOTED)):
        return False
    after = sentence.after(end)
    return len(sentence.before(start)) <= _NEAR + 1 and (not after or after[0] in lists.follow_terms)


def says_nothing_else(lists: Lexicon, sentence: Sentence, terms: Sequence[Place]) -> bool:
    """Whether a line about somebody holds terms of health, words of measure and degree, and nothing else."""
    if not sentence.about_somebody or sentence.asks or len(sentence.text) > _LONGEST:
        return False
    noted = [(start, end) for start, end, term in terms if term.category.startswith(_HEALTH)]
    if all(lists.also_things.issuperset(sentence.within(*span)) for span in noted):
        return False
    return all(
        word in lists.beside_terms or any(first <= start and end <= last for first, last in noted)
        for word, start, end in sentence.words
    )

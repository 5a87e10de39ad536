"""Closed vocabularies: enumerations with synonyms, yes and no."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from lawful.firewalls.values import Reason, Refused
from lawful.firewalls.words import fold, words

_YES: Final = "yes true y on included available allowed permitted possible ja oui si accepted confirmed with"
_NO: Final = "no false n off excluded unavailable not none nein non forbidden impossible without denied"
_NOT: Final = "no not without non never neither nor except excluding lacks kein keine ohne nicht sans sin"
_NEGATIONS: Final = frozenset(_NOT.split(" "))
_REACH: Final = 3
"""How many words a negation reaches over: `no swimming pool`, `not a hotel with wifi`."""


@dataclass(frozen=True)
class ChoiceForm:
    """One of some values.

    Attributes:
        spellings: every way to say each value, in the spelling of `words`, and the value.
        mentioned: it counts wherever prose says it.
    """

    spellings: Mapping[str, str]
    mentioned: bool = False

    @property
    def values(self) -> tuple[str, ...]:
        """The values, in the protocol's order."""
        return tuple(dict.fromkeys(self.spellings.values()))

    @property
    def pattern(self) -> re.Pattern[str] | None:
        """None: prose is asked for words, see `mentions`."""
        return None

    def read(self, text: str) -> str:
        """The value that the text is, or the only one that it names."""
        exact = self.spellings.get(words(text)) or self.spellings.get(fold(text))
        if exact is not None:
            return exact
        found = set(self.mentions(text))
        if len(found) != 1:
            raise Refused(Reason.AMBIGUOUS if found else Reason.NOT_A_CHOICE)
        return found.pop()

    def holds(self, value: object) -> bool:
        """Whether it is one of the values."""
        return isinstance(value, str) and value in self.values

    def mentions(self, text: str) -> list[str]:
        """The values that a text names and does not negate, in its order."""
        plain = fold(text)
        found: list[str] = []
        for match in self._spoken.finditer(plain):
            before = plain[max(0, match.start() - 40) : match.start()].split()[-_REACH:]
            if _NEGATIONS.isdisjoint(before):
                found.append(self.spellings[match[0]])
        return found

    @cached_property
    def _spoken(self) -> re.Pattern[str]:
        ways = "|".join(re.escape(each) for each in sorted(self.spellings, key=len, reverse=True) if each)
        return re.compile(rf"(?<![a-z0-9])(?:{ways})(?![a-z0-9])")


@dataclass(frozen=True)
class BooleanForm:
    """Yes or no."""

    @property
    def pattern(self) -> re.Pattern[str] | None:
        """A word for yes or no."""
        return _WORD

    def read(self, text: str) -> bool:
        """True or false."""
        said = fold(text).split(" ")
        if said[0] in _NO_WORDS or (len(said) > 1 and said[1] in _NO_WORDS):
            return False
        if said[0] in _YES_WORDS or text in {"✓", "✔", "1"}:
            return True
        if text in {"✗", "✘", "0"}:
            return False
        raise Refused(Reason.WRONG_TYPE)

    def holds(self, value: object) -> bool:
        """Whether it is a truth value."""
        return isinstance(value, bool)


_YES_WORDS: Final = frozenset(_YES.split())
_NO_WORDS: Final = frozenset(_NO.split())
_WORD: Final = re.compile(rf"(?<!\w)(?:{'|'.join([*_YES.split(), *_NO.split()])})(?!\w)", re.IGNORECASE)

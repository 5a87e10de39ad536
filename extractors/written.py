"""One text, with what identifiers are compared with: its words, its numbers, its addresses.

Whoever looks for many people in a text looks through it once. What is worked out is paid for before,
in steps, so that what a text costs does not hang on how many people an event names, nor in how many
spellings; what no text needs is not worked out.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import compress, pairwise
from typing import Final

from lawful.extractors.budget import Budget
from lawful.schemas import normalising
from lawful.schemas.event import Identifier
from lawful.schemas.normalising import Normalise

Span = tuple[int, int]
Spans = list[Span]

TAIL: Final = 4
"""Digits at the end of a phone number that no way of dialling it changes."""

_PHONE: Final = re.compile(r"(?<!\w)\+?[(\d](?:[ .\-/()]{0,2}\d){6,16}(?!\w)")
_LOCAL: Final = re.compile(r"[\w.!#$%&'*+/=?^`{|}~\-]{1,64}")
_DOMAIN: Final = re.compile(r"[\w.\-]{1,253}")
_LONGEST_LOCAL: Final = 64
_BETWEEN: Final = 2  # characters between two of a document's number

# Steps, and characters for one step.
_PER_CANDIDATE: Final = 3
_PER_PLACE: Final = 2
_PER_HIT: Final = 3
_PER_NORMAL: Final = 10
_PER_DIALLED: Final = 20  # phone numbers are dear to read
_PER_DIALLED_CHARACTER: Final = 2
_PER_FOREIGN_CHARACTER: Final = 3  # of a domain that is not in ASCII
_LONGEST_READ: Final = 64
_CHARACTERS_KEPT: Final = 32
_CHARACTERS_PLACED: Final = 16
_CHARACTERS_SEARCHED: Final = 16
_CHARACTERS_DIALLED: Final = 4
_WORDS_LOOKED_FOR: Final = 4


def price(identifier: Identifier) -> int:
    """Steps that an identifier's normal form or its pseudonym costs."""
    value = identifier.value
    match normalising.scheme(identifier.scheme):
        case "phone":
            return _PER_DIALLED + _PER_DIALLED_CHARACTER * min(len(value), _LONGEST_READ)
        case "email" if not value.isascii() or "xn--" in value.lower():
            return _PER_NORMAL + _PER_FOREIGN_CHARACTER * len(value)
        case _:
            return _PER_NORMAL + len(value) // 8


class Written:
    """A text and what is written in it.

    Args:
        text: as it is read.
        normalise: the normal form of identifiers.
        budget: pays for what is worked out.
    """

    def __init__(self, text: str, normalise: Normalise, budget: Budget) -> None:
        self.text = text
        self.folded = text.casefold()
        self._normalise = normalise
        self._spend = budget.spend
        self._normals: dict[Identifier, str] = {}

    def matching(self, pattern: re.Pattern[str], words: int) -> Spans:
        """Where a pattern of some words matches: each of them may be looked for again behind each of the others."""
        self._spend(len(self.text) // _CHARACTERS_SEARCHED * (1 + words // _WORDS_LOOKED_FOR))
        return self.paid(match.span() for match in pattern.finditer(self.text))

    def paid(self, spans: Iterable[Span]) -> Spans:
        """Places, each paid for."""
        found: Spans = []
        for span in spans:
            self._spend(_PER_HIT)
            found.append(span)
        return found

    def numbers(self, tail: str) -> Iterator[tuple[Span, str]]:
        """What could be a phone number and ends so, each paid for."""
        if tail not in self.digits:
            return
        for one in self.phones.get(tail, ()):
            self._spend(_PER_CANDIDATE)
            yield one

    @cached_property
    def bare(self) -> str:
        """Without blanks around it."""
        return self.text.strip()

    def normal(self, identifier: Identifier) -> str:
        """The normal form of what the text has."""
        if identifier not in self._normals:
            self._spend(price(identifier))
            self._normals[identifier] = self._normalise(identifier).value
        return self._normals[identifier]

    @cached_property
    def digits(self) -> str:
        """Nothing but the digits."""
        self._spend(len(self.text) // _CHARACTERS_KEPT)
        return "".join(filter(str.isdecimal, self.text))

    @cached_property
    def phones(self) -> Mapping[str, Sequence[tuple[Span, str]]]:
        """What could be a phone number, by its last digits."""
        self._spend(len(self.text) // _CHARACTERS_DIALLED)
        found: dict[str, list[tuple[Span, str]]] = {}
        for match in _PHONE.finditer(self.text):
            self._spend(_PER_CANDIDATE)
            digits = only_digits(match.group())
            found.setdefault(digits[-TAIL:], []).append((match.span(), match.group()))
        return found

    @cached_property
    def mails(self) -> Mapping[str, Sequence[tuple[int, int]]]:
        """What could be an address, by what is before its `@`: where that starts, and where the `@` is."""
        found: dict[str, list[tuple[int, int]]] = {}
        at = self.text.find("@")
        while at >= 0:
            self._spend(_PER_CANDIDATE)
            before = self.text[max(at - _LONGEST_LOCAL, 0) : at][::-1]
            if local := _LOCAL.match(before):
                start = at - local.end()
                found.setdefault(self.text[start:at].lower(), []).append((start, at))
            at = self.text.find("@", at + 1)
        return found

    def domain(self, at: int) -> str:
        """What could be a domain behind an `@`."""
        self._spend(_PER_CANDIDATE)
        found = _DOMAIN.match(self.text, at + 1)
        return found.group().rstrip(".-") if found else ""

    @cached_property
    def letters(self) -> str:
        """Nothing but letters and digits, in lower case."""
        self._spend(len(self.text) // _CHARACTERS_KEPT)
        return "".join(filter(str.isalnum, self._aligned))

    @cached_property
    def _places(self) -> Sequence[int]:
        """Where each of these stands."""
        self._spend(len(self.text) // _CHARACTERS_PLACED)
        return list(compress(range(len(self.text)), map(str.isalnum, self._aligned)))

    @cached_property
    def _aligned(self) -> str:
        if len(self.folded) == len(self.text):
            return self.folded
        self._spend(len(self.text) // _CHARACTERS_DIALLED)
        return "".join(folded if len(folded := char.casefold()) == 1 else char for char in self.text)

    def apart(self, value: str) -> Spans:
        """Where a document's number stands, with little between its letters and digits."""
        found: Spans = []
        at = self.letters.find(value)
        while at >= 0:
            self._spend(_PER_PLACE + len(value) // _CHARACTERS_SEARCHED)
            places = self._places[at : at + len(value)]
            start, end = places[0], places[-1] + 1
            is_hit = self._stands_alone(start, end) and all(b - a <= _BETWEEN + 1 for a, b in pairwise(places))
            if is_hit:
                self._spend(_PER_HIT)
                found.append((start, end))
            at = self.letters.find(value, at + (len(value) if is_hit else 1))
        return found

    def _stands_alone(self, start: int, end: int) -> bool:
        return not (_is_word(self.text[start - 1 : start]) or _is_word(self.text[end : end + 1]))


def only_digits(text: str) -> str:
    """A text's digits."""
    return "".join(filter(str.isdecimal, text))


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"

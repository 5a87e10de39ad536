"""Words beside a hit that say what it is, weighed as Presidio weighs them.

The same arithmetic as its `LemmaContextAwareEnhancer` over whole words (five of them before the
hit, in lower case), without the copies that it makes of every result.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final

import ahocorasick_rs

from lawful.extractors.placeholders import wordless
from lawful.extractors.presidio.hit import Hit

BONUS: Final = 0.35
LEAST: Final = 0.4
_BEFORE: Final = 5
_LONG: Final = 1_000  # characters
_REACH: Final = 60  # characters in which there are five words, mostly
# Versions stand in lists and under headings, too, and `no.` and `ver.` are no ends of sentences.
_END: Final = re.compile(
    r"(?<!:)[\n\r]|(?<!\bno)(?<!\bnos)(?<!\bver)(?<!\bvers)(?<!\brev)\.(?=\s)|[!?;](?=\s)|,(?!\s*\d)", re.IGNORECASE
)
_WORD: Final = re.compile(r"\d[\w.,:/\-]*\w|[^\W_]+|[^\w\s]")


class Vocabulary:
    """The context words of all recognisers, looked for in a long text at once.

    Args:
        words: in lower case.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self._words = tuple(dict.fromkeys(word for word in words if word))
        self._automaton = ahocorasick_rs.AhoCorasick(list(self._words))

    def within(self, lowered: str) -> frozenset[str]:
        """Those that a text in lower case holds."""
        found = {index for index, _, _ in self._automaton.find_matches_as_indexes(lowered, overlapping=True)}
        return frozenset(self._words[index] for index in found)


class Words:
    """The words of a text, split when first needed.

    Args:
        text: the text.
        around: words from outside it, such as a field's name.
        vocabulary: has all words that are asked about.
    """

    def __init__(self, text: str, around: Sequence[str], vocabulary: Vocabulary | None = None) -> None:
        self._text = wordless(text)
        self._vocabulary = vocabulary if len(text) >= _LONG else None
        self._around = frozenset(word.lower() for word in around)

    @cached_property
    def lowered(self) -> str:
        """The text in lower case."""
        return self._text.lower()

    @cached_property
    def _held(self) -> frozenset[str]:
        return self._vocabulary.within(self.lowered) if self._vocabulary else frozenset()

    def may_hold(self, context: Sequence[str]) -> bool:
        """Whether any of some words could stand in the text or around it."""
        if self._vocabulary is not None:
            return any(word in self._around or word in self._held for word in context)
        return any(word in self._around or word in self.lowered for word in context)

    def before(self, start: int) -> set[str]:
        """The word at a place, the five before it, and those from outside."""
        reach = _REACH
        while True:
            first = max(0, start - reach)
            while first and not self._text[first].isspace() and first > start - 2 * reach:
                first -= 1  # not in the middle of a word
            words = self._words(first, start)
            if len(words) > _BEFORE or first == 0:
                return {*words[-_BEFORE - 1 :], *self._around}
            reach *= 4

    def beside(self, start: int) -> set[str]:
        """Of the words before a place those of the same line, sentence and part of a list, and those from outside."""
        first = max(0, start - 2 * _REACH)
        ends = [end.end() for end in _END.finditer(self._text, first, start + 1)]
        words = self._words(ends[-1] if ends else first, start)
        return {*words[-_BEFORE - 1 :], *self._around}

    def _words(self, first: int, start: int) -> list[str]:
        """The words from one place on, up to the one at another."""
        words = []
        for word in _WORD.finditer(self._text, first):
            words.append(word.group().lower())
            if word.end() > start:
                break
        return words

    def weighed(self, hit: Hit, context: Sequence[str]) -> Hit:
        """The hit, with a higher score where one of the recogniser's words stands beside it.

        Args:
            hit: as its recogniser sees it.
            context: the recogniser's words, in lower case.
        """
        near = self.before(hit.start)
        word = next((word for word in context if word in near), "")
        score = round(min(max(hit.score + BONUS, LEAST), 1.0), 4)
        return replace(hit, score=score, context=word) if word else hit

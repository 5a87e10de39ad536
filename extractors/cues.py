"""Words that say what stands beside them, looked for all at once and told by where they stand.

One pass of Aho-Corasick over a text in lower case and without accents finds the words of all kinds; each
question about a place is then a look at its neighbours.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import ahocorasick_rs

from lawful.extractors.folding import folded

Spans = Sequence[tuple[int, int]]
_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")


class Cues:
    """Whole words, or beginnings of words, of several kinds.

    Args:
        kinds: the words of each; they are folded here.
    """

    def __init__(self, kinds: Mapping[str, Iterable[str]]) -> None:
        owners: dict[str, list[str]] = defaultdict(list)
        for kind, words in kinds.items():
            for word in sorted({folded(str(each)) for each in words}):
                owners[word].append(kind)
        self._automaton = ahocorasick_rs.AhoCorasick(list(owners))
        self._owners = tuple(map(tuple, owners.values()))

    def places(self, near: str) -> dict[str, list[tuple[int, int]]]:
        """Where words begin that are the words of each kind, or begin with one; by place.

        Args:
            near: a folded text.
        """
        found: dict[str, list[tuple[int, int]]] = {}
        for index, start, end in self._automaton.find_matches_as_indexes(near, overlapping=True):
            if start and near[start - 1] in _LETTERS:
                continue
            for kind in self._owners[index]:
                found.setdefault(kind, []).append((start, end))
        for spans in found.values():
            spans.sort()
        return found


def any_between(spans: Spans, start: int, end: int) -> bool:
    """Whether any of some spans, which are in order, lies between two places."""
    at = bisect_left(spans, (start, 0))
    while at < len(spans) and spans[at][0] < end:
        if spans[at][1] <= end:
            return True
        at += 1
    return False


def any_over(spans: Spans, start: int, end: int, longest: int) -> bool:
    """Whether any of some spans, which are in order and no longer than that, has a character between two places."""
    at = bisect_left(spans, (start - longest, 0))
    while at < len(spans) and spans[at][0] < end:
        if spans[at][1] > start:
            return True
        at += 1
    return False


def any_around(spans: Spans, start: int, end: int) -> bool:
    """Whether any of some spans, which are in order and do not overlap, covers a stretch."""
    at = bisect_right(spans, (start, end))
    return any(first <= start and end <= last for first, last in spans[max(0, at - 1) : at + 1])

"""Whether the fast way gives what Presidio gives: entity, place and score of every hit.

Held against each other are the recognisers as Presidio runs them and as `running` runs them behind
the prefilter, on texts drawn from their own patterns. A difference is a fault here: where
Presidio is wrong, a recogniser of its own is put in its place (`data/corrections.yaml`).
"""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import metadata
from typing import Any

from presidio_analyzer import PatternRecognizer, predefined_recognizers

from lawful.extractors.budget import Budget
from lawful.extractors.config import EntityRule
from lawful.extractors.presidio.context import Words
from lawful.extractors.presidio.quiet import keep_quiet
from lawful.extractors.presidio.running import Running
from lawful.extractors.presidio.sampling import texts
from lawful.extractors.search import Prefilter

Place = tuple[str, int, int, float]
_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Difference:
    """One recogniser that says something else of one text."""

    recogniser: str
    text: str
    missing: frozenset[Place]
    extra: frozenset[Place]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came of it.

    Attributes:
        hits: that both ways gave.
        seconds: of CPU time, of Presidio's way and of the fast one.
    """

    texts: int
    recognisers: int
    patterns: int
    unfiltered: int
    hits: int
    differences: tuple[Difference, ...]
    seconds: tuple[float, float]


def predefined(leave_out: Iterable[str] = ("UrlRecognizer",)) -> list[Any]:
    """Presidio's own pattern recognisers that can be built without settings, but for those that take seconds."""
    keep_quiet()
    kinds = [getattr(predefined_recognizers, name) for name in sorted(dir(predefined_recognizers))]
    plain: list[Any] = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, PatternRecognizer)]
    return [kind() for kind in dict.fromkeys(plain) if kind.__name__ not in {*leave_out, "PatternRecognizer"}]


def compare(count: int, seed: int, progress: Callable[[int], None] = lambda _done: None) -> Comparison:
    """Both ways over drawn texts.

    Args:
        count: how many texts.
        seed: of the texts.
        progress: told how many are done.
    """
    theirs = predefined()
    rules = {entity: EntityRule("user", min_score=0.0) for one in theirs for entity in one.supported_entities}
    ours = [Running(one, rules, metadata.version("presidio-analyzer")) for one in theirs]
    owners = [(place, number) for place, one in enumerate(ours) for number in range(len(one.searches))]
    prefilter = Prefilter([ours[place].searches[number] for place, number in owners])
    patterns = [pattern.regex for one in theirs for pattern in one.patterns]
    contexts = sorted({word for one in theirs for word in one.context or ()})
    differences, hits, spent = list[Difference](), 0, [0.0, 0.0]
    for done, text in enumerate(texts(patterns, contexts, count, seed)):
        start = time.thread_time()
        slow = _slow(theirs, text)
        between = time.thread_time()
        fast = _fast(ours, owners, prefilter, text)
        spent[0] += between - start
        spent[1] += time.thread_time() - between
        for one, expected, found in zip(theirs, slow, fast, strict=True):
            hits += len(expected & found)
            if expected != found:
                differences.append(Difference(one.name, text, frozenset(expected - found), frozenset(found - expected)))
        progress(done + 1)
    return Comparison(
        count, len(theirs), len(patterns), len(prefilter.unfiltered), hits, tuple(differences), (spent[0], spent[1])
    )


def _slow(recognisers: list[Any], text: str) -> list[set[Place]]:
    return [
        {(hit.entity_type, hit.start, hit.end, round(float(hit.score), 4)) for hit in one.analyze(text, [])}
        for one in recognisers
    ]


def _fast(ours: list[Running], owners: list[tuple[int, int]], prefilter: Prefilter, text: str) -> list[set[Place]]:
    budget = Budget(time.monotonic, time.monotonic() + _SECONDS)
    met: dict[int, list[int]] = {}
    for number in prefilter.met(text):
        place, pattern = owners[number]
        met.setdefault(place, []).append(pattern)
    words = Words(text, ())
    return [
        {
            (hit.entity, hit.start, hit.end, hit.score)
            for hit in one.unweighed(text, words, met.get(place, ()), budget, None)
        }
        if place in met or one.reads_artifacts
        else set()
        for place, one in enumerate(ours)
    ]

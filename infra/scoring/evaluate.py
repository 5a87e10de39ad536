"""Readers held against labelled samples, and against what their accuracy is promised to be."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from lawful.infra.corpus.template import Sample
from lawful.infra.scoring.readers import Reader
from lawful.infra.scoring.score import ALL, Score, better

Progress = Callable[[int], None]

OURS: Final = "lawful"
THEIRS: Final = "presidio"


def evaluate(samples: Sequence[Sample], readers: Mapping[str, Reader], progress: Progress) -> dict[str, Any]:
    """Recall and precision of each reader: over all samples, by type, language, form and evasion.

    Args:
        samples: with labels.
        readers: by name.
        progress: told how many payloads have been read since it was last told.
    """
    scores = {name: Score() for name in readers}
    for sample in samples:
        for name, reader in readers.items():
            scores[name].add(sample, reader(sample.payload))
            progress(1)
    found = {name: score.as_dict() for name, score in scores.items()}
    result: dict[str, Any] = {"samples": len(samples), "readers": found}
    if {OURS, THEIRS} <= set(found):
        result["better"] = {ALL: better(found[OURS][ALL], found[THEIRS][ALL])} | _by_set(found)
    return result


def _by_set(found: Mapping[str, Any]) -> dict[str, bool]:
    """Whether ours is better on each form of payload and in each language."""
    return {
        name: better(mine, found[THEIRS]["by"][view][name])
        for view in ("form", "language")
        for name, mine in found[OURS]["by"].get(view, {}).items()
    }

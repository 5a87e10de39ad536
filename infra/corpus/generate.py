"""The corpus itself: so many samples of a part, by seed.

Rules are tuned on the tuning part and reported on the held-out one. The two share no template, no
name and no term, and a seed used for one sheds no light on the other.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

from lawful.infra.corpus.evasions import EVASIONS
from lawful.infra.corpus.template import Filling, Sample, kinds_of, sample
from lawful.infra.corpus.values import Pools

LANGUAGES: Final = ("en", "de", "fr", "es")
_DATA: Final = Path(__file__).parent / "data"
# Of a part's samples: messages and documents with personal values, messages with one of them hidden, and neither.
_SHARES: Final = (("messages", 36), ("records", 20), ("hidden", 14), ("none", 30))


class Part(StrEnum):
    """Which half of the templates, names and terms."""

    TUNING = "tuning"
    HELD_OUT = "held_out"


@dataclass(frozen=True, slots=True)
class _Templates:
    pools: Pools
    messages: Sequence[str]
    records: Sequence[Any]
    none: Sequence[Any]


def corpus(part: Part, size: int, seed: int, languages: Sequence[str] = LANGUAGES) -> list[Sample]:
    """Samples in a random order; the same arguments give the same samples.

    Args:
        part: the tuning or the held-out half.
        size: how many.
        seed: of all choices.
        languages: English has half of the samples when it is among several.
    """
    dice = Random(f"{part}/{seed}")  # noqa: S311 - reproducible, and no secret
    rounds = _rounds(part, dice, languages)
    return [next(rounds) for _ in range(size)]


def _rounds(part: Part, dice: Random, languages: Sequence[str]) -> Iterator[Sample]:
    weights = [len(languages) - 1 if one == "en" and len(languages) > 1 else 1 for one in languages]
    decks: dict[tuple[str, str], list[Any]] = {}
    while True:
        (language,) = dice.choices(languages, weights)
        (share,) = dice.choices([name for name, _ in _SHARES], [weight for _, weight in _SHARES])
        templates = _templates(part, language)
        deck = decks.setdefault((language, share), [])
        if not deck:  # every template once before any comes again
            deck += dice.sample(_of(templates, share), k=len(_of(templates, share)))
        template, hide = deck.pop()
        yield sample(template, Filling(dice, templates.pools, hide))


def _of(templates: _Templates, share: str) -> list[tuple[Any, tuple[str, str] | None]]:
    if share == "hidden":
        return [
            (one, (kind, evasion))
            for one in templates.messages
            for kind in kinds_of(one)
            for evasion in EVASIONS.get(kind, ())
        ]
    return [(one, None) for one in getattr(templates, share)]


@cache
def _templates(part: Part, language: str) -> _Templates:
    own, common = _read(language)[part.value], _read("common")[part.value]
    words = {key: entry for key, entry in own.items() if key not in {"messages", "records", "negatives"}}
    return _Templates(
        Pools(language, words), own["messages"], own["records"], [*own["negatives"], *common["negatives"]]
    )


@cache
def _read(name: str) -> Mapping[str, Any]:
    from ruamel.yaml import YAML  # noqa: PLC0415 - the command line starts without the YAML parser

    data: Mapping[str, Any] = YAML(typ="safe", pure=True).load(_DATA / f"{name}.yaml")
    return data

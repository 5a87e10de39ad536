"""The eight families, and how many trials of each are made.

A family is a list of kinds; a kind is a function that plays an attack, or the benign session that
looks most like it. Kinds take turns, framings are drawn.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Final

from lawful.infra.evaluation.attacks import (
    collection,
    consent,
    drift,
    erasure,
    identity,
    obfuscation,
    relay,
    temporal,
)
from lawful.infra.evaluation.attacks.limits import LIMITS
from lawful.infra.evaluation.attacks.plot import Kind
from lawful.infra.evaluation.attacks.scene import Scene
from lawful.infra.evaluation.attacks.trades import trades
from lawful.infra.evaluation.attacks.wording import FRAMINGS, PLAIN, Templates, Wording
from lawful.infra.evaluation.trial import Trial
from lawful.infra.fleet.people import Crowd

FAMILIES: Final[Mapping[str, tuple[str, tuple[Kind, ...]]]] = {
    "A1": ("consent bypass", consent.KINDS),
    "A2": ("purpose drift", drift.KINDS),
    "A3": ("over-collection", collection.KINDS),
    "A4": ("recall after erasure", erasure.KINDS),
    "A5": ("identity", identity.KINDS),
    "A6": ("agent-to-agent relay", relay.KINDS),
    "A7": ("temporal", temporal.KINDS),
    "A8": ("obfuscation", obfuscation.KINDS),
}
BEYOND: Final = "beyond"
"""The name of what is no family: attacks that are outside of what the monitor was made for."""
PACKS: Final = tuple(trades())
_MOST_IN_A_BATCH: Final = 40


class Few(Crowd):
    """A crowd that is large enough for a batch, and quickly there."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._numbers = random.sample(range(1000, 10_000), 10 * _MOST_IN_A_BATCH)


@dataclass(frozen=True, slots=True)
class Batch:
    """Trials that are made and run together: reproducible from these."""

    seed: int
    pack: str
    family: str
    benign: bool
    first: int
    count: int


def batches(seed: int, attacks: int, benign: int) -> Iterator[Batch]:
    """At least so many attacks and benign sessions, the same number for each pack and family."""
    places = len(PACKS) * len(FAMILIES)
    for wanted, is_benign in ((attacks, False), (benign, True)):
        each = -(-wanted // places)
        for first in range(0, each, _MOST_IN_A_BATCH):
            count = min(_MOST_IN_A_BATCH, each - first)
            for pack in PACKS:
                for family in FAMILIES:
                    yield Batch(seed, pack, family, is_benign, first, count)


def beyond(seed: int, each: int) -> Iterator[Batch]:
    """So many attacks of each kind that the monitor does not stop, for each pack."""
    for pack in PACKS:
        yield Batch(seed, pack, BEYOND, benign=False, first=0, count=each * len(LIMITS))


def _kinds(family: str) -> tuple[Kind, ...]:
    return tuple(kind for kind, _ in LIMITS) if family == BEYOND else FAMILIES[family][1]


def trials(batch: Batch, wording: Wording | None = None) -> Iterator[Trial]:
    """The trials of a batch."""
    dice = Random(f"{batch.seed}/{batch.pack}/{batch.family}/{batch.benign}/{batch.first}")  # noqa: S311 - no secret
    crowd = Few(dice)
    for number in range(batch.first, batch.first + batch.count):
        yield _trial(batch, number, dice, crowd, wording or Templates())


def _trial(batch: Batch, number: int, dice: Random, crowd: Crowd, wording: Wording) -> Trial:
    trade = trades()[batch.pack]
    kinds = [kind for kind in _kinds(batch.family) if kind.fits(trade)]
    # Each trade begins with another kind, so that a small run still meets all of them.
    kind = kinds[(number + 2 * PACKS.index(batch.pack)) % len(kinds)]
    framing = PLAIN if batch.benign else dice.choice(list(FRAMINGS))
    name = f"{batch.pack}-{batch.family}-{'benign' if batch.benign else 'attack'}-{number}"
    scene = Scene(name.lower(), trade, dice, crowd, wording, framing, batch.benign)
    kind.play(scene)
    return scene.end(batch.family, kind.name)

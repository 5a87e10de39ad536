"""Texts in disguise, read as what they stand for: encodings decoded, digits and addresses pieced together.

Further readings of a text: a decoded one undoes encodings, one inside the other; a pieced one, on top
of it, joins what is spelt out or apart. What looks like Base64 or hexadecimal may be a number as it
stands, so the text before such a step is read as well: as all that it says, since it says one thing,
while what comes after such a step is a guess. One look by RE2 says whether there is anything to undo,
which there hardly ever is.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, Final

from lawful.extractors.config import DATA, load_yaml
from lawful.extractors.decoding import DECODERS, GUESSED
from lawful.extractors.decoding import TRIGGERS as CODES
from lawful.extractors.lately import lately
from lawful.extractors.linear import Conditions, shadow
from lawful.extractors.normal import normalised
from lawful.extractors.piecing import Spelling, pieces, spelling
from lawful.extractors.reading import Piece, Reading, Spend, free, paid
from lawful.extractors.underscores import unmarked

_ROUNDS: Final = 3  # of an encoding in an encoding
_PER_TEXT, _PER_PIECE = 34, 3  # steps
_PER_STEP: Final = 16  # characters


@dataclass(frozen=True, slots=True)
class Accepted:
    """What counts in a further reading.

    Attributes:
        identifiers: of the event's own subjects, and the policy's.
        with_context: whatever has a word beside it that says what it is.
        categories: whatever is found of them.
        everything: whatever is found, by whichever recogniser.
    """

    identifiers: bool
    with_context: bool
    categories: frozenset[str]
    everything: bool = False


@dataclass(frozen=True, slots=True)
class _Table:
    """`data/disguises.yaml`, compiled.

    Attributes:
        met: what there may be to undo in a text.
    """

    certain: Accepted
    decoded: Accepted
    pieced: Accepted
    spelt: Spelling
    met: Callable[[str], frozenset[str]]


@lru_cache(maxsize=1)
def _table() -> _Table:
    data = load_yaml(DATA / "disguises.yaml")
    spelt = spelling(data)
    triggers = {**CODES, **spelt.triggers}
    conditions = Conditions([f"(?i:{trigger})" for trigger in triggers.values()])
    names = tuple(triggers)

    @lately
    def met(text: str) -> frozenset[str]:
        return frozenset(names[number] for number in conditions.met(shadow(text)))

    certain, decoded, pieced = (_accepted(data[name]) for name in ("certain", "decoded", "pieced"))
    return _Table(certain, decoded, pieced, spelt, met)


def _accepted(rules: Mapping[str, Any]) -> Accepted:
    everything = rules.get("everything", False)
    return Accepted(rules["identifiers"], rules["with_context"], frozenset(rules["categories"]), everything)


def undone(reading: Reading, spend: Spend = free) -> Iterator[tuple[Reading, Accepted]]:
    """The further readings of a text, as far as they differ, each with what counts in it; linear in the text."""
    table, reading = _table(), reading.settled()
    met = table.met(reading.text)
    if not met:
        return
    spend(_PER_TEXT)
    for decoded, triggers, is_guess in _stages(table, reading, met, spend):
        if decoded.fresh:
            accepted = table.decoded if is_guess else table.certain
            yield from ((part, accepted) for part in decoded.parts())
        apart = [name for name in table.spelt.triggers if name in triggers]
        if not apart:
            continue
        pieced = decoded.settled().respelt(unmarked(decoded.text, spend))
        for name in apart:
            pieced = _rewritten(pieced, partial(pieces, table.spelt, name, spend=spend), spend)
        if pieced.fresh:
            yield from ((part, table.pieced) for part in pieced.parts())


def _stages(
    table: _Table, reading: Reading, met: frozenset[str], spend: Spend
) -> Iterator[tuple[Reading, frozenset[str], bool]]:
    """The text decoded as far as it goes, and before that as it was wherever a number may have been decoded further.

    A stage's fresh stretches are those since the stage before; with each, whether anything of it was guessed.
    """
    is_guess = False
    for _ in range(_ROUNDS):
        before = reading
        for name, decode in DECODERS.items():
            if name not in met:
                continue
            base = reading.settled() if name in GUESSED else reading
            further = _rewritten(base, decode, spend)
            if further is base:
                continue
            if name in GUESSED:
                yield *_looked_at(table, reading, before, met, spend), is_guess
                is_guess = True
            reading = further
        if reading is before:
            break
        reading, met = _looked_at(table, reading, before, met, spend)
    yield reading, met, is_guess


def _looked_at(
    table: _Table, reading: Reading, before: Reading, met: frozenset[str], spend: Spend
) -> tuple[Reading, frozenset[str]]:
    """A reading in one spelling, and what there may be to undo in it; `met` is what there was before it."""
    if reading is before:
        return reading, met
    reading = normalised(reading, spend)
    return reading, table.met(reading.text)


def _rewritten(reading: Reading, change: Callable[[str], Iterator[Piece]], spend: Spend) -> Reading:
    found = paid(change(reading.text), spend, _PER_PIECE)
    if not found:
        return reading
    spend(len(reading.text) // _PER_STEP)  # each character's way back
    return reading.rewritten(found)

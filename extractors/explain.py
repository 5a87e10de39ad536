"""Why something was found, and why something else was not: for people, on demand.

What decides stays as it is; this asks the same recognisers again and holds every hit against what
remained of them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol, runtime_checkable

from lawful.extractors.candidate import Candidate, Recogniser, Strength, Surroundings
from lawful.extractors.disguises import undone
from lawful.extractors.fields import Field
from lawful.extractors.merge import VERIFIED
from lawful.extractors.names import LISTED
from lawful.extractors.normal import normalise
from lawful.extractors.reading import Reading
from lawful.extractors.underscores import unmarked

_BY_STRENGTH: Final = {
    Strength.GUESS: "a model's guess, in the form of a name and with some evidence for one",
    Strength.LEXICON: "a listed term with a cue beside it",
    Strength.PATTERN: "a form that few other things have",
    Strength.KEY: "the name of the field says so",
    Strength.IDENTIFIER: "an identifier that is known, or that the policy describes",
}
_BY_DETECTOR: Final = {
    "names": "a listed first name or a title, with a surname",
    "subjects": "an identifier of the event's own subject",
    "policy.identifiers": "a pattern of the policy",
    "policy.keys": "the policy names this field",
    "labels": "the label before it says so",
}

_DISGUISED: Final = "in what the text stands for, decoded or pieced together"


@dataclass(frozen=True, slots=True)
class Explained:
    """One hit of one recogniser, and what became of it.

    Attributes:
        is_kept: it is among the findings.
        reasons: what it rests on, and each rule that raised or lowered it.
    """

    path: str
    start: int
    end: int
    category: str
    detector: str
    version: str
    score: float
    is_kept: bool
    reasons: tuple[str, ...]


@runtime_checkable
class Weighs(Protocol):
    """A recogniser that can tell of hits that did not count."""

    def rejected(self, field: Field, around: Surroundings) -> list[tuple[Candidate, str]]:
        """Hits that do not count, and by which rule."""
        ...


def explain_field(
    field: Field, around: Surroundings, recognisers: Sequence[Recogniser], kept: Sequence[Candidate]
) -> Iterator[Explained]:
    """Every hit in a field, with its reasons.

    Args:
        field: as it was sent.
        around: what recognisers may know.
        recognisers: all that are asked.
        kept: what remained.
    """
    told: dict[tuple[object, ...], Explained] = {}
    for hit, reasons, counts in _hits(field, around, recognisers):
        place = _place(hit)
        stays = counts and any(_place(one) == place for one in kept)
        if place not in told or (stays and not told[place].is_kept):
            why_not = (_why_not(hit, kept),) if counts and not stays else ()
            told[place] = _explained(field, hit, (*reasons, *why_not), is_kept=stays)
    yield from told.values()


def _explained(field: Field, hit: Candidate, reasons: tuple[str, ...], *, is_kept: bool) -> Explained:
    start, end = (hit.start, hit.end) if field.is_string else (0, len(field.text))
    return Explained(field.path, start, end, hit.category, hit.detector, hit.version, hit.score, is_kept, reasons)


def _hits(
    field: Field, around: Surroundings, recognisers: Sequence[Recogniser]
) -> Iterator[tuple[Candidate, tuple[str, ...], bool]]:
    reading = normalise(field.text) if field.is_string else Reading(field.text)
    written = replace(field, text=reading.text)
    read = replace(field, text=unmarked(reading.text)) if field.is_string else written
    for one in recognisers:
        as_written = one.find(written, around) if _reads(one) and read != written else ()
        for hit in (*one.find(read, around), *as_written):
            yield _back(reading, hit), tuple(_reasons(hit)), True
        for hit, rule in one.rejected(read, around) if isinstance(one, Weighs) else ():
            yield _back(reading, hit), (*_reasons(hit), f"lowered: {rule}"), False
    for further, accepted in undone(reading) if field.is_string else ():
        seen = replace(field, text=unmarked(further.text))
        for one in recognisers:
            for hit in one.find(seen, around) if accepted.everything or _reads(one) else ():
                yield (
                    _back(further, hit),
                    (*_reasons(hit), "in what the text stands for, decoded or pieced together"),
                    True,
                )


def _reads(recogniser: Recogniser) -> bool:
    return bool(getattr(recogniser, "reads_disguises", False))


def _back(reading: Reading, hit: Candidate) -> Candidate:
    if not reading.starts:
        return hit
    start, end = reading.span(hit.start, hit.end)
    return replace(hit, start=start, end=end)


def _reasons(hit: Candidate) -> Iterator[str]:
    yield _BY_DETECTOR.get(hit.detector, _BY_STRENGTH[hit.strength])
    if hit.strength is Strength.GUESS and hit.category == "user.name":
        yield "raised: its first name is listed" if hit.score >= LISTED else "lowered: its first name is not listed"
    if hit.strength is Strength.PATTERN and hit.score >= VERIFIED:
        yield "raised: confirmed by a checksum or a domain"
    if hit.has_context:
        yield "raised: a word beside it, or the field's name, says what it is"
    if hit.subject is not None:
        yield "it points to a person"


def _why_not(hit: Candidate, kept: Sequence[Candidate]) -> str:
    for one in kept:
        if min(one.end, hit.end) > max(one.start, hit.start):
            return f"lowered: {one.category} by {one.detector} says more about the same place"
    return "lowered: the policy calls it not personal, or it counts only where it is certain"


def _place(hit: Candidate) -> tuple[object, ...]:
    return (hit.start, hit.end, hit.category, hit.detector)

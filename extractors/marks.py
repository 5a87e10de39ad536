"""What a policy asks to have pointed out: members by their name or place, and texts that match a pattern.

A mark is a finding like any other (it has a place, and can be treated there) but no personal data, and no
reading of a text that others could explain away. Patterns are held against a text as it was sent, in one
spelling and decoded, as those of identifiers are: a recipient sees through a disguise as well.
"""

from collections.abc import Iterator, Sequence

from lawful.extractors.candidate import Surroundings
from lawful.extractors.disguises import undone
from lawful.extractors.fields import Field
from lawful.extractors.keynames import normalise_key
from lawful.extractors.normal import normalise
from lawful.extractors.patterns import matches
from lawful.extractors.port import MarkSpec
from lawful.extractors.reading import Reading
from lawful.schemas.view import Finding

_DETECTOR = "policy.marks"
_VERSION = "1"
_EACH = "*"


def marked(field: Field, around: Surroundings) -> Iterator[Finding]:
    """The marks at one field; a member is marked whole, whatever it holds."""
    readings: Sequence[Reading] | None = None
    for mark in around.spec.marks:
        if mark.pattern:
            readings = readings or list(_readings(field, around))
            yield from _matching(mark, field, readings, around)
        elif field.is_key and _is_meant(mark, field):
            yield _mark(mark, field.below, 0, 0)


def _readings(field: Field, around: Surroundings) -> Iterator[Reading]:
    """The text as it was sent, and what else it says beyond doubt; the fresh of each is what others do not have."""
    yield Reading(field.text)
    if not field.is_string:
        return
    spend = around.budget.spend
    plain = normalise(field.text, spend)
    if plain.text != field.text:
        yield Reading(plain.text, plain.starts, plain.ends, ((0, len(plain.text)),))
    yield from (further for further, accepted in undone(plain, spend) if accepted.identifiers)


def _is_meant(mark: MarkSpec, field: Field) -> bool:
    if mark.member:
        return normalise_key(field.text) == normalise_key(mark.member)
    steps = field.below.split("/")[1:]
    return len(steps) == len(mark.path) and all(
        wanted == step.replace("~1", "/").replace("~0", "~") or (wanted == _EACH and step.isdecimal())
        for wanted, step in zip(mark.path, steps, strict=True)
    )


def _matching(mark: MarkSpec, field: Field, readings: Sequence[Reading], around: Surroundings) -> Iterator[Finding]:
    found = {span for reading in readings for span in _spans(mark.pattern, reading, around)}
    last = 0
    for start, end in sorted(found, key=lambda span: (span[0], -span[1])):
        if end <= last:
            continue  # a part of the same in another reading
        last = end
        if field.is_key:
            yield _mark(mark, field.path, 0, 0)  # the container of such a key
        elif not field.is_string:
            yield _mark(mark, field.path, 0, len(field.text))
        else:
            yield _mark(mark, field.path, start, end)


def _spans(pattern: str, reading: Reading, around: Surroundings) -> Iterator[tuple[int, int]]:
    """Where a pattern matches something, in the text as it was sent."""
    for match in matches(pattern, reading.text, around):
        start, end = match.span()
        if start < end and (not reading.fresh or reading.is_fresh(start, end)):
            yield reading.span(start, end)


def _mark(mark: MarkSpec, path: str, start: int, end: int) -> Finding:
    return Finding(path, start, end, mark.category, _DETECTOR, _VERSION, 1.0, essential=path == "/key")

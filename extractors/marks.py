"""What a policy asks to have pointed out: members by their name or place, and texts that match a pattern.

A mark is a finding like any other (it has a place, and can be treated there) but no personal data, and no
reading of a text that others could explain away.
"""

from collections.abc import Iterator

from lawful.extractors.candidate import Surroundings
from lawful.extractors.fields import Field
from lawful.extractors.keynames import normalise_key
from lawful.extractors.patterns import matches
from lawful.extractors.port import MarkSpec
from lawful.schemas.view import Finding

_DETECTOR = "policy.marks"
_VERSION = "1"
_EACH = "*"


def marked(field: Field, around: Surroundings) -> Iterator[Finding]:
    """The marks at one field; a member is marked whole, whatever it holds."""
    for mark in around.spec.marks:
        if mark.pattern:
            yield from _matching(mark, field, around)
        elif field.is_key and _is_meant(mark, field):
            yield _mark(mark, field.below, 0, 0)


def _is_meant(mark: MarkSpec, field: Field) -> bool:
    if mark.member:
        return normalise_key(field.text) == normalise_key(mark.member)
    steps = field.below.split("/")[1:]
    return len(steps) == len(mark.path) and all(
        wanted == step.replace("~1", "/").replace("~0", "~") or (wanted == _EACH and step.isdecimal())
        for wanted, step in zip(mark.path, steps, strict=True)
    )


def _matching(mark: MarkSpec, field: Field, around: Surroundings) -> Iterator[Finding]:
    for match in matches(mark.pattern, field.text, around):
        start, end = match.span()
        if start == end:
            continue
        if field.is_key:
            start = end = 0  # the container of such a key
        elif not field.is_string:
            start, end = 0, len(field.text)
        yield _mark(mark, field.path, start, end)


def _mark(mark: MarkSpec, path: str, start: int, end: int) -> Finding:
    return Finding(path, start, end, mark.category, _DETECTOR, _VERSION, 1.0, essential=path == "/key")

"""A text in sentences that a model reads one by one, and which of them could hold a name at all.

Sentences repeat where texts don't: agents quote each other, and conversations are sent again with
one message more. So it is sentences that are remembered, and most never reach the model.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from lawful.extractors.budget import FREE, Budget
from lawful.extractors.chunks import calmed
from lawful.extractors.cues import Spans, any_between
from lawful.extractors.names import is_prose, may_be_named, name_table
from lawful.extractors.places import home_words
from lawful.extractors.sentences import sentences

LONGEST: Final = 600
_PER_SEGMENT, _PER_SENTENCE = 5, 2  # steps
_TAIL: Final = 12  # characters that hold an abbreviation
_OVERLAP: Final = 60  # longer than nearly all names
_ABBREVIATED: Final = re.compile(r"(?:^|[\s(])(?:(?P<title>[A-Za-z]{2,9})|[A-Z])\.$")


@dataclass(frozen=True, slots=True)
class Segment:
    """A sentence or a part of one, and where it starts."""

    start: int
    text: str = field(repr=False)


def segments(text: str, budget: Budget = FREE) -> Iterator[Segment]:
    """The parts of a text, in order; together they hold all of it that is not between sentences."""
    calm = calmed(text)
    for start, end in _whole(calm, budget):
        yield from _parts(calm, start, end)


def telling(text: str, budget: Budget, known: Spans = ()) -> Iterator[Segment]:
    """The segments in which a guess could be accepted, given what stands before them.

    Args:
        text: the whole field.
        budget: of the event.
        known: where names stand that are found without a model, in order: guessing them says nothing new.
    """
    in_prose, homes = is_prose(text), home_words(text)
    for segment in budget.each(segments(text, budget), _PER_SEGMENT):
        end = segment.start + len(segment.text)
        if may_be_named(text, segment.start, end, budget, in_prose=in_prose, known=known) or any_between(
            homes, segment.start, end
        ):
            yield segment


def _parts(text: str, start: int, end: int) -> Iterator[Segment]:
    """A sentence in parts that are not too long, each beginning a little before the end of the last."""
    begin = start
    while end - begin > LONGEST:
        space = text.rfind(" ", begin + LONGEST // 2, begin + LONGEST)
        stop = space if space > 0 else begin + LONGEST
        yield Segment(begin, text[begin:stop])
        begin = stop - _OVERLAP
    yield Segment(begin, text[begin:end])


def _whole(text: str, budget: Budget) -> Iterator[tuple[int, int]]:
    """Sentences; an abbreviation before a name (`Dr. Silva`, `J. Silva`) does not end one."""
    begin: int | None = None
    for start, end in budget.each(sentences(text), _PER_SENTENCE):
        begin = start if begin is None else begin
        if not _is_abbreviated(text[max(begin, end - _TAIL) : end]):
            yield begin, end
            begin = None
    if begin is not None:
        yield begin, len(text)


def _is_abbreviated(sentence: str) -> bool:
    """By the end of a sentence."""
    match = _ABBREVIATED.search(sentence)
    return match is not None and (match["title"] is None or match["title"].lower() in name_table().titles)

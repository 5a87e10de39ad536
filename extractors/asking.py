"""What recognisers say about one field: about its text in one spelling, and about what it stands for.

They see texts that are normalised and without underscores that join nothing, and what these stand
for where an encoding says it beyond doubt. Those that look for something certain also see what is a
guess of ours: other encodings decoded, what is apart pieced together; and the underscores, which an
identifier may begin with. Whatever is found is brought back to the text as it was sent.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from lawful.extractors.budget import DetectorFailed, TimeUp, TooMuch
from lawful.extractors.candidate import Ahead, Candidate, Recogniser, Strength, Surroundings
from lawful.extractors.disguises import Accepted, undone
from lawful.extractors.fields import Field
from lawful.extractors.identifiers import is_exempt
from lawful.extractors.merge import VERIFIED, joined, merge
from lawful.extractors.normal import normalise
from lawful.extractors.port import ExtractionSpec
from lawful.extractors.reading import Reading, Spend, free
from lawful.extractors.underscores import Runs, blanked, loose, unmarked

# Steps that all recognisers together cost for a field, for some of its characters, and for what they find.
_PER_FIELD: Final = 39
_PER_FOREIGN: Final = 20  # where not all is ASCII
_PER_STEP: Final = 4
_PER_HIT: Final = 12
_BESIDE: Final = 80  # characters from what was decoded to what it may say something of (`credit&nbsp;score is 718`)


class Asking:
    """Asks each recogniser about a field, in all its readings.

    Args:
        recognisers: asked in this order; the order changes nothing but which failure is named.
    """

    def __init__(self, recognisers: Sequence[Recogniser]) -> None:
        self.recognisers = tuple(recognisers)
        self._ahead = tuple(one for one in recognisers if isinstance(one, Ahead))
        self._certain = tuple(one for one in recognisers if getattr(one, "reads_disguises", False))

    def ahead(self, fields: Iterable[tuple[Field, ExtractionSpec]]) -> None:
        """Lets recognisers that gain by it see many fields before they are asked about each."""
        if not self._ahead:
            return
        read = [(_unmarked(_as_read(field, _reading(field, free)), free), spec) for field, spec in fields]
        for one in self._ahead:
            # Whatever fails here fails again where it can be told of one event.
            with suppress(Exception):
                one.ahead(read)

    def forget(self) -> None:
        """Has recognisers that remember let go of it; for measuring what a text costs that was never seen."""
        for one in self.recognisers:
            getattr(one, "forget", lambda: None)()

    @staticmethod
    def price(fields: Iterable[Field]) -> int:
        """Steps that looking at fields costs at least; paid before the first is looked at."""
        return sum(_to_look_at(field.text) for field in fields)

    def about(self, field: Field, around: Surroundings) -> list[Candidate]:
        """The hits in a field that was paid for, one per place, with spans in its text as it was sent.

        Raises:
            DetectorFailed: a recogniser raised.
            TimeUp: the event's time is used up.
            TooMuch: there is more than an event may hold.
        """
        reading = _reading(field, around.budget.spend)
        written = _as_read(field, reading)
        if not written.text:
            return []
        runs = loose(written.text, around.budget.spend) if written.is_string else ()
        read = replace(written, text=blanked(written.text, runs)) if runs else written
        found = _asked(self.recognisers, read, around)
        if runs:
            found |= self._with_underscores(written, runs, around)
        seen = self._through_disguises(read, reading, around) if read.is_string else []
        if not (found or seen):
            return []
        _check_count(len(found) + len(seen), around)
        if is_exempt(written, around):
            found, seen = {hit for hit in found if is_sure(hit)}, [hit for hit in seen if is_sure(hit)]
        around.budget.spend(_PER_HIT * (len(found) + len(seen)))
        return joined(_brought_back(reading, merge(found)), seen)

    def _with_underscores(self, field: Field, runs: Runs, around: Surroundings) -> set[Candidate]:
        """What is certain beside underscores, which it may begin or end with."""
        size = len(field.text)
        found = set[Candidate]()
        for part in Reading(field.text, range(size), range(1, size + 1), runs).parts():
            around.budget.spend(_to_look_at(part.text))
            hits = _asked(self._certain, replace(field, text=part.text), around)
            found.update(_brought_back(part, (hit for hit in hits if part.is_fresh(hit.start, hit.end))))
        return found

    def _through_disguises(self, field: Field, reading: Reading, around: Surroundings) -> list[Candidate]:
        """What counts in the further readings of a text, with spans in the text as it was sent."""
        seen: list[Candidate] = []
        for further, accepted in undone(reading, around.budget.spend):
            around.budget.spend(_to_look_at(further.text))
            read = _unmarked(replace(field, text=further.text), around.budget.spend)
            asked = self.recognisers if accepted.everything else self._certain
            hits = {hit for hit in _asked(asked, read, around) if _counts(hit, further, accepted)}
            around.budget.spend(_PER_HIT * len(hits))
            seen += _brought_back(further, merge(hits))
        return seen


def _to_look_at(text: str) -> int:
    """Steps of all recognisers that find nothing in a text."""
    if text.isascii():
        return _PER_FIELD + len(text) // _PER_STEP
    return _PER_FIELD + _PER_FOREIGN + 2 * len(text) // _PER_STEP


def _reading(field: Field, spend: Spend) -> Reading:
    return normalise(field.text, spend) if field.is_string else Reading(field.text)


def _as_read(field: Field, reading: Reading) -> Field:
    return field if reading.text is field.text else replace(field, text=reading.text)


def _unmarked(field: Field, spend: Spend) -> Field:
    text = unmarked(field.text, spend) if field.is_string else field.text
    return field if text == field.text else replace(field, text=text)


def _counts(hit: Candidate, further: Reading, accepted: Accepted) -> bool:
    if accepted.everything:
        return further.is_fresh(max(0, hit.start - _BESIDE), hit.end + _BESIDE)
    return further.is_fresh(hit.start, hit.end) and accepted_in(hit, accepted)


def is_sure(hit: Candidate) -> bool:
    """Whether it is personal wherever it stands: a known identifier of a person, or what a checksum confirms."""
    return hit.strength is Strength.IDENTIFIER or (hit.strength is Strength.PATTERN and hit.score >= VERIFIED)


def accepted_in(hit: Candidate, accepted: Accepted) -> bool:
    """Whether a hit counts in a reading that is not the plain one."""
    if hit.strength is Strength.IDENTIFIER:
        return accepted.identifiers
    is_certain = hit.score >= VERIFIED or (accepted.with_context and hit.has_context)
    return is_certain or hit.category in accepted.categories


def _brought_back(reading: Reading, hits: Iterable[Candidate]) -> list[Candidate]:
    if not reading.starts:
        return list(hits)
    return [replace(hit, start=start, end=end) for hit in hits for start, end in [reading.span(hit.start, hit.end)]]


def _asked(recognisers: Iterable[Recogniser], field: Field, around: Surroundings) -> set[Candidate]:
    found: set[Candidate] = set()
    for one in recognisers:
        around.budget.check()
        try:
            if hits := one.find(field, around):
                found.update(hits)
        except (TimeUp, TooMuch, DetectorFailed):
            raise
        except Exception as error:  # noqa: BLE001 - fail closed; a message may hold the text
            raise DetectorFailed(one.name, type(error).__name__) from None
    return found


def _check_count(found: int, around: Surroundings) -> None:
    if found > around.spec.limits.max_findings:
        raise TooMuch

"""Finds issued numbers: by their form, their checksum, and where those say too little, a word beside them."""

import re
from collections.abc import Iterator
from typing import Final

from lawful.extractors.budget import Budget
from lawful.extractors.candidate import Candidate, Strength, Surroundings
from lawful.extractors.cues import any_between, any_over
from lawful.extractors.fields import Field
from lawful.extractors.folding import folded
from lawful.extractors.national.checks import Check
from lawful.extractors.national.table import LONGEST, Row, Table, number_table

_AFTER: Final = 25  # how far behind a number the word that names it may stand
_TWO_DIGITS: Final = re.compile(r"\d\D*\d")
_BREAK: Final = re.compile(r"[.!?](?=\s+[A-ZÀ-Þ])|\n\n")
# A checksum that hardly anything passes by chance; a form and a word; a form that nothing else has.
_SURE, _SAID, _FORM = 1.0, 0.8, 0.75
_HARDLY: Final = 15
_PER_TEXT, _PER_FORM, _PER_CHECK = 22, 4, 12  # steps


class IssuedNumbers:
    """National identifiers of the EU's larger countries, Britain and America, and what needs a word to be known."""

    name = "numbers"
    reads_disguises = True

    def find(self, field: Field, around: Surroundings) -> list[Candidate]:
        """Hits in texts, keys and numbers; the names of a field count as words beside its value."""
        text = field.text
        if _TWO_DIGITS.search(text) is None:
            return []
        around.budget.check()
        around.budget.spend(_PER_TEXT)
        table = number_table()
        beside = Beside(table, field)
        rows = table.possible(text, beside.rows)
        if not rows:
            return []
        checked = [hit for row in rows if row.check for hit in _hits(table, row, beside, around.budget)]
        # A word alone says less than a word and a checksum: "the phone with IMEI ..." is followed by no phone number.
        taken = sorted((hit.start, hit.end) for hit in checked if hit.has_context)
        said = (hit for row in rows if not row.check for hit in _hits(table, row, beside, around.budget))
        return [*checked, *(hit for hit in said if not any_over(taken, hit.start, hit.end, LONGEST))]


class Beside:
    """The words in and around a text that say what numbers are.

    Args:
        table: has the words.
        field: the text, with the names on the way to it.
    """

    def __init__(self, table: Table, field: Field) -> None:
        self.text = field.text
        self._places = table.cues.places(folded(field.text))
        names = " ".join(field.keys[-2:]).replace("_", " ")
        self._named = table.cues.places(names) if names else {}

    @property
    def rows(self) -> set[str]:
        """Names of the rows of which a word stands anywhere near."""
        return {*self._places, *self._named}

    def says(self, row: Row, start: int, end: int) -> bool:
        """Whether a word that names the number stands before it, or shortly behind it, in the same sentence."""
        if row.name in self._named:
            return True
        places = self._places.get(row.name)
        if places is None:
            return False
        first = max(0, start - row.reach)
        if any_between(places, first, start):
            ends = [place.end() for place in _BREAK.finditer(self.text, first, start)]
            if any_between(places, ends[-1] if ends else first, start):
                return True
        if not any_between(places, end, end + _AFTER):
            return False
        stop = _BREAK.search(self.text, end, end + _AFTER)
        return any_between(places, end, stop.start() if stop else end + _AFTER)


def _hits(table: Table, row: Row, beside: Beside, budget: Budget) -> Iterator[Candidate]:
    for match in budget.each(row.form.finditer(beside.text), _PER_FORM):
        said = beside.says(row, *match.span())
        if (said or not row.needs_word) and (row.check is None or _passes(row.check, match.group(), budget)):
            score = _SURE if row.check is not None and row.chance < _HARDLY else _SAID if said else _FORM
            detector = f"numbers.{row.name}"
            yield Candidate(
                *match.span(), row.category, detector, table.version, score, Strength.PATTERN, has_context=said
            )


def _passes(check: Check, written: str, budget: Budget) -> bool:
    budget.spend(_PER_CHECK)
    return check(written)

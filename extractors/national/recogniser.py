"""Finds issued numbers: by their form, their checksum, and where those say too little, a word beside them."""

import re
from collections.abc import Iterator
from typing import Final

from lawful.extractors.candidate import Candidate, Strength, Surroundings
from lawful.extractors.fields import Field
from lawful.extractors.folding import folded
from lawful.extractors.national.table import Row, Table, number_table

_AFTER: Final = 25  # how far behind a number the word that names it may stand
_FEWEST_DIGITS: Final = 2
_BREAK: Final = re.compile(r"[.!?](?=\s+[A-ZÀ-Þ])|\n\n")
# A checksum that hardly anything passes by chance; a form and a word; a form that nothing else has.
_SURE, _SAID, _FORM = 1.0, 0.8, 0.75
_HARDLY: Final = 15


class IssuedNumbers:
    """National identifiers of the EU's larger countries, Britain and America, and what needs a word to be known."""

    name = "numbers"
    reads_disguises = True

    def find(self, field: Field, around: Surroundings) -> list[Candidate]:
        """Hits in texts, keys and numbers; the names of a field count as words beside its value."""
        text = field.text
        if sum(map(str.isdecimal, text)) < _FEWEST_DIGITS:
            return []
        table = number_table()
        around.budget.check()
        rows = table.possible(text)
        if not rows:
            return []
        near = folded(text)
        names = " ".join(field.keys[-2:]).replace("_", " ")
        checked = [hit for row in rows if row.check for hit in _hits(table, row, field, near, names)]
        # A word alone says less than a word and a checksum: "the phone with IMEI ..." is followed by no phone number.
        taken = [(hit.start, hit.end) for hit in checked if hit.has_context]
        said = (hit for row in rows if not row.check for hit in _hits(table, row, field, near, names))
        return [
            *checked,
            *(hit for hit in said if not any(hit.start < end and start < hit.end for start, end in taken)),
        ]


def _hits(table: Table, row: Row, field: Field, near: str, names: str) -> Iterator[Candidate]:
    named = bool(names) and row.words.search(names) is not None
    for match in row.form.finditer(field.text):
        said = named or _is_said(row, field.text, near, *match.span())
        if (said or not row.needs_word) and (row.check is None or row.check(match.group())):
            score = _SURE if row.check is not None and row.chance < _HARDLY else _SAID if said else _FORM
            detector = f"numbers.{row.name}"
            yield Candidate(
                *match.span(), row.category, detector, table.version, score, Strength.PATTERN, has_context=said
            )


def _is_said(row: Row, text: str, near: str, start: int, end: int) -> bool:
    """Whether a word that names the number stands before it, or shortly behind it, in the same sentence."""
    first = max(0, start - row.reach)
    ends = [place.end() for place in _BREAK.finditer(text, first, start)]
    before = near[ends[-1] if ends else first : start]
    if row.words.search(before) is not None:
        return True
    stop = _BREAK.search(text, end, end + _AFTER)
    return row.words.search(near[end : stop.start() if stop else end + _AFTER]) is not None

"""Tables in plain text: with pipes as Markdown has them, with tabs, semicolons, commas or gaps between the cells.

A line heads a table if most of its cells are labels that the protocol knows; nothing else tells a table for sure.
"""

import re
from collections.abc import Sequence
from typing import Final

from lawful.firewalls.convert.draft import Draft, Found
from lawful.firewalls.vocabulary import Vocabulary

_RULE: Final = re.compile(r"[\s|:+=-]+")
_SEPARATORS: Final = tuple(re.compile(each) for each in (r"\s*\|\s*", r"\s*\t\s*", r"\s*;\s*", r"\s*,\s*", r"\s{2,}"))
_UNIT: Final = re.compile(r"(?P<label>.{1,60}?)\s*[(\[](?P<unit>[^()\[\]]{1,20})[)\]]\s*")
_NUMBER: Final = re.compile(r"[-+]?\d[\d.,' ]{0,20}")
_MOST_CELLS: Final = 60


def table(lines: Sequence[str], at: int, draft: Draft) -> int:
    """Tells the draft of a table that begins at a line; gives how many lines it has, 0 if none begins there."""
    for separator in _SEPARATORS:
        heads = _cells(lines[at], separator)
        if _is_header(heads, draft.vocabulary):
            return _rows(lines, at, separator, heads, draft)
    return 0


def pair(line: str, vocabulary: Vocabulary) -> list[Found]:
    """A row of two cells of which the first is a label."""
    cells = _cells(line, _SEPARATORS[0]) if "|" in line else []
    if len(cells) == 2 and _knows(cells[0], vocabulary) and cells[1]:  # noqa: PLR2004 - a label and a value
        return [labelled(cells[0], cells[1])]
    return []


def labelled(label: str, value: str) -> Found:
    """A label and a value; a unit in brackets behind the label belongs to the value."""
    match = _UNIT.fullmatch(label)
    if match is None:
        return Found(label, value)
    return Found(match["label"], f"{value} {match['unit']}" if _NUMBER.fullmatch(value) else value)


def _rows(lines: Sequence[str], at: int, separator: re.Pattern[str], heads: Sequence[str], draft: Draft) -> int:
    count = 1
    kind = draft.kind
    for line in lines[at + 1 :]:
        if line.strip() and _RULE.fullmatch(line):
            count += 1
            continue
        cells = _cells(line, separator)
        if len(cells) != len(heads):
            break
        draft.next(kind)
        draft.tell([labelled(head, cell) for head, cell in zip(heads, cells, strict=True) if head and cell])
        count += 1
    draft.next()
    return count


def _is_header(cells: Sequence[str], vocabulary: Vocabulary) -> bool:
    known = sum(_knows(cell, vocabulary) for cell in cells)
    return len(cells) > 1 and known > 1 and 2 * known >= len(cells)


def _knows(cell: str, vocabulary: Vocabulary) -> bool:
    match = _UNIT.fullmatch(cell)
    return bool(vocabulary.slots(match["label"] if match else cell))


def _cells(line: str, separator: re.Pattern[str]) -> list[str]:
    cells = separator.split(line.strip().strip("|").strip(), maxsplit=_MOST_CELLS)
    return [cell.strip(" *_`") for cell in cells]

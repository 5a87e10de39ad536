"""What a message says before anybody knows its words: labels and values, by thing, where its form shows them.

Only forms that show their labels are read: JSON, tables with pipes, lines such as `Label: value`.
Prose teaches no labels, so that nobody can teach one by talking.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from lawful.firewalls.convert.documents import balanced
from lawful.firewalls.values import Refused, text_of
from lawful.firewalls.words import words
from lawful.schemas.legible import legible
from lawful.schemas.strict_json import Unreadable, parse_container

_LABEL_WORDS: Final = 4
_LABEL_CHARS: Final = 40
_DEEPEST: Final = 16
_LINE: Final = re.compile(r"[\s>*_#-]{0,6}(?P<label>[^:|\n]{1,60}?)[*_]{0,2}:[*_]{0,2}\s+(?P<value>\S.*)")
_RULE: Final = re.compile(r"[\s|:-]+")
_FENCE: Final = re.compile(r"^[ \t]*(?:```|~~~)[^\n]{0,40}$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Pair:
    """A label, by its words, and a value as it was written."""

    label: str = field(repr=False)
    value: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Thing:
    """What one thing has.

    Attributes:
        kind: what the message calls it, by its words; empty where it says nothing.
    """

    kind: str = field(repr=False)
    pairs: tuple[Pair, ...] = field(repr=False)


def observe(text: str) -> tuple[Thing, ...]:
    """The things that a message tells of."""
    plain, found, at = _FENCE.sub("", legible(text)), list[Thing](), 0
    rest: list[str] = []
    for start, end in balanced(plain):
        try:
            is_json, value = parse_container(plain[start:end])
        except Unreadable:
            continue
        if is_json:
            found += _of_json(value, "", 0)
            rest.append(plain[at:start])
            at = end
    found += _of_lines("\n".join((*rest, plain[at:])).splitlines())
    return tuple(thing for thing in found if thing.pairs)


def label_of(text: str) -> str | None:
    """A label by its words; nothing if it is more than a label."""
    spelt = words(text) if len(text) <= _LABEL_CHARS else ""
    return spelt if 0 < len(spelt.split()) <= _LABEL_WORDS and spelt[0].isalpha() else None


def _pair(label: str, value: object) -> list[Pair]:
    spelt = label_of(label)
    try:
        text = text_of(value).strip()
    except Refused:
        return []
    return [Pair(spelt, text)] if spelt and text else []


def _of_json(value: Any, kind: str, depth: int) -> Iterator[Thing]:
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        for each in value:
            yield from _of_json(each, kind, depth + 1)
    elif isinstance(value, Mapping):
        leaves = [(key, inner) for key, inner in value.items() if not isinstance(inner, Mapping | list)]
        listed = [(key, inner) for key, inner in value.items() if _is_list_of_leaves(inner)]
        pairs = [pair for key, inner in leaves for pair in _pair(key, inner)]
        pairs += [pair for key, inner in listed for each in inner for pair in _pair(key, each)]
        yield Thing(kind, tuple(pairs))
        for key, inner in value.items():
            if isinstance(inner, Mapping) or (isinstance(inner, list) and not _is_list_of_leaves(inner)):
                yield from _of_json(inner, label_of(key) or "", depth + 1)


def _is_list_of_leaves(value: object) -> bool:
    return isinstance(value, list) and not any(isinstance(each, Mapping | list) for each in value)


def _of_lines(lines: Sequence[str]) -> Iterator[Thing]:
    """Tables row by row; blocks of lines with labels, one thing each."""
    block: list[Pair] = []
    heads: list[str] = []
    for line in (*lines, ""):
        cells = [cell.strip(" *_`") for cell in line.strip().strip("|").split("|")] if "|" in line else []
        match = None if cells else _LINE.fullmatch(line)
        pairs = _pair(match["label"], match["value"].strip()) if match else []
        if not pairs and block:
            yield Thing("", tuple(block))
            block = []
        block += pairs
        if len(cells) < 2:  # noqa: PLR2004 - a table has two columns at least
            heads = []
        elif not heads:
            heads = cells
        elif len(cells) == len(heads) and not _RULE.fullmatch(line):
            yield Thing("", tuple(pair for head, cell in zip(heads, cells, strict=True) for pair in _pair(head, cell)))

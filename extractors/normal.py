r"""One spelling for what looks the same, so that a disguise costs whoever wears it and nobody else.

Zero-width characters go; full-width, mathematical and foreign digits, dashes and spaces become the
plain ones (Unicode NFKC, and a little more); letters that imitate ASCII become ASCII, though only
in words that mix both, so that whoever writes Cyrillic or Greek is read as they wrote. Line breaks
and tabs that were escaped once too often (`\n`) are read as what they were.

Idempotent. ASCII costs nothing; other text a look at each distinct character, and what is to be
changed a step per character.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from lawful.extractors.reading import Piece, Reading, Spend, free, paid
from lawful.schemas.pseudonym import UNSEEN

_LOOKALIKES: Final = dict(
    zip(
        "аеорсухіјѕһԁԛԝѵкАВЕКМНОРСТУХЅІЈαονρυικχτηγωΑΒΕΖΗΙΚΜΝΟΡΤΥΧօոսհցզıɩɑɡʟɪʀɴʜ",
        "aeopcyxijshdqwvkABEKMHOPCTYXSIJaovpuikxtnywABEZHIKMNOPTYXonuhgqiiaglIRNH",
        strict=True,
    )
)
# What NFKC leaves apart from the plain character that it is read as.
_FOLDED: Final = {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u02d7\u2212\u2796\u30fc", "-"),
    **dict.fromkeys("\u00b7\u2027\u2219\u22c5\u30fb\u3002", "."),
    **dict.fromkeys("\u2044\u2215\u29f8", "/"),
    **dict.fromkeys("\u2236\ua789", ":"),
    **dict.fromkeys("\u2795", "+"),
    **dict.fromkeys("\u2028\u2029\u0085", "\n"),
    "\u00b4": "'",
}
_LOOKALIKE_CODES: Final = str.maketrans(_LOOKALIKES)
# `\\new` may be a folder; `\\nssn: ` and `\\njane@` are none.
_BROKEN: Final = re.compile(
    r"(?<!\\)\\++[nrt](?:(?![a-z])|(?=[a-z]{2,20}(?:[ _-][a-z]{1,20}){0,3}[ ]?:[ ])|(?=[\w.+\-]{1,64}@\w))"
)
_ASCII: Final = re.compile(r"[0-9A-Za-z]")
_RUN: Final = re.compile(r"[^\x00-\x7f]+")
_MIXED: Final = re.compile(r"(?<![^\s@])[^\s@]+@[^\s@]+|\w+")
_MOST_MARKS: Final = 30  # Unicode's stream-safe text format allows no more
_PASSES: Final = 8
_MOST_CLUSTERS: Final = 10_000
_SHORT: Final = 4
_PER_TEXT, _PER_PIECE = 36, 2  # steps
_PER_STEP: Final = 16  # characters


class _Folds(dict[str, str]):
    """What each character is read as; worked out once."""

    def __missing__(self, char: str) -> str:
        folded = _fold(char)
        if unicodedata.category(char) not in {"Cn", "Co"}:
            self[char] = folded
        return folded


class _Marks(dict[str, bool]):
    """Whether a character changes the one before it; worked out once."""

    def __missing__(self, char: str) -> bool:
        first = unicodedata.normalize("NFKD", char)[0]
        joins = unicodedata.category(first).startswith("M") or "\u1160" <= first <= "\u11ff"
        if unicodedata.category(char) not in {"Cn", "Co"}:
            self[char] = joins
        return joins


class _Clusters(dict[str, str]):
    """What a character with its marks is read as; the last few thousand."""

    def __missing__(self, cluster: str) -> str:
        composed = _composed(cluster)
        if len(self) >= _MOST_CLUSTERS:
            self.clear()
        if len(cluster) <= _SHORT:
            self[cluster] = composed
        return composed


_FOLDS: Final = _Folds()
_CLUSTERS: Final = _Clusters()
_MARKS: Final = _Marks()


def normalise(text: str, spend: Spend = free) -> Reading:
    """The text as it is to be read, with the way back to what was written."""
    reading = normalised(Reading(text), spend)
    return reading if "\\" not in reading.text else _with_breaks(reading, spend)


def normalised(reading: Reading, spend: Spend = free) -> Reading:
    """A reading's text as it is to be read, with the reading's way back."""
    for _ in range(_PASSES):
        if reading.text.isascii():
            break
        after = _once(reading, spend)
        if after is reading:
            break
        reading = after
    return reading


def _once(reading: Reading, spend: Spend) -> Reading:
    """One step towards the normal form, or the reading itself where it is reached."""
    chars = {char for char in set(reading.text) if char > "\x7f" and not "\u3400" <= char <= "\u9fff"}
    changed = {ord(char): folded for char in chars if (folded := _FOLDS[char]) != char}
    alike = {code: folded for code, folded in changed.items() if len(folded) == 1}
    if alike:
        reading = reading.respelt(reading.text.translate(alike))
    if len(alike) < len(changed) or any(_MARKS[char] for char in chars):
        pieces = paid(_pieces(reading.text), spend, _PER_PIECE)
        if pieces:
            spend(_PER_TEXT + len(reading.text) // _PER_STEP)  # each character's way back
            return reading.rewritten(pieces)
    return reading if alike or chars.isdisjoint(_LOOKALIKES) else _unmasked(reading)


def _with_breaks(reading: Reading, spend: Spend) -> Reading:
    pieces = paid(((*match.span(), "\n") for match in _BROKEN.finditer(reading.text)), spend, 2 * _PER_PIECE)
    return reading.rewritten(pieces).settled() if pieces else reading


def _pieces(text: str) -> Iterator[Piece]:
    """Characters that are read as none or several, and those with marks."""
    marks, folds, clusters = _MARKS, _FOLDS, _CLUSTERS
    for run in _RUN.finditer(text):
        start, end = run.span()
        if start and marks[text[start]]:
            start -= 1
        while start < end:
            stop = start + 1
            while stop < end and marks[text[stop]]:
                stop += 1
            before = text[start:stop]
            after = folds[before] if stop == start + 1 else clusters[before]
            if after != before:
                yield start, stop, after
            start = stop


def _unmasked(reading: Reading) -> Reading:
    """Imitations in words that have ASCII letters or digits as well, one for one."""
    text = _MIXED.sub(lambda word: _plain_word(word.group()), reading.text)
    return reading if text == reading.text else reading.respelt(text)


def _plain_word(word: str) -> str:
    is_mixed = not word.isascii() and _ASCII.search(word) is not None
    return word.translate(_LOOKALIKE_CODES) if is_mixed else word


def _fold(char: str) -> str:
    if char.isascii():
        return char
    if char in _FOLDED:
        return _FOLDED[char]
    if UNSEEN.match(char):
        return ""
    if char.isdecimal():
        return str(unicodedata.decimal(char))
    category = unicodedata.category(char)
    if category in {"Zs", "Pd"}:
        return " " if category == "Zs" else "-"
    plain = unicodedata.normalize("NFKC", char)
    return char if plain == char else _without_marks("".join(_fold(one) for one in plain))


def _composed(cluster: str) -> str:
    """A character with its marks: composed where Unicode does, bare where it is Latin or a digit."""
    base, marks = _fold(cluster[0]), cluster[1 : _MOST_MARKS + 1]
    return _without_marks("".join(_FOLDS[one] for one in unicodedata.normalize("NFKC", base + marks)))


def _without_marks(text: str) -> str:
    """Without marks on what is Latin, a digit or punctuation: they hide it and mean nothing."""
    if not text or not (text[0] < "\u0250" or "\u1e00" <= text[0] <= "\u1eff"):
        return text
    return "".join(char for char in text if char.isascii() or not _MARKS[char])

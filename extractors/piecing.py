"""Digits and addresses pieced together: `four one one one`, `4 1 1 1`, `jane at example dot com`, `ssn_536-90-4399`.

How they are read is a guess of ours, so what is found in them needs a checksum, a public suffix,
or a word beside it. Everything here looks at each place once and at a bounded stretch around it.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from lawful.extractors.reading import Piece, Spend, free

_SEPARATORS: Final = r"[ \t\n\r\-._/,|:*+~\\]"
_APART: Final = re.compile(rf"(?<![\w.])\d{{1,6}}+(?:{_SEPARATORS}{{1,3}}+\d{{1,6}}+(?![0-9A-Za-z])){{2,}}+")
_LETTERS: Final = re.compile(r"(?<!\w)[A-Za-z](?:[ .\-_][0-9A-Za-z](?![0-9A-Za-z])){10,}+")
_GAP: Final = re.compile(r"([0-9A-Za-z])[^0-9A-Za-z]+")
_GROUP: Final = re.compile(r"\d+")
_LONGEST: Final = 40  # letters and digits of anything that has a checksum
_FEWEST: Final = 4  # groups of one size
_SHAPES: Final = ([4, 6, 5], [4, 6, 4], [3, 2, 4])
_LOOSE: Final = re.compile(r"(?<!\S)[\w.+\-]{1,64}[ ]?@[ ]?[\w\-]{1,63}(?:[ ]?\.[ ]?[\w\-]{1,63}){1,4}")
_REACH: Final = 90
# `ssn_536904399_de`: the second underscore joins a word, unless that is a part of the number.
_JOINED: Final = re.compile(r"(?<=[^\W\d_])(_{1,3})([+(]?\d)(?:[\d.\-/() ]{0,40}(_)(?![^\W_]{0,20}\d))?")
_LONGEST_LABEL: Final = 16
_TOP: Final = re.compile(r"\.[^\W\d_][\w\-]+$")  # no top-level domain has one letter
_PER_ADDRESS, _PER_DOMAIN, _PER_JOINED = 5, 25, 3  # steps


@dataclass(frozen=True, slots=True)
class Spelling:
    """How digits and addresses are spelt out, compiled from `data/disguises.yaml`.

    Attributes:
        triggers: in RE2's syntax, without regard to case: what a text must hold to be pieced together.
    """

    digits: Mapping[str, str]
    times: Mapping[str, int]
    words: re.Pattern[str]
    word: re.Pattern[str]
    at: re.Pattern[str]
    local: re.Pattern[str]
    domain: re.Pattern[str]
    dot: re.Pattern[str]
    label: re.Pattern[str]
    triggers: Mapping[str, str]


def spelling(data: Mapping[str, Any]) -> Spelling:
    """The spellings of a table."""
    digits = {word: str(digit) for words in data["digits"].values() for word, digit in words.items()}
    times = dict(data["times"])
    word = "|".join(sorted((re.escape(each) for each in (*digits, *times)), key=len, reverse=True))
    seen_word, seen_at = (_as_seen(each) for each in (word, "|".join(data["at"])))
    at, dot = ("|".join(map(re.escape, data[name])) for name in ("at", "dot"))
    opened, closed = r"(?:[ \t]{0,2}[\[({<][ ]?|[ \t]{1,2})", r"(?:[ ]?[\])}>][ \t]{0,2}|[ \t]{1,2})"
    dots = rf"(?:{opened}(?:{dot}|\.){closed}|\.)"
    labels = "|".join(map(re.escape, data["labels"]))
    triggers = {
        "labelled": rf"(?:{labels})_{{1,3}}[+(]?\d",
        "letters": r"[a-z](?:[ .\-_][0-9a-z]){10}",
        "words": rf"(?:{seen_word})(?:[ ,.\-]{{1,3}}(?:{seen_word}|\d)){{3}}",
        "apart": rf"\d(?:{_SEPARATORS}{{1,3}}\d{{1,6}}){{2}}",
        "address": rf"[ \[({{<](?:{seen_at}|@)[ \])}}>]",
        "loose": r"[ ]@|@[ ]",
    }
    return Spelling(
        digits,
        times,
        re.compile(rf"(?<!\w)(?:{word})(?:[ ,.\-]{{1,3}}+(?:{word}|\d)(?!\w)){{3,}}+", re.IGNORECASE),
        re.compile(rf"{word}|\d", re.IGNORECASE),
        re.compile(rf"{opened}(?:{at}|@){closed}", re.IGNORECASE),
        re.compile(rf"(?<![\w.+\-])[\w+\-]{{1,40}}(?:{dots}[\w+\-]{{1,40}}){{0,3}}\Z", re.IGNORECASE),
        re.compile(rf"[\w\-]{{1,40}}(?:{dots}[\w\-]{{2,40}}){{1,3}}(?!\w)", re.IGNORECASE),
        re.compile(dots, re.IGNORECASE),
        re.compile(rf"(?<![^\W_])(?:{labels})\Z", re.IGNORECASE),
        triggers,
    )


def _as_seen(words: str) -> str:
    """Words as they stand in a shadow (`linear`)."""
    return "".join(char if char.isascii() else r"\x{ff}" for char in words)


def pieces(spelt: Spelling, name: str, text: str, spend: Spend = free) -> Iterator[Piece]:
    """What one of the triggers' readings puts together; what it takes to look closer is paid for."""
    match name:
        case "labelled":
            return _labelled(spelt, text, spend)
        case "words":
            return _words(spelt, text)
        case "apart":
            return _apart(text)
        case "letters":
            return _letters(text)
        case "address":
            return _addresses(spelt, text, spend)
        case _:
            return _loose(text, spend)


def _labelled(spelt: Spelling, text: str, spend: Spend) -> Iterator[Piece]:
    """A number that an underscore joins to the word that says what it is, and to one behind it, apart from them."""
    for match in _JOINED.finditer(text):
        spend(_PER_JOINED)
        start = match.start()
        if spelt.label.search(text, max(0, start - _LONGEST_LABEL), start):
            yield *match.span(1), " "
            yield from ((place, place + 1, text[place]) for place in range(*match.span(2)))
            if match.group(3):
                yield *match.span(3), " "


def _words(spelt: Spelling, text: str) -> Iterator[Piece]:
    """Four words for digits and more, as digits with nothing between."""
    for match in spelt.words.finditer(text):
        found = list(spelt.word.finditer(text, *match.span()))
        if len(found) > 2 * _LONGEST:
            continue
        times, at = 1, match.start()
        for word in found:
            name = word.group().lower()
            if name in spelt.times:
                times = spelt.times[name]
            else:
                yield at, word.end(), (spelt.digits.get(name) or name) * times
                times, at = 1, word.end()


def _apart(text: str) -> Iterator[Piece]:
    """Groups of digits of one size (or as on cards), joined."""
    for match in _APART.finditer(text):
        sizes = [len(group) for group in _GROUP.findall(match.group())]
        even = len(sizes) >= _FEWEST and len(set(sizes[:-1])) == 1 and sizes[-1] <= sizes[0]
        if sum(sizes) <= _LONGEST and (even or sizes in _SHAPES):
            yield from _joined(text, *match.span())


def _letters(text: str) -> Iterator[Piece]:
    """Single letters and digits with one separator between each, joined."""
    for match in _LETTERS.finditer(text):
        if match.end() - match.start() <= 2 * _LONGEST:
            yield from _joined(text, *match.span())


def _joined(text: str, start: int, end: int) -> Iterator[Piece]:
    """What stands between letters and digits, cut: it goes with the character before it."""
    for gap in _GAP.finditer(text, start, end):
        yield *gap.span(), gap.group(1)


def _addresses(spelt: Spelling, text: str, spend: Spend) -> Iterator[Piece]:
    last = 0
    for at in spelt.at.finditer(text):
        spend(_PER_ADDRESS)
        domain = spelt.domain.match(text, at.end())
        if domain is None:
            continue
        start = max(last, at.start() - _REACH)
        local = spelt.local.search(text[start : at.start()])
        name = spelt.dot.sub(".", domain.group())
        if local is not None and has_public_suffix(name, spend):
            yield start + local.start(), domain.end(), f"{spelt.dot.sub('.', local.group())}@{name}"
            last = domain.end()


def _loose(text: str, spend: Spend) -> Iterator[Piece]:
    for match in _LOOSE.finditer(text):
        spend(_PER_ADDRESS)
        address = match.group().replace(" ", "")
        if " " in match.group() and has_public_suffix(address.partition("@")[2], spend):
            yield *match.span(), address


def has_public_suffix(domain: str, spend: Spend = free) -> bool:
    """Whether a domain stands below a public suffix; the list comes with the package."""
    if _TOP.search(domain) is None:
        return False
    spend(_PER_DOMAIN)
    return bool(_suffixes()(domain).suffix)


@lru_cache(maxsize=1)
def _suffixes() -> Any:
    import tldextract  # noqa: PLC0415 - only texts that spell an address need it

    return tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)

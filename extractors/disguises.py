"""Texts in disguise, read as what they stand for: encodings decoded, digits and addresses pieced together.

Two further readings of a text at most. The decoded one undoes percent signs, HTML and backslash escapes,
Base64 and hexadecimal, one inside the other; the pieced one joins digits that are written as
words or apart, and addresses with `at` and `dot`. One look by RE2 says whether there is anything
to undo. An encoding is found whole: a part of it is of no use to anybody.
"""

import base64
import binascii
import html
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final
from urllib.parse import unquote_to_bytes

import re2  # type: ignore[import-not-found, import-untyped, unused-ignore] # ships no types

from lawful.extractors.config import DATA, load_yaml
from lawful.extractors.reading import Piece, Reading

_ROUNDS: Final = 3  # of an encoding in an encoding
_SEPARATORS: Final = r"[ \t\n\r\-._/,|:*+~\\]"
_PERCENT: Final = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_ENTITY: Final = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_ESCAPE: Final = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,6})\}|U([0-9A-Fa-f]{8})|x([0-9A-Fa-f]{2}))")
_BASE64: Final = re.compile(r"(?<![A-Za-z0-9+/_=\-])[A-Za-z0-9+/_\-]{12,}(?:\r?\n[A-Za-z0-9+/_\-]{4,})*={0,2}")
_HEX: Final = re.compile(r"(?<![0-9A-Za-z])(?:0[xX])?[0-9A-Fa-f]{2}(?:[ :,\-]?[0-9A-Fa-f]{2}){6,}(?![0-9A-Za-z])")
_APART: Final = re.compile(rf"(?<![\w.])\d{{1,6}}(?:{_SEPARATORS}{{1,3}}\d{{1,6}}){{3,24}}(?!\w)")
_LETTERS_APART: Final = re.compile(r"(?<!\w)[A-Za-z](?:[ .\-_][0-9A-Za-z]){10,40}(?!\w)")
_CODES: Final = ("percent", "entity", "escape", "base64", "hex")
_PIECES: Final = ("apart", "letters", "words", "address", "loose")


@dataclass(frozen=True, slots=True)
class Accepted:
    """What counts in a further reading."""

    identifiers: bool
    with_context: bool
    categories: frozenset[str]


@dataclass(frozen=True, slots=True)
class Tables:
    """`data/disguises.yaml`, compiled."""

    version: str
    decoded: Accepted
    pieced: Accepted
    digits: dict[str, str]
    times: dict[str, int]
    words: re.Pattern[str]
    word: re.Pattern[str]
    address: re.Pattern[str]
    loose: re.Pattern[str]
    triggers: Any
    names: tuple[str, ...]


@lru_cache(maxsize=1)
def tables() -> Tables:
    """The shipped table, read once."""
    data = load_yaml(DATA / "disguises.yaml")
    digits = {word: str(digit) for words in data["digits"].values() for word, digit in words.items()}
    times = dict(data["times"])
    word = "|".join(sorted((re.escape(each) for each in (*digits, *times)), key=len, reverse=True))
    at, dot = ("|".join(map(re.escape, data[name])) for name in ("at", "dot"))
    triggers = {
        "percent": r"%[0-9a-f]{2}",
        "entity": r"&(?:#|[a-z]{2,})",
        "escape": r"\\[ux]",
        "base64": r"[a-z0-9+/_\-]{12}",
        "hex": r"[0-9a-f]{2}(?:[ :,\-]?[0-9a-f]{2}){6}",
        "apart": rf"\d(?:{_SEPARATORS}{{1,3}}\d{{1,6}}){{3}}",
        "letters": r"[a-z](?:[ .\-_][0-9a-z]){10}",
        "words": rf"(?:{word})(?:[ ,.\-]{{1,3}}(?:{word}|\d)){{3}}",
        "address": rf"(?:{at})[\])}}>]?[ ](?s:.){{1,200}}(?:{dot})|[\[({{<](?:{at}|@)[\])}}>]",
        "loose": r"[ ]@|@[ ]",
    }
    return Tables(
        str(data["version"]),
        _accepted(data["decoded"]),
        _accepted(data["pieced"]),
        digits,
        times,
        re.compile(rf"(?<!\w)(?:{word})(?:[ ,.\-]{{1,3}}(?:{word}|\d)){{3,40}}(?!\w)", re.IGNORECASE),
        re.compile(rf"{word}|\d", re.IGNORECASE),
        _address(at, dot),
        re.compile(r"(?<!\S)[\w.+\-]{1,64}[ ]?@[ ]?[\w\-]{1,63}(?:[ ]?\.[ ]?[\w\-]{1,63}){1,4}"),
        _set(triggers.values()),
        tuple(triggers),
    )


def _accepted(rules: dict[str, Any]) -> Accepted:
    return Accepted(rules["identifiers"], rules["with_context"], frozenset(rules["categories"]))


def _set(patterns: Any) -> Any:
    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    found = re2.Set.SearchSet(options)
    for pattern in patterns:
        found.Add(pattern)
    found.Compile()
    return found


def _address(at: str, dot: str) -> re.Pattern[str]:
    apart = r"[ \t]{0,2}[\[({<]?[ ]?"
    closed = r"[ ]?[\])}>]?[ \t]{0,2}"
    dots = rf"(?:{apart}(?:(?<=[ \[({{<])(?:{dot})(?=[ \])}}>])|\.){closed})"
    return re.compile(
        rf"(?<![\w.+\-])(?P<local>[\w+\-]{{1,40}}(?:{dots}[\w+\-]{{1,40}}){{0,3}}){apart}"
        rf"(?:(?<=[ \[({{<])(?:{at})(?=[ \])}}>])|@){closed}"
        rf"(?P<domain>[\w\-]{{1,40}}(?:{dots}[\w\-]{{2,40}}){{1,3}})(?!\w)",
        re.IGNORECASE,
    )


def undone(reading: Reading) -> Iterator[tuple[Reading, Accepted]]:
    """The further readings of a text, each with what counts in it."""
    table = tables()
    found = _triggered(table, reading.text)
    decoded = _decoded(reading, found) if found & _CODE_BITS else reading
    if decoded is not reading:
        yield decoded, table.decoded
        found = _triggered(table, decoded.text)
    pieced = _pieced(decoded, found, table) if found & _PIECE_BITS else decoded
    if pieced is not decoded:
        yield pieced, table.pieced


def _triggered(table: Tables, text: str) -> frozenset[str]:
    return frozenset(table.names[place] for place in table.triggers.Match(text) or ())


_CODE_BITS: Final = frozenset(_CODES)
_PIECE_BITS: Final = frozenset(_PIECES)


def _decoded(reading: Reading, found: frozenset[str]) -> Reading:
    for _ in range(_ROUNDS):
        before = reading
        for name in _CODES:
            if name in found:
                reading = _rewritten(reading, _DECODERS[name])
        if reading is before:
            break
        found = _triggered(tables(), reading.text)
    return reading


def _pieced(reading: Reading, found: frozenset[str], table: Tables) -> Reading:
    if "words" in found:
        reading = _rewritten(reading, lambda text: _words(table, text))
        found |= {"apart"}
    if "letters" in found:
        reading = _rewritten(reading, _letters)
    if "apart" in found:
        reading = _rewritten(reading, _apart)
    if "address" in found:
        reading = _rewritten(reading, lambda text: _addresses(table, text))
    if "loose" in found:
        reading = _rewritten(reading, lambda text: _loose(table, text))
    return reading


def _rewritten(reading: Reading, change: Callable[[str], Iterator[Piece]]) -> Reading:
    pieces = list(change(reading.text))
    return reading.rewritten(pieces) if pieces else reading


def _percent(text: str) -> Iterator[Piece]:
    for match in _PERCENT.finditer(text):
        decoded = unquote_to_bytes(match.group()).decode(errors="replace")
        if len(decoded) * 3 == match.end() - match.start():  # one byte each: every escape keeps its own place
            yield from ((match.start() + 3 * n, match.start() + 3 * n + 3, char) for n, char in enumerate(decoded))
        else:
            yield *match.span(), decoded


def _entities(text: str) -> Iterator[Piece]:
    for match in _ENTITY.finditer(text):
        decoded = html.unescape(match.group())
        if decoded != match.group():
            yield *match.span(), decoded


def _escapes(text: str) -> Iterator[Piece]:
    for match in _ESCAPE.finditer(text):
        code = int(next(group for group in match.groups() if group is not None), 16)
        if code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF:  # noqa: PLR2004 - Unicode's range and its surrogates
            yield *match.span(), chr(code)


def _base64(text: str) -> Iterator[Piece]:
    for match in _BASE64.finditer(text):
        run = match.group()
        if run.islower() or run.isdecimal() or not any(char.isalpha() for char in run):
            continue
        decoded = _from_base64("".join(run.split()).rstrip("=").translate(_URL_SAFE))
        if decoded:
            yield *match.span(), f" {decoded} "


_URL_SAFE: Final = str.maketrans("-_", "+/")


def _from_base64(run: str) -> str:
    for skip in range(4):  # what stands glued in front of it shifts it
        rest = run[skip:]
        rest = rest[: len(rest) - (len(rest) % 4 == 1)]
        try:
            decoded = _printable(base64.b64decode(rest + "=" * (-len(rest) % 4), validate=True))
        except binascii.Error:
            continue
        if decoded:
            return decoded
    return ""


def _hex(text: str) -> Iterator[Piece]:
    for match in _HEX.finditer(text):
        digits = re.sub(r"^0[xX]|[ :,\-]", "", match.group())
        decoded = _printable(bytes.fromhex(digits)) if len(digits) % 2 == 0 else ""
        if decoded:
            yield *match.span(), f" {decoded} "


_UNPRINTABLE: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffd]")


def _printable(raw: bytes) -> str:
    """The bytes as text, or nothing where they are none."""
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return ""
    return "" if _UNPRINTABLE.search(text) else text


_DECODERS: Final = {"percent": _percent, "entity": _entities, "escape": _escapes, "base64": _base64, "hex": _hex}


def _words(table: Tables, text: str) -> Iterator[Piece]:
    """Four words for digits and more, as digits with nothing between."""
    for match in table.words.finditer(text):
        times, at = 1, match.start()
        for word in table.word.finditer(text, *match.span()):
            name = word.group().lower()
            if name in table.times:
                times = table.times[name]
                continue
            yield at, word.end(), (table.digits.get(name) or name) * times
            times, at = 1, word.end()


def _apart(text: str) -> Iterator[Piece]:
    """Groups of digits of one size (or as on cards), joined."""
    for match in _APART.finditer(text):
        groups = re.findall(r"\d+", match.group())
        sizes = {len(group) for group in groups[:-1]}
        even = len(sizes) == 1 and len(groups[-1]) <= max(sizes)
        if even or [len(group) for group in groups] in ([4, 6, 5], [4, 6, 4], [3, 2, 4]):
            yield from _gaps(text, match.start(), match.end())


def _letters(text: str) -> Iterator[Piece]:
    """Single letters and digits with one separator between each, joined."""
    for match in _LETTERS_APART.finditer(text):
        yield from _gaps(text, match.start(), match.end())


def _gaps(text: str, start: int, end: int) -> Iterator[Piece]:
    """What stands between letters and digits, cut: it goes with the character before it."""
    for gap in re.compile(r"([0-9A-Za-z])[^0-9A-Za-z]+").finditer(text, start, end):
        yield *gap.span(), gap.group(1)


def _addresses(table: Tables, text: str) -> Iterator[Piece]:
    for match in table.address.finditer(text):
        local, domain = (_dotted(match[part]) for part in ("local", "domain"))
        if _has_suffix(domain):
            yield *match.span(), f"{local}@{domain}"


def _dotted(text: str) -> str:
    words = re.sub(r"[\[\](){}<>\s]+", " ", text).split(" ")
    dots = load_dots()
    return "".join("." if word.lower() in dots else word for word in words if word)


@lru_cache(maxsize=1)
def load_dots() -> frozenset[str]:
    """The words for a dot."""
    return frozenset(load_yaml(DATA / "disguises.yaml")["dot"])


def _loose(table: Tables, text: str) -> Iterator[Piece]:
    for match in table.loose.finditer(text):
        address = match.group().replace(" ", "")
        if " " in match.group() and _has_suffix(address.partition("@")[2]):
            yield *match.span(), address


def _has_suffix(domain: str) -> bool:
    """Whether a domain stands below a public suffix; the list comes with the package."""
    return bool(_suffixes()(domain).suffix)


@lru_cache(maxsize=1)
def _suffixes() -> Any:
    import tldextract  # noqa: PLC0415 - only texts that spell an address need it

    return tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)

"""Encodings undone: percent signs, HTML and backslash escapes, Base64, hexadecimal.

Each says exactly one thing, or nothing: what does not decode to text that can be printed is left as
it is. What Base64 or hexadecimal hold comes from all of their letters, since a part of them is of
no use to anybody; an escape comes from itself.
"""

import base64
import binascii
import html
import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final
from urllib.parse import unquote_to_bytes

from lawful.extractors.reading import Piece

TRIGGERS: Final = MappingProxyType(
    {
        "percent": r"%[0-9a-f]{2}",
        "entity": r"&(?:#|[a-z]{2,})",
        "escape": r"\\[ux]",
        "base64": r"[a-z0-9+/_\-]{12}",
        "hex": r"[0-9a-f]{2}(?:[ :,\-]?[0-9a-f]{2}){6}",
    }
)
"""In RE2's syntax, without regard to case: what a text must hold to be decoded."""

_PERCENT: Final = re.compile(r"(?:%[0-9A-Fa-f]{2})++")
_ENTITY: Final = re.compile(r"&(?:#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6})|[A-Za-z][A-Za-z0-9]{1,30});")
_ESCAPE: Final = re.compile(r"\\++(?:u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,6})\}|U([0-9A-Fa-f]{8})|x([0-9A-Fa-f]{2}))")
_BASE64: Final = re.compile(r"(?<![A-Za-z0-9+/_=\-])[A-Za-z0-9+/_\-]{12,}+(?:\r?\n[A-Za-z0-9+/_\-]{4,}+)*+={0,2}")
_HEX: Final = re.compile(r"(?<![0-9A-Za-z])(?:0[xX])?[0-9A-Fa-f]{2}(?:[ :,\-]?[0-9A-Fa-f]{2}){6,}+")
_NOT_HEX: Final = re.compile(r"^0[xX]|[ :,\-]")
_UNPRINTABLE: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffd]")
_URL_SAFE: Final = str.maketrans("-_", "+/")
_LAST: Final = 0x10FFFF


def _percent(text: str) -> Iterator[Piece]:
    for match in _PERCENT.finditer(text):
        decoded = unquote_to_bytes(match.group()).decode(errors="replace")
        start, end = match.span()
        if len(decoded) * 3 == end - start:  # a byte each: every escape keeps its own place
            yield from ((start + 3 * n, start + 3 * n + 3, char) for n, char in enumerate(decoded))
        else:
            yield start, end, decoded


def _entities(text: str) -> Iterator[Piece]:
    for match in _ENTITY.finditer(text):
        decimal, hexadecimal = match.groups()
        decoded = _char(int(decimal or hexadecimal, 10 if decimal else 16)) if decimal or hexadecimal else ""
        decoded = decoded or html.unescape(match.group())
        if decoded != match.group():
            yield *match.span(), decoded


def _escapes(text: str) -> Iterator[Piece]:
    for match in _ESCAPE.finditer(text):
        decoded = _char(int(next(filter(None, match.groups())), 16))
        if decoded:
            yield *match.span(), decoded


def _char(code: int) -> str:
    """A character by its number; none for surrogates, and for what is looked up by its name in HTML 4."""
    return chr(code) if code <= _LAST and not 0xD800 <= code <= 0xDFFF and not 0x80 <= code <= 0x9F else ""  # noqa: PLR2004 - Unicode's ranges


def _base64(text: str) -> Iterator[Piece]:
    for match in _BASE64.finditer(text):
        run = match.group()
        if run.islower() or run.isdecimal():
            continue  # a word, or a number
        decoded = _from_base64("".join(run.split()).rstrip("=").translate(_URL_SAFE))
        if decoded:
            yield *match.span(), f" {decoded} "


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
        if text[match.end() : match.end() + 1].isalnum():
            continue  # half a byte, or a word
        decoded = _printable(bytes.fromhex(_NOT_HEX.sub("", match.group())))
        if decoded:
            yield *match.span(), f" {decoded} "


def _printable(raw: bytes) -> str:
    """The bytes as text, or nothing where they are none."""
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return ""
    return "" if _UNPRINTABLE.search(text) else text


DECODERS: Final[Mapping[str, Callable[[str], Iterator[Piece]]]] = MappingProxyType(
    {"percent": _percent, "entity": _entities, "escape": _escapes, "base64": _base64, "hex": _hex}
)
"""By the name of their trigger; asked in this order."""

GUESSED: Final = frozenset({"base64", "hex"})
"""Encodings without a sign of their own: 4242424242424242 is a card, and hexadecimal for eight letters."""

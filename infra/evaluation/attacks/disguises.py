"""How data is made hard to recognise: other characters, encodings, spellings. Each can be undone by who gets it."""

import base64
from collections.abc import Callable, Mapping
from typing import Final
from urllib.parse import quote

Disguise = Callable[[str], str]

_DIGITS: Final = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_CYRILLIC: Final = str.maketrans(
    "aeopcxyACEHKMOPTX",
    "\u0430\u0435\u043e\u0440\u0441\u0445\u0443\u0410\u0421\u0415\u041d\u041a\u041c\u041e\u0420\u0422\u0425",
)


def zero_width(text: str) -> str:
    """With characters in between that nobody sees."""
    return "\u200b".join(text)


def full_width(text: str) -> str:
    """In the wide forms that East Asian fonts have."""
    return "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in text)


def look_alike(text: str) -> str:
    """With Cyrillic letters that look like Latin ones, and dashes that look like hyphens."""
    return text.translate(_CYRILLIC).replace("-", "\u2010")


def arabic_digits(text: str) -> str:
    """With Arabic-Indic digits."""
    return "".join(chr(0x0660 + int(char)) if char in "0123456789" else char for char in text)


def spaced(text: str) -> str:
    """Letter by letter."""
    return " ".join(text.replace(" ", ""))


def in_base64(text: str) -> str:
    """As Base64."""
    return base64.b64encode(text.encode()).decode()


def in_hex(text: str) -> str:
    """As hexadecimal."""
    return text.encode().hex()


def in_url(text: str) -> str:
    """Percent-encoded, also where it need not be."""
    return "".join(f"%{ord(char):02X}" if char.isdigit() else quote(char, safe="") for char in text)


def in_words(text: str) -> str:
    """Digits as words."""
    return " ".join(_DIGITS[int(char)] if char in "0123456789" else char for char in text if char not in " -")


CHARACTERS: Final[Mapping[str, Disguise]] = {
    each.__name__: each for each in (zero_width, full_width, arabic_digits, spaced)
}
ENCODINGS: Final[Mapping[str, Disguise]] = {each.__name__: each for each in (in_base64, in_hex, in_url)}

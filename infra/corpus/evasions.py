"""How a value is hidden from a reader of patterns, and still plain to a person or a program."""

import base64
from collections.abc import Callable, Mapping
from typing import Final

Evasion = Callable[[str], str]

_WORDS: Final = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_CYRILLIC: Final = str.maketrans("aeopcxy", "аеорсху")  # noqa: RUF001 - that is the point
_FULL_WIDTH: Final = {ord(digit): 0xFF10 + int(digit) for digit in "0123456789"}
_MATHEMATICAL: Final = {ord(digit): 0x1D7CE + int(digit) for digit in "0123456789"}


def _zero_width(text: str) -> str:
    middle = len(text) // 2
    return f"{text[:middle]}\u200b{text[middle:]}"


def _digits_apart(text: str) -> str:
    return " ".join(char for char in text if char.isalnum())


def _in_words(text: str) -> str:
    return " ".join(_WORDS[int(char)] for char in text if char.isdecimal())


_ANY: Final[Mapping[str, Evasion]] = {
    "zero_width": _zero_width,
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "percent": lambda text: "".join(f"%{byte:02X}" for byte in text.encode()),
    "html": lambda text: "".join(f"&#{ord(char)};" for char in text),
    "u_escapes": lambda text: "".join(f"\\u{ord(char):04x}" for char in text),
    "hex": lambda text: text.encode().hex(),
}
_DIGITS: Final[Mapping[str, Evasion]] = {
    "full_width": lambda text: text.translate(_FULL_WIDTH),
    "mathematical": lambda text: text.translate(_MATHEMATICAL),
    "apart": _digits_apart,
    "in_words": _in_words,
    "no_break_space": lambda text: text.replace(" ", "\u00a0").replace("-", "\u2011"),
    "dots": lambda text: text.replace(" ", ".").replace("-", "."),
}
_EMAIL: Final[Mapping[str, Evasion]] = {
    "at_dot": lambda text: text.replace("@", " at ").replace(".", " dot "),
    "homoglyph": lambda text: text.translate(_CYRILLIC),
}
_NAME: Final[Mapping[str, Evasion]] = {"lower_case": str.lower, "capitals": str.upper, "zero_width": _zero_width}

EVASIONS: Final[Mapping[str, Mapping[str, Evasion]]] = {
    "card": {**_ANY, **_DIGITS},
    "iban": {**_ANY, "full_width": _DIGITS["full_width"], "dots": _DIGITS["dots"]},
    "ssn": {key: _DIGITS[key] for key in ("full_width", "dots", "no_break_space")} | {"zero_width": _zero_width},
    "email": {**_ANY, **_EMAIL},
    "phone": {key: _DIGITS[key] for key in ("full_width", "no_break_space")} | {"zero_width": _zero_width},
    "name": _NAME,
}  # fmt: skip
"""By kind of value, the ways in which it can be hidden."""

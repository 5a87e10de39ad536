"""The form under which equal identifiers are equal: one function per scheme, and no library needed.

A guard has nothing but this file, and that is enough to keep one spelling in one order. Whoever
computes pseudonyms that are remembered (workers, commands) goes on from here with
`lawful.schemas.canonical`, which also knows domains in other scripts and the world's phone numbers.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Final
from urllib.parse import unquote

from lawful.schemas.event import Identifier
from lawful.schemas.legible import legible

Normalise = Callable[[Identifier], Identifier]
"""Gives an identifier's normal form. Idempotent, total."""

SCHEMES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("e-mail", "e_mail", "email_address", "mail"), "email"),
    **dict.fromkeys(("cell", "mobile", "msisdn", "phone_number", "tel", "telephone"), "phone"),
    **dict.fromkeys(("full_name", "fullname", "person"), "name"),
}
"""Other words for a scheme: the same person must not be two because agents name fields differently."""

DOCUMENTS: Final = frozenset(
    {"bank_account", "card", "credit_card", "iban", "national_id", "passport", "ssn", "tax_id"}
)
_BRACKETED: Final = re.compile(r"<([^<>\s]+@[^<>\s]+)>$")
_BETWEEN_WORDS: Final = re.compile(r"[\s.,;:_/()\[\]\-\u2010-\u2015]+")
_APOSTROPHES: Final = re.compile("['\u2019\u02bc`\u00b4]")
_TITLES: Final = frozenset({"dr", "frau", "herr", "miss", "mr", "mrs", "ms", "mx", "prof", "sir"})
_LETTERS: Final = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "\u0131": "i"}
)
_BEHIND_GREEK: Final = "\u0400"


def normalise_identifier(identifier: Identifier) -> Identifier:
    """The normal form, as far as it can be had without a library."""
    name = scheme(identifier.scheme)
    return Identifier(name, _VALUES.get(name, plain)(identifier.value))


def scheme(name: str) -> str:
    """The one word for a scheme."""
    told = legible(name).strip().lower()
    return SCHEMES.get(told, told)


def plain(value: str) -> str:
    """Of any other identifier: case and outer spaces don't count, inner spaces count once."""
    return " ".join(legible(value).split()).casefold()


def email(value: str) -> str:
    """An address: without `mailto:`, a display name, spaces and case. Dots and tags tell mailboxes apart."""
    text = _seen(value)
    if text.startswith("mailto:"):
        text = _seen(unquote(text.removeprefix("mailto:").partition("?")[0]))
    bracketed = _BRACKETED.search(text)
    text = bracketed[1] if bracketed else text
    return _seen(text.replace(" ", "")).rstrip(".")


def _seen(value: str) -> str:
    """In lower case, not case-folded: a domain may have an eszett."""
    return " ".join(legible(value).lower().split())


def phone(value: str) -> str:
    """Digits, and a plus in front of a country's code."""
    text = plain(value)
    before = re.split(r"\d", text, maxsplit=1)[0]
    digits = "".join(str(unicodedata.decimal(char)) for char in text if char.isdecimal())
    if "+" in before:
        return f"+{digits}"
    return f"+{digits[2:]}" if digits.startswith("00") else digits


def name(value: str) -> str:
    """A person's name: case, accents, punctuation, titles and the order of its words don't count.

    Accents only count off for Latin and Greek: elsewhere they are vowels.
    """
    text = _without_accents(_APOSTROPHES.sub("", plain(value))).translate(_LETTERS)
    words = sorted(filter(None, _BETWEEN_WORDS.split(text)))
    return " ".join([word for word in words if word not in _TITLES] or words) or text


def document(value: str) -> str:
    """A document's or an account's number: letters and digits."""
    text = plain(value)
    return "".join(char for char in text if char.isalnum()) or text


def _without_accents(text: str) -> str:
    if text.isascii():
        return text
    kept: list[str] = []
    base = " "
    for char in unicodedata.normalize("NFD", text):
        if unicodedata.combining(char):
            if base < _BEHIND_GREEK:
                continue
        else:
            base = char
        kept.append(char)
    return unicodedata.normalize("NFC", "".join(kept))


_VALUES: Final[Mapping[str, Callable[[str], str]]] = {
    "email": email,
    "phone": phone,
    "name": name,
    **dict.fromkeys(DOCUMENTS, document),
}

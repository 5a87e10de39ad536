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
    **dict.fromkeys(("e_mail", "email_id", "emailaddress", "mail", "mail_address", "mailaddress"), "email"),
    **dict.fromkeys(("cell", "cellphone", "mobile", "mobile_number", "mobilephone", "msisdn"), "phone"),
    **dict.fromkeys(("phone_no", "phonenumber", "tel", "telephone", "telephonenumber"), "phone"),
    **dict.fromkeys(("full_name", "fullname", "person", "person_name"), "name"),
    **dict.fromkeys(("card_number", "cardnumber", "credit_card", "credit_card_number", "creditcard"), "card"),
    **dict.fromkeys(("social_security_number", "socialsecuritynumber"), "ssn"),
    **dict.fromkeys(("passport_no", "passport_number", "passportnumber"), "passport"),
    **dict.fromkeys(("driver_license", "driving_licence", "drivers_licence", "driver_licence"), "drivers_license"),
    **dict.fromkeys(("ip_address", "ipaddress"), "ip"),
    "user_name": "username",
    **{f"{word}id": f"{word}_id" for word in ("client", "customer", "employee", "member", "patient", "user")},
}
"""Other words for a scheme: the same person must not be two because agents name fields differently."""

_ROLES: Final = (
    (re.compile(r"(?:\w+_)?e_?mail(?:_?address)?"), "email"),
    (re.compile(r"(?:\w+_)?(?:tele)?phone(?:_?number)?"), "phone"),
)
"""An address is one, and a number, whatever it is used for: `user_email`, `work_phone_number`."""

DOCUMENTS: Final = frozenset({"bank_account", "card", "iban", "national_id", "passport", "ssn", "tax_id"})
_SNAKE: Final = re.compile(r"[a-z0-9_]+")
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_APART: Final = re.compile(r"[\s\-]+")
_BRACKETED: Final = re.compile(r"<([^<>\s@]+@[^<>\s]+)>")
_AROUND: Final = frozenset(
    {"''", '""', "``", "<>", "()", "[]", "{}", "\u2018\u2019", "\u201c\u201d", "\u201e\u201c", "\u00ab\u00bb"}
)
_PUNCTUATION: Final = ".,;:!?"
_UNPAIRED: Final = "'\"`>)}\u2019\u201d\u201c\u00bb"  # no domain ends in these
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
    """The one word for a scheme: in snake case, and without the role that an address or a number has."""
    told = legible(name).strip()
    word = told.lower()
    if word in _VALUES:
        return word
    if word not in SCHEMES and not _SNAKE.fullmatch(told):
        word = _APART.sub("_", _CAMEL.sub("_", told)).lower()
    if "mail" in word or "phone" in word:
        word = next((known for pattern, known in _ROLES if pattern.fullmatch(word)), word)
    return SCHEMES.get(word, word)


def plain(value: str) -> str:
    """Of any other identifier: case and outer spaces don't count, inner spaces count once."""
    return " ".join(legible(value).split()).casefold()


def email(value: str) -> str:
    """An address, without what is written around one; dots and tags tell mailboxes apart.

    Case, spaces, `mailto:`, a display name, quotes, brackets, punctuation behind it and percent signs don't count.
    """
    text = _seen(value)
    while (address := _unwrapped(text)) != text:  # it ends: a step leaves fewer signs to undo
        text = address
    return text or _seen(value)


def _unwrapped(text: str) -> str:
    """One step towards the address alone."""
    if bracketed := _BRACKETED.search(text):
        return bracketed[1]
    if text.startswith("mailto:"):
        return _seen(unquote(text.removeprefix("mailto:").partition("?")[0]))
    if "@" not in text and "%40" in text:
        return _seen(unquote(text))
    ended = text.replace(" ", "").rstrip(_PUNCTUATION)
    if ended != text:
        return ended
    return text[1:-1] if text[:1] + text[-1:] in _AROUND else text.rstrip(_UNPAIRED)


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

"""Recognisers in Presidio's interface, where its own are slow on hostile text, noisy, or log what they read.

Each is linear in the text; `data/corrections.yaml` says what is done better, and why.
"""

import ipaddress
import re
from collections.abc import Iterator
from typing import Final

from presidio_analyzer import Pattern
from presidio_analyzer.predefined_recognizers import IpRecognizer, MacAddressRecognizer

from lawful.extractors.presidio.graded import GradedRecogniser
from lawful.extractors.presidio.phones import PhoneRecogniser

_LOCAL: Final = frozenset("!#$%&'*+-/=?^_`{|}~.")
_LONGEST_LOCAL: Final = 64  # RFC 5321
_LABEL: Final = r"\w++(?:-++\w++)*+"

# Issuers' prefixes and the lengths they use (ISO/IEC 7812), the longest first.
_CARDS: Final = tuple(
    (re.compile(prefix), lengths)
    for prefix, lengths in {
        r"4": (19, 16, 13),
        r"5[1-5]|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720": (16,),
        r"3[47]": (15,),
        r"6011|64[4-9]|65": (19, 16),
        r"35(?:2[89]|[3-8]\d)": (16,),
        r"30[0-5]|3095|36|3[89]": (16, 14),
        r"50|5[6-8]|6(?:0(?!11)|[1-3]|4[0-3]|[6-9])": (19, 18, 16),
    }.items()
)
_SIZED: Final = {size: re.compile(rf"\d(?:[ \-.]?\d){{{size - 1}}}(?![\w\-])") for size in (13, 14, 15, 16, 18, 19)}
_SEPARATORS: Final = re.compile(r"[ \-.]")
_START: Final = re.compile(r"(?<![\w.\-])[2-6]")
_DOUBLED: Final = {str(digit): sum(divmod(2 * digit, 10)) for digit in range(10)}
# Length of the part after the two check digits (ISO 13616 registry).
_IBANS: Final = {
    country: length
    for length, countries in {
        11: "NO", 12: "BE", 14: "DK FK FI FO GL NL SD", 15: "MK SI", 16: "AT BA EE KZ LT LU MN XK",
        17: "CH CR HR LI LV", 18: "BG BH DE GB GE IE ME RS VA", 19: "AE GI IL IQ OM SO TL",
        20: "AD CZ ES MD PK RO SA SE SK TN VG", 21: "LY PT ST", 22: "IS TR",
        23: "BI DJ FR GR IT MC MR SM", 24: "AL AZ BY CY DO GT HU LB NI PL SV", 25: "BR EG PS QA UA",
        26: "JO KW MU YE", 27: "MT SC", 29: "RU", 28: "LC",
    }.items()
    for country in countries.split()
}  # fmt: skip
_SIGN: Final = r"[ .\-]?[0-9A-Z]"
_BODIES: Final = {
    length: re.compile(rf"(?:{_SIGN}){{{length}}}(?![0-9A-Z])", re.IGNORECASE) for length in set(_IBANS.values())
}


class CardRecogniser(GradedRecogniser):
    """Payment cards: an issuer's prefix, a length that it uses, and the Luhn checksum."""

    CONTEXT = ("card", "credit", "debit", "visa", "mastercard", "amex", "pan")

    def __init__(self) -> None:
        super().__init__("CREDIT_CARD", r"(?<![\w.\-])\d(?:[ \-.]?\d){12,}+", 0.3, list(self.CONTEXT))

    def graded(self, text: str, start: int, end: int) -> Iterator[tuple[int, int, float]]:
        """The cards among digits that stand together; each begins behind a space or nothing."""
        last = start
        for first in _START.finditer(text, start, end):
            if first.start() >= last:
                card = _card_at(text, first.start())
                if card:
                    yield first.start(), card, 1.0
                    last = card


def _card_at(text: str, start: int) -> int:
    """Where the card that begins at a place ends; 0, if none does."""
    for prefix, sizes in _CARDS:
        if prefix.match(text, start):  # no issuer's prefix spans groups
            for size in sizes:
                card = _SIZED[size].match(text, start)
                if card is not None and _is_luhn(_SEPARATORS.sub("", card.group())):
                    return card.end()
    return 0


def _is_luhn(number: str) -> bool:
    """Luhn, and more than one digit: a row of zeros is no card."""
    total = sum(map(int, number[-1::-2])) + sum(map(_DOUBLED.__getitem__, number[-2::-2]))
    return total % 10 == 0 and len(set(number)) > 1


class EmailRecogniser(GradedRecogniser):
    """E-mail addresses with any top-level domain of letters: `package@1.2.3` is a version."""

    def __init__(self) -> None:
        super().__init__("EMAIL_ADDRESS", rf"@{_LABEL}(?:\.{_LABEL})++", 0.5, ["email", "mail"])

    def graded(self, text: str, start: int, end: int) -> Iterator[tuple[int, int, float]]:
        """The address whose domain this is; its local part begins with a letter or digit."""
        last = text[start:end].rpartition(".")[2]
        if len(last) < 2 or not (last.isalpha() or last.lower().startswith("xn--")):  # noqa: PLR2004 - no domain has one letter
            return
        first = start
        while first > max(0, start - _LONGEST_LOCAL) and _is_local(text[first - 1]):
            first -= 1
        while first < start and not (text[first].isalnum() or text[first] == "_"):
            first += 1
        if first < start:
            yield first, end, 1.0


def _is_local(char: str) -> bool:
    return char.isalnum() or char in _LOCAL


class IbanRecogniser(GradedRecogniser):
    """International bank account numbers: a country's length and the checksum.

    A blank, dash or dot may stand anywhere; behind the country only where all is in capitals, for `at 10` is none.
    """

    def __init__(self) -> None:
        # It looks ahead so that what begins like one (`NO 12 DE89 ...`) hides none.
        pattern = rf"(?<![0-9A-Z])(?:[A-Z]{{2}}|(?-i:[A-Z]{{2}}[ .\-]))\d\d(?=(?:{_SIGN}){{11}})"
        super().__init__("IBAN_CODE", pattern, 0.5, ["iban", "bank", "account"])

    def graded(self, text: str, start: int, end: int) -> Iterator[tuple[int, int, float]]:
        """The account that begins here, by its country's length."""
        length = _IBANS.get(text[start : start + 2].upper())
        body = _BODIES[length].match(text, end) if length else None
        if body is not None and _is_account(text[start : body.end()]):
            yield start, body.end(), 1.0


def _is_account(written: str) -> bool:
    """ISO 7064, mod 97-10, and where words or a host's name may stand so, digits for the most part."""
    plain = "".join(char for char in written.upper() if char.isalnum())
    is_apart = not written[2].isdigit()
    if is_apart and not written.isupper():
        return False
    if (is_apart or "." in written) and 2 * sum(map(str.isdigit, plain)) < len(plain):
        return False
    return plain.isascii() and int("".join(str(int(char, 36)) for char in plain[4:] + plain[:4])) % 97 == 1


class Ipv4Recogniser(GradedRecogniser):
    """Addresses of four parts, other than versions: those have a name before them, a suffix, or a word beside them."""

    CONTEXT = ("ip", "ipv4", "ips", "address", "adresse", "addr", "host", "server", "client", "login", "logged", "ssh")
    UNLESS = (
        "version", "versions", "versión", "ver", "release", "releases", "released", "build", "builds", "update",
        "updated", "upgrade", "upgraded", "upgrading", "downgrade", "patch", "patched", "firmware", "driver",
        "package", "wheel", "changelog", "aktualisierung", "aktualisiert", "jour",
        "actualizar", "actualización", "actualizado",
    )  # fmt: skip

    def __init__(self) -> None:
        part = r"(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)"
        pattern = rf"\b{part}\.{part}\.{part}\.{part}(?:/(?:[0-2]?\d|3[0-2]))?\b"
        super().__init__("IP_ADDRESS", pattern, 0.6, list(self.CONTEXT), self.UNLESS)

    def graded(self, text: str, start: int, end: int) -> Iterator[tuple[int, int, float]]:
        """The address, unless it is written as only versions are."""
        if not (_SUFFIX.match(text, end) or self._is_named(text, start)) and _is_address(text[start:end]):
            yield start, end, 0.6

    def _is_named(self, text: str, start: int) -> bool:
        """Whether a name is joined to it, as to a version; `ip-10.0.0.1` says what it is."""
        name = _NAMED.search(text, max(0, start - _LONG_NAME), start)
        return name is not None and name["name"].lower() not in self.CONTEXT


_SUFFIX: Final = re.compile(
    r"(?i:[\-+.]?(?:rc|alpha|beta|dev|post|snapshot|final|ga|hotfix|release|build)\d*\b"
    r"|\.(?:tar|tgz|gz|zip|whl|jar|exe|dll|msi|deb|rpm|apk|so|js)\b)"
)
_NAMED: Final = re.compile(r"(?P<name>[A-Za-z]+)[\-_]\Z")  # lib-2.14.0.3
_LONG_NAME: Final = 12


def _is_address(written: str) -> bool:
    try:
        ipaddress.ip_interface(written)
    except ValueError:
        return False
    return True


class Ipv6Recogniser(IpRecognizer):
    """Presidio's, for all that has a colon."""

    def __init__(self) -> None:
        super().__init__(patterns=[pattern for pattern in self.PATTERNS if pattern.name != "IPv4"])


class MacRecogniser(MacAddressRecognizer):
    """Presidio's, but for three groups of four that are a part of more of the same, as in an account number."""

    def __init__(self) -> None:
        pair, dotted = self.PATTERNS
        alone = rf"(?<![0-9A-Fa-f]{{4}}\.){dotted.regex}(?!\.[0-9A-Fa-f]{{1,4}}\b)"
        super().__init__(patterns=[pair, Pattern(dotted.name, alone, dotted.score)])


OURS: Final = {
    kind.__name__: kind
    for kind in (
        CardRecogniser,
        EmailRecogniser,
        IbanRecogniser,
        Ipv4Recogniser,
        Ipv6Recogniser,
        MacRecogniser,
        PhoneRecogniser,
    )
}

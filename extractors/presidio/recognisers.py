"""Recognisers in Presidio's interface, where its own are slow on hostile text, noisy, or log what they read.

E-mail: Presidio's pattern is quadratic on long runs without an `@`, and asks the network for the
public-suffix list. IBAN: it logs the text that it fails to validate. Cards: it misses the newer
ranges and dots as separators, and takes any 16 digits that start with 1 or 3.
"""

from presidio_analyzer import Pattern, PatternRecognizer

from lawful.extractors.presidio.phones import PhoneRecogniser

_LOCAL = r"!#$%&'*+\-/=?^_`{|}~.\w"
_LABEL = r"\w++(?:-++\w++)*+"

# Issuers' prefixes and the lengths they use (ISO/IEC 7812).
_CARDS = {
    r"4": (13, 16, 19),
    r"5[1-5]|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720": (16,),
    r"3[47]": (15,),
    r"6011|64[4-9]|65": (16, 19),
    r"35(?:2[89]|[3-8]\d)": (16,),
    r"30[0-5]|3095|36|3[89]": (14, 16),
    r"50|5[6-8]|6(?:0(?!11)|[1-3]|4[0-3]|[6-9])": (16, 18, 19),
}
# Length of the part after the two check digits (ISO 13616 registry).
_IBANS = {
    11: "NO", 12: "BE", 14: "DK FK FI FO GL NL SD", 15: "MK SI", 16: "AT BA EE KZ LT LU MN XK",
    17: "CH CR HR LI LV", 18: "BG BH DE GB GE IE ME RS VA", 19: "AE GI IL IQ OM SO TL",
    20: "AD CZ ES MD PK RO SA SE SK TN VG", 21: "LY PT ST", 22: "IS TR",
    23: "BI DJ FR GR IT MC MR SM", 24: "AL AZ BY CY DO GT HU LB NI PL SV", 25: "BR EG PS QA UA",
    26: "JO KW MU YE", 27: "MT SC", 29: "RU", 28: "LC",
}  # fmt: skip
_SEPARATOR = r"[ \-.]?"


def _card_patterns() -> list[Pattern]:
    starts = []
    for prefix, lengths in _CARDS.items():
        sizes = "|".join(rf"(?:\d{_SEPARATOR}){{{length - 1}}}\d" for length in sorted(lengths, reverse=True))
        # The prefix is looked at without separators: no issuer's prefix spans a group of four.
        starts.append(rf"(?=(?:{prefix}))(?:{sizes})")
    return [Pattern("issuer prefix and length", rf"(?<![\w.\-])(?:{'|'.join(starts)})(?![\w\-])", 0.3)]


class CardRecogniser(PatternRecognizer):
    """Payment cards: an issuer's prefix, a length that it uses, and the Luhn checksum."""

    CONTEXT = ("card", "credit", "debit", "visa", "mastercard", "amex", "pan")

    def __init__(self) -> None:
        super().__init__("CREDIT_CARD", patterns=_card_patterns(), context=list(self.CONTEXT))

    def validate_result(self, pattern_text: str) -> bool:
        """Luhn, and more than one digit: a row of zeros is no card."""
        digits = [int(char) for char in pattern_text if char.isdecimal()]
        doubled = sum(sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])
        return (doubled + sum(digits[-1::-2])) % 10 == 0 and len(set(digits)) > 1


class EmailRecogniser(PatternRecognizer):
    """E-mail addresses, found in time linear in the text."""

    def __init__(self) -> None:
        pattern = Pattern("address", rf"\w[{_LOCAL}]{{0,63}}+@{_LABEL}(?:\.{_LABEL})++", 0.5)
        super().__init__("EMAIL_ADDRESS", patterns=[pattern], context=["email", "mail"])

    def validate_result(self, pattern_text: str) -> bool:
        """A top-level domain has letters only: `package@1.2.3` is a version."""
        last = pattern_text.rpartition(".")[2]
        return len(last) > 1 and (last.isalpha() or last.lower().startswith("xn--"))


class IbanRecogniser(PatternRecognizer):
    """International bank account numbers: a country's length and the checksum."""

    def __init__(self) -> None:
        forms = "|".join(
            rf"(?:{'|'.join(countries.split())})\d\d(?:[ -]?[0-9A-Z]){{{length}}}"
            for length, countries in _IBANS.items()
        )
        pattern = Pattern("country and length", rf"(?<![0-9A-Z])(?:{forms})(?![0-9A-Z])", 0.5)
        super().__init__("IBAN_CODE", patterns=[pattern], context=["iban", "bank", "account"])

    def validate_result(self, pattern_text: str) -> bool:
        """ISO 7064, mod 97-10."""
        plain = "".join(char for char in pattern_text.upper() if char.isalnum())
        return plain.isascii() and int("".join(str(int(char, 36)) for char in plain[4:] + plain[:4])) % 97 == 1


OURS = {kind.__name__: kind for kind in (CardRecogniser, EmailRecogniser, IbanRecogniser, PhoneRecogniser)}

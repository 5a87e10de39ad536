"""Recognisers in Presidio's interface, where its own are slow on hostile text, noisy, or log what they read.

E-mail: Presidio's pattern is quadratic on long runs without an `@`, and asks the network for the
public-suffix list. IBAN: it logs the text that it fails to validate. Cards: it misses the newer
ranges and dots as separators, and takes any 16 digits that start with 1 or 3. Phones: it takes
every ten-digit order number.
"""

from typing import cast

import regex  # type: ignore[import-untyped] # ships no types
from presidio_analyzer import AnalysisExplanation, Pattern, PatternRecognizer, RecognizerResult
from presidio_analyzer.nlp_engine import NlpArtifacts
from presidio_analyzer.predefined_recognizers import PhoneRecognizer

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

    def analyze(
        self,
        text: str,
        entities: list[str],
        nlp_artifacts: NlpArtifacts | None = None,
        regex_flags: int | None = None,
    ) -> list[RecognizerResult]:
        """Presidio's; skipped where there is no `@`."""
        return super().analyze(text, entities, nlp_artifacts, regex_flags) if "@" in text else []

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


class PhoneRecogniser(PhoneRecognizer):
    """Phone numbers that are valid somewhere; bare digits only beside a word such as `call`."""

    WRITTEN = regex.compile(r"\+\d|\(\d{2,5}\)|\d[ .\-/]\(?\d")
    FICTIONAL = regex.compile(
        r"(?<![\w.\-])(?:\+?1[ .\-]?)?(?:\([2-9]\d\d\) ?|[2-9]\d\d[ .\-])[2-9]\d\d[ .\-]\d{4}(?![\w\-])"
    )
    LOCAL = regex.compile(r"(?<![\w.\-])[2-9]\d\d[ .\-]\d{4}(?![\w\-])")
    WORDS = (
        "phone", "telephone", "tel", "cell", "cellphone", "mobile", "call", "callback", "sms", "text", "whatsapp",
        "fax", "dial", "reach", "handy", "telefon", "téléphone",
    )  # fmt: skip
    ENOUGH_DIGITS = 7
    CLEAR_DIGITS = 9

    def __init__(self) -> None:
        super().__init__(context=list(self.WORDS), leniency=1)
        self._ibans = IbanRecogniser()

    def analyze(
        self, text: str, entities: list[str], nlp_artifacts: NlpArtifacts | None = None
    ) -> list[RecognizerResult]:
        """Numbers that `phonenumbers` takes for valid, and the form that films use."""
        if sum(char.isdecimal() for char in text) < self.ENOUGH_DIGITS:
            return []
        found = super().analyze(text, entities, cast("NlpArtifacts", nlp_artifacts))
        hits = [self._weighed(text, hit) for hit in found if " - " not in text[hit.start : hit.end]]  # 155.33 - 147.05
        # North America's 555 numbers are never valid, and in every form and test that people write.
        hits += [self._hit(match.span(), 0.5) for match in self.FICTIONAL.finditer(text)]
        hits += [self._hit(match.span(), 0.2) for match in self.LOCAL.finditer(text)]
        return self._outside_ibans(text, hits) if hits else hits

    def _outside_ibans(self, text: str, hits: list[RecognizerResult]) -> list[RecognizerResult]:
        """The last groups of an account number (`NL91 ABNA 0417 1643 00`) look like a phone's."""
        ibans = [hit for hit in self._ibans.analyze(text, ["IBAN_CODE"]) if hit.score == 1]
        return [hit for hit in hits if not any(iban.start <= hit.start and hit.end <= iban.end for iban in ibans)]

    def _weighed(self, text: str, hit: RecognizerResult) -> RecognizerResult:
        digits = sum(char.isdecimal() for char in text[hit.start : hit.end])
        is_written = self.WRITTEN.search(text, hit.start, hit.end) is not None
        is_long = digits >= self.CLEAR_DIGITS or text.startswith("+", hit.start)  # 3000-3999 is a range
        hit.score = 0.6 if is_written and is_long else 0.2
        return hit

    def _hit(self, span: tuple[int, int], score: float) -> RecognizerResult:
        return RecognizerResult(
            "PHONE_NUMBER",
            *span,
            score,
            AnalysisExplanation(type(self).__name__, score),
        )


OURS = {kind.__name__: kind for kind in (CardRecogniser, EmailRecogniser, IbanRecogniser, PhoneRecogniser)}

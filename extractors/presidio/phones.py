"""Phone numbers, in one pass over what could be one.

Presidio asks `phonenumbers` to walk the text once for every region. Here the digits that stand
together are split into groups once; how many digits a number has, and how they are grouped, says
where it may be from, and the numbering plans of `phonenumbers` say whether it is one.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

import phonenumbers
from phonenumbers import PhoneMetadata
from presidio_analyzer import AnalysisExplanation, Pattern, PatternRecognizer, RecognizerResult
from presidio_analyzer.nlp_engine import NlpArtifacts

CLEAR: Final = 0.6
VAGUE: Final = 0.2
_CANDIDATE: Final = r"(?<![\w.\-+])\+?[(\d](?:[ .\-/()]{0,3}\d){6,40}(?!\w)"
_GROUP: Final = re.compile(r"\+?[ ]?\(?\d+\)?")
_DIGITS: Final = re.compile(r"\d+")
_MOST_GROUPS: Final = 7
_FEWEST: Final = 7
_MOST: Final = 15  # digits (E.164)
_ENOUGH: Final = 9  # to be clear without a country's code
# North America's numbers are as people write them: 555 is never valid, and in every form and film.
_NORTH_AMERICAN: Final = re.compile(r"1?[2-9]\d\d[2-9]\d{6}")
_NORTH_AMERICAN_SIZES: Final = frozenset(
    {(10,), (11,), (3, 3, 4), (3, 7), (6, 4), (1, 3, 3, 4), (1, 10), (1, 3, 7), (4, 3, 4)}
)
_LOCAL: Final = re.compile(r"[2-9]\d{6}")
_HOME: Final = {(10,), (5, 5), (4, 6), (3, 3, 4), (11,), (2, 5, 4), (2, 4, 4), (2, 9), (2, 8)}
# Where a national number is looked up: with a leading zero, and (India, Brazil) without.
_ZERO_REGIONS: Final = ("DE", "GB", "FR", "IT", "NL", "IL", "IN", "BR", "CH", "AT", "BE")
_OTHER_REGIONS: Final = ("IN", "BR")
_TYPES: Final = (
    "fixed_line", "mobile", "toll_free", "premium_rate", "shared_cost", "voip", "personal_number", "uan", "pager",
    "voicemail",
)  # fmt: skip
_WORDS: Final = (
    "phone", "telephone", "tel", "cell", "cellphone", "mobile", "call", "callback", "sms", "text", "whatsapp",
    "fax", "dial", "reach", "handy", "telefon", "telefono", "teléfono", "móvil", "téléphone", "portable",
)  # fmt: skip


class PhoneRecogniser(PatternRecognizer):
    """Phone numbers that are valid somewhere; bare digits only beside a word such as `call`."""

    def __init__(self) -> None:
        pattern = Pattern("digits that stand together", _CANDIDATE, VAGUE)
        super().__init__("PHONE_NUMBER", patterns=[pattern], context=list(_WORDS))

    def analyze(
        self,
        text: str,
        entities: list[str],
        nlp_artifacts: NlpArtifacts | None = None,
        regex_flags: int | None = None,
    ) -> list[RecognizerResult]:
        """As Presidio has it."""
        return [
            RecognizerResult("PHONE_NUMBER", start, end, score, AnalysisExplanation(type(self).__name__, score))
            for candidate in re.finditer(_CANDIDATE, text)
            for start, end, score in self.graded(text, *candidate.span())
        ]

    def graded(self, text: str, start: int, end: int) -> Iterator[tuple[int, int, float]]:
        """The numbers among the digits of a stretch, from the left, the longest first, each with its score."""
        groups = [_trimmed(group) for group in _GROUP.finditer(text, start, end)]
        digits = [_DIGITS.findall(text[first:last])[0] for first, last in groups]
        at = 0
        while at < len(groups):
            count, score = _longest(text, groups, digits, at)
            if count:
                yield groups[at][0], groups[at + count - 1][1], score
            at += count or 1


def _trimmed(group: re.Match[str]) -> tuple[int, int]:
    """A group's span; a bracket counts where both are there."""
    start, end = group.span()
    written = group.group()
    start += len(written) - len(written.lstrip(" "))
    written = written.strip(" ")
    if written.startswith("(") and not written.endswith(")"):
        start += 1
    elif written.endswith(")") and "(" not in written:
        end -= 1
    return start, end


def _longest(text: str, groups: Sequence[tuple[int, int]], digits: Sequence[str], at: int) -> tuple[int, float]:
    """How many groups from one on are a number, and the score; none and nothing."""
    most = min(_MOST_GROUPS, len(groups) - at)
    sizes = [len(one) for one in digits[at : at + most]]
    if sum(sizes) < _FEWEST:
        return 0, 0.0
    abroad = text[groups[at][0]] == "+" or digits[at].startswith("00")
    for count in range(most, 0, -1):
        total = sum(sizes[:count])
        if _FEWEST <= total <= _MOST:
            number = "".join(digits[at : at + count])
            score = _score(number, tuple(sizes[:count]), abroad=abroad)
            if score and " - " not in text[groups[at][0] : groups[at + count - 1][1]]:  # 155.33 - 147.05
                return count, score
    return 0, 0.0


def _score(number: str, sizes: tuple[int, ...], *, abroad: bool) -> float:
    if abroad:
        return CLEAR if _is_international(number.removeprefix("00")) else 0.0
    if sizes in _NORTH_AMERICAN_SIZES and _NORTH_AMERICAN.fullmatch(number):
        return CLEAR if len(sizes) > 1 else VAGUE
    if sizes == (3, 4) and _LOCAL.fullmatch(number):
        return VAGUE
    if number[0] == "0":
        is_number = any(_is_national(number, region) for region in _ZERO_REGIONS) and _is_dialled(sizes)
    else:
        is_number = sizes in _HOME and any(_is_national(number, region) for region in _OTHER_REGIONS)
    if not is_number:
        return 0.0
    return CLEAR if len(sizes) > 1 and len(number) >= _ENOUGH else VAGUE


def _is_dialled(sizes: tuple[int, ...]) -> bool:
    """Whether digits are grouped as an area's code and a number, or in pairs as in France."""
    return len(sizes) == 1 or 3 <= sizes[0] <= 6 or set(sizes) == {2}  # noqa: PLR2004 - the lengths of area codes


def _is_international(number: str) -> bool:
    for length in (1, 2, 3):
        regions = phonenumbers.COUNTRY_CODE_TO_REGION_CODE.get(int(number[:length] or 0))
        if regions:
            return any(_is_national(number[length:], region) for region in regions)
    return False


def _is_national(number: str, region: str) -> bool:
    prefix, plan = _plan(region)
    if plan is None:
        return False
    if plan.fullmatch(number):
        return True
    return bool(prefix) and number.startswith(prefix) and plan.fullmatch(number[len(prefix) :]) is not None


@lru_cache(maxsize=512)
def _plan(region: str) -> tuple[str, re.Pattern[str] | None]:
    """A region's trunk prefix, and the numbers that are in use there."""
    metadata: Any = PhoneMetadata.metadata_for_region(region, None)
    if metadata is None:
        return "", None
    kinds = (getattr(metadata, kind) for kind in _TYPES)
    patterns = dict.fromkeys(kind.national_number_pattern for kind in kinds if kind and kind.national_number_pattern)
    prefix = "" if region == "IT" else metadata.national_prefix or ""
    return prefix, re.compile("|".join(f"(?:{pattern})" for pattern in patterns)) if patterns else None

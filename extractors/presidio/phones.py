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

from lawful.extractors.presidio.graded import GradedRecogniser

CLEAR: Final = 0.6
VAGUE: Final = 0.2
_CANDIDATE: Final = r"(?<![\w.\-+])\+?[(\d](?:[ .\-/()]{0,3}\d){6,40}(?!\w)"
_DIGITS: Final = re.compile(r"\d+")
_MOST_GROUPS: Final = 7
_FEWEST: Final = 7
_MOST: Final = 15  # digits (E.164)
_ENOUGH: Final = 9  # to be clear without a country's code
# North America's numbers are as people write them: 555 is never valid, and in every form and film.
_NORTH_AMERICAN: Final = re.compile(r"1?[2-9]\d\d[2-9]\d{6}")
_NORTH_AMERICAN_SHAPES: Final = frozenset({(10,), (11,), (3, 3, 4), (3, 7), (6, 4), (1, 3, 3, 4), (1, 10), (1, 3, 7)})
_LOCAL_SHAPE: Final = (3, 4)
_LOCAL: Final = re.compile(r"[2-9]\d{6}")
_SHAPES: Final = _NORTH_AMERICAN_SHAPES | {_LOCAL_SHAPE, (5, 5), (4, 6), (2, 5, 4), (2, 4, 4), (2, 9), (2, 8)}
_PAIRS: Final = frozenset(shape[:2] for shape in _SHAPES if len(shape) > 1)
_ALONE: Final = frozenset(shape[0] for shape in _SHAPES if len(shape) == 1)
# What every number has: a plus, one of the shapes, or a zero in front of an area's code (in France, of pairs).
_PLAUSIBLE: Final = re.compile(
    r"\+|(?<!\d)(?:"
    + "|".join(r"[ .\-/()]{1,3}".join(rf"\d{{{size}}}" for size in shape) + r"(?!\d)" for shape in sorted(_SHAPES))
    + r"|0\d{2}|0\d(?:[ .\-/]\d\d){3})"
)
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


class PhoneRecogniser(GradedRecogniser):
    """Phone numbers that are valid somewhere; bare digits only beside a word such as `call`."""

    def __init__(self) -> None:
        super().__init__("PHONE_NUMBER", _CANDIDATE, VAGUE, list(_WORDS))

    def graded(self, text: str, start: int, end: int) -> Iterator[tuple[int, int, float]]:
        """The numbers among the digits of a stretch, from the left, the longest first, each with its score."""
        if not _PLAUSIBLE.search(text, max(0, start - 3), end):
            return
        groups = [group.span() for group in _DIGITS.finditer(text, start, end)]
        sizes = [last - first for first, last in groups]
        at = 0
        while at < len(groups):
            count, score = _longest(text, groups, sizes, at)
            if count:
                yield *_bracketed(text, groups[at][0], groups[at + count - 1][1], start), score
            at += count or 1


def _longest(text: str, groups: Sequence[tuple[int, int]], sizes: Sequence[int], at: int) -> tuple[int, float]:
    """How many groups from one on are a number, and its score; none and nothing."""
    first = groups[at][0]
    abroad = "+" in text[max(0, first - 3) : first] or text.startswith("00", first)
    home = text[first] == "0"
    if not (abroad or (home and sizes[at] > 1) or sizes[at] in _ALONE or tuple(sizes[at : at + 2]) in _PAIRS):
        return 0, 0.0
    for count in range(min(_MOST_GROUPS, len(groups) - at), 0, -1):
        shape = tuple(sizes[at : at + count])
        if _FEWEST <= sum(shape) <= _MOST and (abroad or home or shape in _SHAPES):
            written = text[first : groups[at + count - 1][1]]
            number = "".join(_DIGITS.findall(written))
            score = _score(number, shape, abroad=abroad)
            if score and " - " not in written:  # 155.33 - 147.05
                return count, score
    return 0, 0.0


def _bracketed(text: str, start: int, end: int, first: int) -> tuple[int, int]:
    """The span with the plus and the bracket that belong to it."""
    if start > first and text[start - 1] == "(":
        start -= 1
    while start > first and text[start - 1] in "+ " and "+" in text[max(first, start - 2) : start]:
        start -= 1
    if text[end : end + 1] == ")" and text.count("(", start, end) > text.count(")", start, end):
        end += 1
    return start, end


def _score(number: str, shape: tuple[int, ...], *, abroad: bool) -> float:
    if abroad:
        return CLEAR if _is_international(number.removeprefix("00")) else 0.0
    if shape in _NORTH_AMERICAN_SHAPES and _NORTH_AMERICAN.fullmatch(number):
        return CLEAR if len(shape) > 1 else VAGUE
    if shape == _LOCAL_SHAPE:
        return VAGUE if _LOCAL.fullmatch(number) else 0.0
    regions = _ZERO_REGIONS if number[0] == "0" else _OTHER_REGIONS
    if number[0] == "0" and not (len(number) >= _ENOUGH - 1 and _is_dialled(shape)):
        return 0.0
    if not _is_national(number, regions):
        return 0.0
    return CLEAR if len(shape) > 1 and len(number) >= _ENOUGH else VAGUE


def _is_dialled(shape: tuple[int, ...]) -> bool:
    """Whether digits are grouped as an area's code and a number, or in pairs as in France."""
    return len(shape) == 1 or 3 <= shape[0] <= 6 or set(shape) == {2}  # noqa: PLR2004 - the lengths of area codes


def _is_international(number: str) -> bool:
    for length in (1, 2, 3):
        regions = phonenumbers.COUNTRY_CODE_TO_REGION_CODE.get(int(number[:length] or 0))
        if regions:  # the first is the one that knows the form of all
            return _form(regions[0]).fullmatch(number[length:]) is not None
    return False


def _is_national(number: str, regions: tuple[str, ...]) -> bool:
    return _plan(regions).fullmatch(number) is not None


@lru_cache(maxsize=512)
def _plan(regions: tuple[str, ...]) -> re.Pattern[str]:
    """The numbers that are in use in some regions, with and without what is dialled before them at home."""
    forms = dict.fromkeys(form for region in regions for form in _forms(region))
    return re.compile("|".join(forms) or r"(?!)")


@lru_cache(maxsize=512)
def _form(region: str) -> re.Pattern[str]:
    """What numbers of a region look like, dialled from abroad or as if at home."""
    metadata: Any = PhoneMetadata.metadata_for_region(region, None)
    prefix = re.escape(metadata.national_prefix or "") if metadata else ""
    form = metadata.general_desc.national_number_pattern if metadata else r"(?!)"
    return re.compile(f"(?:{prefix})?(?:{form})" if prefix else form)


def _forms(region: str) -> Iterator[str]:
    metadata: Any = PhoneMetadata.metadata_for_region(region, None)
    kinds = [getattr(metadata, kind, None) for kind in _TYPES]
    numbers = "|".join(
        dict.fromkeys(kind.national_number_pattern for kind in kinds if kind and kind.national_number_pattern)
    )
    if numbers:
        prefix = "" if region == "IT" else re.escape(metadata.national_prefix or "")
        yield f"(?:{prefix})?(?:{numbers})" if prefix else f"(?:{numbers})"

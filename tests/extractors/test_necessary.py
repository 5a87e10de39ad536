"""What patterns cannot match without."""

import re

import pytest
import re2  # type: ignore[import-not-found, import-untyped, unused-ignore] # ships no types
import regex  # type: ignore[import-untyped] # ships no types
from hypothesis import given
from hypothesis import strategies as st

from lawful.extractors.linear import options, shadow
from lawful.extractors.necessary import necessary

LATIN = options()
PATTERNS = [
    r"\b\d{3}-\d{2}-\d{4}\b",
    r"(?<!\w)(?:ab|cd)++e?",
    r"(?i:x)\w+\s\S",
    r"([a-c])\1{2}",
    r"[^\W\d_]{2,}i",
    r"(?=\d)\d[^a\d]",
    r"^a.c$",
    r"\D\d{2,}(?!\d)",
    r"[\u00e9\u0131]\d|[^\u00e9]k|[a-\u00ff]s",
    r"(?:\d[ -]?){12}\d",
]
TEXTS = st.text(st.sampled_from("aAbcdeiI1234-_ x\u00e9\u0131\u0130\u017f\n.\u0664\u00df"), max_size=14)


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("flags", [0, regex.IGNORECASE, regex.IGNORECASE | regex.MULTILINE | regex.DOTALL])
@given(text=TEXTS)
def test_a_match_meets_the_condition_from_its_start(pattern: str, flags: int, text: str) -> None:
    """Wherever the pattern matches, the condition matches from there on."""
    condition = necessary(pattern, flags, ascii_only=text.isascii())
    assert condition is not None
    for match in regex.compile(pattern, flags).finditer(text):
        places = re2.compile(condition.encode(), LATIN).finditer(shadow(text))
        assert any(place.start() <= match.start() < place.end() for place in places)


@pytest.mark.parametrize(
    "pattern",
    [
        r"a*",
        r"(?:cat){e<=1}",
        r"[[:alpha:]]+x",
        r"\p{Lu}+",
        r"(?V1)[a--b]",
        r"(?<n>a)\g<n>",
        r"(a)?(?(1)b)",
        "(",
    ],
)
def test_what_has_no_condition_is_always_asked(pattern: str) -> None:
    """Patterns that match nothing, or mean something to `regex` alone, have none."""
    assert necessary(pattern, re.IGNORECASE, ascii_only=True) is None


def test_ascii_texts_get_the_narrower_condition() -> None:
    """Word boundaries hold there; elsewhere they would mean something else."""
    narrow, wide = (necessary(r"\bab\b", 0, ascii_only=each) for each in (True, False))
    assert narrow is not None
    assert wide is not None
    assert re2.compile(narrow.encode(), LATIN).search(b"xaby") is None
    assert re2.compile(wide.encode(), LATIN).search(b"xaby") is not None


def test_a_colon_in_a_class_is_no_posix_class() -> None:
    """`[:-]` is a colon or a dash: a pattern for hardware addresses has a condition."""
    condition = necessary(r"\b[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4}", 0, ascii_only=True)
    assert condition is not None
    assert re2.compile(condition.encode(), LATIN).search(b"00:1b:44:11:3a:b7") is not None
    assert re2.compile(condition.encode(), LATIN).search(b"00 1b 44 11 3a b7") is None

"""One spelling for what looks the same."""

# ruff: noqa: RUF001 - look-alikes are what this is about

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.extractors.normal import normalise
from lawful.extractors.reading import Reading

ODD = st.sampled_from(
    "\u200b\u200d\u0301\u0337\u20e3\ufe0fаеосΑΒοﬁ½①４１٤\u2011\u2212\u00a0\u3000한ᄀ\u1161ﾞ😀👩🏽\u202e\ufffd\u09c7\u09be"
)
TEXTS = st.one_of(st.text(max_size=20), st.text(st.one_of(ODD, st.sampled_from("aZ4 .@-\\nrt＼")), max_size=20))


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("plain", "plain"),
        ("4\u200b1\u200d1\ufeff1", "4111"),
        ("４１１１　１１１１", "4111 1111"),
        ("𝟒𝟏𝟏𝟏 ٤١١١ ४१११", "4111 4111 4111"),
        ("4\u03371\ufe0f\u20e3", "41"),
        ("a\u2010b\u2011c\u2212d\u2014e", "a-b-c-d-e"),
        ("1\u00a02\u20093\u20284", "1 2 3\n4"),
        ("jаne@ехаmрlе.com", "jane@example.com"),
        ("аое@ех.com", "aoe@ex.com"),
        ("DЕ89", "DE89"),
        ("Москва и Κρήτη", "Москва и Κρήτη"),
        ("Zoe\u0308 Müller", "Zoë Müller"),
        ("한\u200b글", "한글"),
        ("हिन्दी", "हिन्दी"),
        ("हिन्दी jаne", "हिन्दी jane"),
        ("שָׁלוֹם", unicodedata.normalize("NFKC", "שָׁלוֹם")),
        ("ﬁ ½ ™", "fi 1/2 TM"),
        ("\u200b", ""),
        ("O\u00b4Brien", "O'Brien"),
        (r"Rossi\nPhone:\t030 123\\n4711", "Rossi\nPhone:\n030 123\n4711"),
        (r"C:\new\table", r"C:\new\table"),
        (r"Ann\nssn: 1\ndate of birth: 2", "Ann\nssn: 1\ndate of birth: 2"),
        (r"mail\njane.doe@example.com or\tbob@", "mail\njane.doe@example.com or\\tbob@"),
        (r"C:\temp\notes is D:\notes", r"C:\temp\notes is D:\notes"),
    ],
)
def test_spellings(text: str, read: str) -> None:
    """Disguises go; what is written in another script stays as it is."""
    assert normalise(text).text == read


@given(TEXTS)
def test_normalising_twice_changes_nothing_more(text: str) -> None:
    """What is normal stays as it is."""
    once = normalise(text).text
    assert normalise(once).text == once


@given(TEXTS)
def test_every_character_comes_from_somewhere(text: str) -> None:
    """Spans lie in the text, in its order, and what lies between two characters is what cannot be seen."""
    reading = normalise(text)
    spans = [reading.span(place, place + 1) for place in range(len(reading.text))]
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert spans == sorted(spans)
    for start, end in spans:
        read = normalise(text[start:end]).text
        assert read or text[start:end].isspace() or not text[start:end].isascii()


@given(st.text(st.characters(max_codepoint=127, exclude_characters="\\")))
def test_ascii_is_normal(text: str) -> None:
    """Nothing is made of it but of breaks that were escaped, and places are themselves."""
    reading = normalise(text)
    assert reading.text is text
    assert reading.span(0, 1) == (0, 1)


def test_backslashes_without_end_are_read_once() -> None:
    """Sixty thousand of them would take minutes if each were a beginning."""
    assert normalise("\\" * 60_000).text == "\\" * 60_000
    assert normalise("\\" * 60_000 + "n").text == "\n"


def test_marks_without_end_are_bounded() -> None:
    """Of thousands of marks on one character, the thirty that Unicode's stream-safe form allows are looked at."""
    reading = normalise("\u05d0" + "\u05b0" * 5_000 + "x")
    assert len(reading.text) < 40
    assert reading.span(0, len(reading.text)) == (0, 5_002)


def test_rewriting_keeps_places() -> None:
    """Pieces of pieces lead back to the first text."""
    first = Reading("abcdef").rewritten([(1, 3, "X"), (4, 5, "")])
    second = first.rewritten([(0, 2, "long")])
    assert (first.text, second.text) == ("aXdf", "longdf")
    assert [second.span(place, place + 1) for place in range(6)] == [(0, 3)] * 4 + [(3, 4), (5, 6)]
    assert second.span(0, 6) == (0, 6)


@given(
    st.text("abc ", min_size=1, max_size=30),
    st.lists(st.tuples(st.integers(0, 29), st.integers(1, 4), st.text("XYZ", max_size=3)), max_size=4),
    st.lists(st.tuples(st.integers(0, 29), st.integers(1, 4), st.text("XYZ", max_size=3)), max_size=4),
)
def test_what_is_fresh_is_what_was_rewritten(
    text: str, first: list[tuple[int, int, str]], second: list[tuple[int, int, str]]
) -> None:
    """Every new letter is fresh after one rewriting and another; what lies outside leads to itself."""
    reading = Reading(text)
    for wanted in (first, second):
        reading = reading.rewritten(_in_order(wanted, len(reading.text)))
    assert list(reading.fresh) == sorted(reading.fresh)
    for place, char in enumerate(reading.text):
        if char in "XYZ":
            assert reading.is_fresh(place, place + 1)
        elif not reading.is_fresh(place, place + 1):
            start, end = reading.span(place, place + 1)
            assert (end - start, text[start]) == (1, char)
    for part in reading.parts():
        assert all(0 <= start <= end <= len(part.text) for start, end in part.fresh)


def _in_order(wanted: list[tuple[int, int, str]], length: int) -> list[tuple[int, int, str]]:
    """Pieces that are in order, do not overlap and lie in a text."""
    kept: list[tuple[int, int, str]] = []
    for start, size, new in sorted(wanted):
        if (not kept or start >= kept[-1][1]) and start + size <= length:
            kept.append((start, start + size, new))
    return kept


def test_parts_are_what_is_fresh_and_what_stands_beside_it() -> None:
    """Of a long text with two changes, two short parts; places still lead back."""
    text = "a" * 1_000 + "%41" + "b" * 2_000 + "%42" + "c" * 1_000
    reading = Reading(text).rewritten([(1_000, 1_003, "A"), (3_003, 3_006, "B")])
    one, other = reading.parts()
    assert (len(one.text), len(other.text)) == (401, 401)
    assert (one.span(*one.fresh[0]), other.span(*other.fresh[0])) == ((1_000, 1_003), (3_003, 3_006))
    assert not reading.is_fresh(0, 1_000)
    assert reading.is_fresh(999, 1_001)

"""Outlines tell what a text could meet, and never say no where the text itself does."""

import random

import pytest

from lawful.extractors.linear import Conditions, shadow
from lawful.extractors.necessary import necessary
from lawful.extractors.outline import outline, outlined

_FORMS = (
    r"\d{3}-\d{2}-\d{4}",
    r"\b[A-Z]{2}\d{6}[A-D]\b",
    r"[13][a-km-zA-HJ-NP-Z1-9]{25,34}",
    r"[^a-z\d]{3}\d",
    r"(?i)mrn-?\d{5}",
)


def test_an_outline_has_one_letter_and_one_digit() -> None:
    """All else stays, and what is not ASCII is one byte."""
    assert outline("Ab-19 é@") == b"aa-00 \xff@"


@pytest.mark.parametrize("form", _FORMS)
def test_whatever_a_text_meets_its_outline_meets(form: str) -> None:
    """For texts that are drawn from what forms are made of."""
    condition = necessary(form, 0, ascii_only=True)
    told = outlined(condition or "")
    assert condition is not None
    assert told is not None
    rng, seen = random.Random(3), 0
    pieces = (
        "123",
        "-45-",
        "6789",
        "AB",
        " AB123456C ",
        "1",
        "x" * 8,
        "ABCDEFGH" * 3,
        "MRN",
        "mrn-",
        "12345",
        " ",
        "!?+",
        "7",
    )
    for _ in range(400):
        text = "".join(rng.choices(pieces, k=6))
        if Conditions([condition]).met(shadow(text)):
            seen += 1
            assert Conditions([told]).met(outline(text))
    assert seen


def test_what_words_alone_would_meet_has_no_outline() -> None:
    """A form of letters only says nothing once all letters are one."""
    assert outlined(necessary("born in", 0, ascii_only=True) or "") is None

"""Dates of birth and ages."""

import pytest

from lawful.extractors.facts import Facts
from tests.extractors.support import found

BORN = "user.demographic.date_of_birth"
AGE = "user.demographic.age_range"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("born on 1957-10-05", [("1957-10-05", BORN)]),
        ("DOB: 10/05/1957", [("10/05/1957", BORN)]),
        ("her date of birth is May 3rd, 1980", [("May 3rd, 1980", BORN)]),
        ("birthday 3. March 1980", [("3. March 1980", BORN)]),
        ("your date of birth. It's 6/28/1986", [("6/28/1986", BORN)]),
        ("I'm 34 and", [("34", AGE)]),
        ("I'll turn 44.", [("44", AGE)]),
        ("Written when he was 22, and", [("22", AGE)]),
        ("I am 5.5 km away, he is 3,000 miles", []),
        ("a 61-year-old man", [("61", AGE)]),
        ("aged 7", [("7", AGE)]),
        ("delivered on 2024-05-26", []),
        ("born to run. Order of 2024-05-26", []),
        ("I am 5 minutes away", []),
        ("I'm 100% sure", []),
        ("age of empires", []),
        ("a 2 year warranty", []),
        ("30-39 years old", []),
    ],
)
def test_figures_about_persons(text: str, expected: list[tuple[str, str]]) -> None:
    """A date counts behind a word such as `born`, a number as an age; others are about no one."""
    assert found(Facts(), text) == expected

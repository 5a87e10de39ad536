"""Names in lower case and in capitals."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawful.extractors.ner.recase import is_common, recased


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("my name is maria lopez and i need help", "my name is Maria Lopez and i need help"),
        ("please ask john about it", "please ask John about it"),
        ("PLEASE CONTACT MARIA LOPEZ ABOUT ORDER", "please contact Maria Lopez about order"),
        ("hi this is priya raghunathan", "hi this is Priya Raghunathan"),
        ("contact dr okonkwo asap", "contact Dr Okonkwo asap"),
        ("i am john smith, john wants refund", "i am John Smith, John wants refund"),
        ("thanks, sarah o'connor", "thanks, Sarah O'Connor"),
        ("jean-luc moreau called", "Jean-Luc Moreau called"),
        ("josé garcía is here", "José García is here"),
    ],
)
def test_names_get_their_capitals(text: str, expected: str) -> None:
    """Listed first names, what follows them, and what is introduced."""
    assert recased(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "mark it as done, will you",
        "the rose garden by dawn",
        "Please ask Maria Lopez about it",
        "send it to maria@example.com or maria.lopez.example.com",
        "see /home/maria/lopez and maria-lopez/x",
        "a total of 3 water bottles",
        "def maria_lopez(john_x): pass",
        "ORDER W123 IS LATE",
        "",
    ],
)
def test_other_words_stay(text: str) -> None:
    """Words that are names only now and then, addresses, paths and code."""
    assert recased(text) == text


@pytest.mark.parametrize("word", ["want", "wants", "wanted", "asking", "about", "calls"])
def test_common_words_in_their_forms(word: str) -> None:
    """What follows a name is seldom a surname."""
    assert is_common(word)
    assert not is_common("lopez")


@settings(deadline=None)
@given(st.text(max_size=60) | st.sampled_from(["maria", "JOHN", "ß", "İ", " "]).map(lambda word: f"{word} lopez ǆ"))
def test_every_place_stays(text: str) -> None:
    """As long as before, letter by letter the same but for its case, and nothing more to do."""
    after = recased(text)
    assert len(after) == len(text)
    assert all(one in {other, other.lower(), other.upper()} for one, other in zip(after, text, strict=True))
    assert recased(after) == after

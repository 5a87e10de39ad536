"""What redaction left behind says nothing of what stands beside it."""

import pytest

from lawful.extractors.placeholders import blanked
from lawful.extractors.port import Extractor
from lawful.schemas.event import UserMessage
from tests.extractors.support import extract


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("call [user.contact.phone_number#rfnklbts] now", "call " + "x" * 36 + " now"),
        ("[user.name|user.contact.email]", "x" * 30),
        ("*** and [redacted]", "xxx and xxxxxxxxxx"),
        ("[phone] 12, <phone>12</phone>, **12**", "[phone] 12, <phone>12</phone>, **12**"),
        ("[user.name#Maria]", "[user.name#Maria]"),
    ],
)
def test_one_word_of_no_meaning_stands_for_each(text: str, left: str) -> None:
    """As long as the text; what only looks like a placeholder stays."""
    assert blanked(text) == left


@pytest.mark.parametrize(
    ("beside", "found"),
    [
        ("phone number", {"user.contact.phone_number"}),
        ("[user.contact.phone_number#rfnklbts]", set()),
        ("[user.contact.phone_number]", set()),
    ],
)
def test_words_in_a_placeholder_are_no_evidence(extractor: Extractor, beside: str, found: set[str]) -> None:
    """They are ours."""
    assert {one.category for one in extract(extractor, UserMessage(f"{beside} 7183 8750")).findings} == found

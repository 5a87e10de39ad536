"""What redaction left behind says nothing of what stands beside it."""

import pytest

from lawful.extractors.placeholders import wordless
from lawful.extractors.port import Extractor
from lawful.schemas.event import UserMessage
from tests.extractors.support import extract


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("call [user.contact.phone_number#rfnklbts] now", f"call [{'x' * 34}] now"),
        ("[user.name|user.contact.email]", f"[{'x' * 28}]"),
        ("*** and [redacted]", "*** and [redacted]"),
        ("[phone] 12, <phone>12</phone>, ***12***", "[phone] 12, <phone>12</phone>, ***12***"),
        ("[user.name#Maria] [user.name#mariamaria]", "[user.name#Maria] [user.name#mariamaria]"),
        ("[user.passport] [user.name|user.diabetes]", "[user.passport] [user.name|user.diabetes]"),
    ],
)
def test_words_in_placeholders_are_left_out(text: str, left: str) -> None:
    """As long as the text; what only looks like a placeholder stays."""
    assert wordless(text) == left


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("phone number 7183 8750", "user.contact.phone_number"),
        ("[user.contact.phone_number#rfnklbts] 7183 8750", ""),
        ("[user.contact.phone_number] 7183 8750", ""),
        ("her username is [user.unique_id.pseudonymous#bcdfghjklmnpqrst] now", ""),
        ("He has ***HIV***.", "user.health_and_medical"),
        ("his diagnosis is [redacted]HIV", "user.health_and_medical"),
        ("diagnosed with [user.diabetes]", "user.health_and_medical"),
        ("her ***SSN*** is 536904399", "user.government_id"),
        ("[user.ssn]: 536904399", "user.government_id"),
        ("***phone*** 7183 8750", "user.contact.phone_number"),
        ("[user.name]phone 7183 8750", "user.contact.phone_number"),
    ],
)
def test_words_in_a_placeholder_are_no_evidence(extractor: Extractor, text: str, found: str) -> None:
    """They are ours; those beside it, or in what only looks like one, count."""
    categories = {one.category for one in extract(extractor, UserMessage(text)).findings}
    assert {category.startswith(found) for category in categories} == ({True} if found else set())

"""Labelled values in prose."""

import pytest

from lawful.extractors.labels import Labels
from lawful.extractors.port import ExtractionSpec, KeyHint
from tests.extractors.support import around, found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SSN: 123-45-6788 ok", [("123-45-6788", "user.government_id.national_identification_number")]),
        ("(DOB: 1965-03-15)", [("1965-03-15", "user.demographic.date_of_birth")]),
        ("Annual Income: 150000, CVV: 123", [("150000", "user.financial"), ("123", "user.financial.credit_card")]),
        ("Patient: Oyelaran Adeyemi | Room: 4", [("Oyelaran Adeyemi", "user.name")]),
        ("Name: Shun C. Roeterdink", [("Shun C. Roeterdink", "user.name")]),
        ("Name: Ольга Петрова", [("Ольга Петрова", "user.name")]),
        ("- Diagnosis: Type 2 Diabetes\n- Plan: rest", [("Type 2 Diabetes", "user.health_and_medical")]),
        ("Email: a@b.co, Salary: 200000", [("a@b.co", "user.contact.email"), ("200000", "user.financial")]),
        ("password=hunter2 next", [("hunter2", "user.authorization.password")]),
        ('"last_name": "Silva"', [("Silva", "user.name.last")]),
        ("Home address: 1 Elm St, Austin; done", [("1 Elm St, Austin", "user.contact.address")]),
        ("Status: shipped | Total: 40", []),
        ("Note: call me", []),
        ("SSN: n/a, phone: none, salary: competitive", []),
        ("Name: The Water Bottle", []),
        ("SSN: [user.government_id.national_identification_number]", []),
        ("see https://example.com/dob: yes", []),
        ("time 10:30, ratio 4:3", []),
        ('"diagnoses": ["Asthma"], "address": {"x": 1}', []),
        ("'diagnoses': ['asthma', 'flu']", []),
    ],
)
def test_labels(text: str, expected: list[tuple[str, str]]) -> None:
    """A known label makes a finding of what follows it, up to where the value ends."""
    assert found(Labels(), text) == expected


def test_a_policys_labels() -> None:
    """A policy's own field names are labels too."""
    spec = ExtractionSpec(key_hints=(KeyHint("badge_no", "user.workplace"),))
    assert found(Labels(), "Badge no: 4711", around(spec)) == [("4711", "user.workplace")]

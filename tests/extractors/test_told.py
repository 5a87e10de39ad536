"""A policy's own field names in prose."""

import pytest

from lawful.extractors.port import ExtractionSpec, KeyHint
from lawful.extractors.told import Told
from tests.extractors.support import around, found

SPEC = ExtractionSpec(
    key_hints=(
        KeyHint("credit_score", "user.financial"),
        KeyHint("internal_notes", "user.content.private"),
        KeyHint("result", "user.health_and_medical"),
        KeyHint("patient", "user.health_and_medical.record_id", "patient_id"),
    )
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The credit score is 718.", [("718", "user.financial")]),
        ("a Credit-Score of 718, and the weather is fine", [("718", "user.financial")]),
        ("credit score: 718 and the internal notes: call her later.", [
            ("718", "user.financial"), ("call her later", "user.content.private")]),
        ("Her result was positive", [("positive", "user.health_and_medical")]),
        ("Ada's result is 6.4 mmol.", [("6.4 mmol", "user.health_and_medical")]),
        ("The latest result is 6.4 mmol.", [("6.4 mmol", "user.health_and_medical")]),
        ("Her previous final result was 41", [("41", "user.health_and_medical")]),
        ("The search result is 41", []),
        ("The original result was config.yaml", []),
        ("his original result was negative", [("negative", "user.health_and_medical")]),
        ("Her credit score is now 718.", [("now 718", "user.financial")]),
        ("Her credit score is now available.", []),
        ("**credit score** is 718", [("718", "user.financial")]),
        ("**Credit score:** 718", [("718", "user.financial")]),
        ("As latest result is 41", []),
        ("result: ready", [("ready", "user.health_and_medical")]),
        ("internal notes are\nbelow", []),
        ("The result is ready, please call.", []),
        ("As a result of 3 delays", []),
        ("result is fine", []),
        ("The patient is 45 years old", []),
        ("my credit scores are none of your business", []),
        ("The credit score is [user.financial].", []),
        ("The credit score is ***.", []),
        ("The credit score is n/a.", []),
        ("a creditscore is 718", []),
    ],
)  # fmt: skip
def test_values_behind_a_policys_names(text: str, expected: list[tuple[str, str]]) -> None:
    """A name of several words, or one word of somebody's, and what is said of it, up to where that ends."""
    assert found(Told(), text, around(SPEC)) == expected


def test_names_that_no_policy_lists_are_not_looked_for() -> None:
    """Without hints there is nothing to find."""
    assert found(Told(), "The credit score is 718.") == []

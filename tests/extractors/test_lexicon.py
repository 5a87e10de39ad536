"""Terms of special categories."""

import pytest

from lawful.extractors.fields import Field
from lawful.extractors.lexicon import Lexicons
from lawful.extractors.sentences import sentences
from tests.extractors.support import found

HEALTH = "user.health_and_medical"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I was diagnosed with diabetes", [("diabetes", HEALTH)]),
        ("My mother takes metformin.", [("metformin", HEALTH)]),
        ("John Smith has HIV", [("HIV", HEALTH)]),
        ("the patient suffers from schizophrenia", [("schizophrenia", HEALTH)]),
        ("She is pregnant; ship it", [("pregnant", HEALTH)]),
        ("he was convicted of fraud", [("convicted", "user.criminal_history")]),
        ("I am Muslim", [("Muslim", "user.demographic.religious_belief")]),
        ("my wife is a lesbian", [("lesbian", "user.demographic.sexual_orientation")]),
        ("I voted for them", [("voted for", "user.demographic.political_opinion")]),
        ("I am Hispanic", [("Hispanic", "user.demographic.race_ethnicity")]),
        ("our research on diabetes", []),
        ("We donate to cancer charity", []),
        ("Diabetes is on the rise", []),
        ("he likes aids and tools", []),
        ("the Great Depression hit us", []),
        ("my tropical depression forecast", []),
        ("I ordered a stroker and a cancerian mug", []),
        ("Size: lupus", []),
        ("I am happy. Diabetes is common.", []),
    ],
)
def test_terms_need_a_person(text: str, expected: list[tuple[str, str]]) -> None:
    """A term counts beside a word that says of whom, in one sentence, and not in talk about the topic."""
    assert found(Lexicons(), text) == expected


def test_an_object_about_a_person_is_a_cue() -> None:
    """In a record of a person no further cue is needed."""
    field = Field("/content/note", "migraine", ("note",), frozenset({"note", "patient_id"}), is_json=True)
    assert found(Lexicons(), field) == [("migraine", HEALTH)]
    other = Field("/content/note", "migraine", ("note",), frozenset({"note", "price"}), is_json=True)
    assert found(Lexicons(), other) == []


def test_every_occurrence() -> None:
    """All terms of a sentence are found (A16)."""
    assert len(found(Lexicons(), "I have asthma, asthma and epilepsy")) == 3


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One. Two", ["One.", "Two"]),
        ("about 3.5 mg e.g. daily", ["about 3.5 mg e.g. daily"]),
        ("a\nb; c | d", ["a", "b", " c ", " d"]),
        ("", []),
    ],
)
def test_sentences(text: str, parts: list[str]) -> None:
    """Sentences end where a reader would say so."""
    assert [text[start:end] for start, end in sentences(text)] == parts

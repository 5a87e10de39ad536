"""The taxonomy's data is Fideslang's, with our flags and one key of our own."""

import subprocess
import sys

import pytest

from lawful.schemas import taxonomy
from lawful.schemas.taxonomy import (
    SpecialKind,
    categories,
    covers,
    is_personal,
    is_special,
    known_purposes,
    special_kind,
)

fideslang = pytest.importorskip("fideslang.default_taxonomy")


def test_categories_are_fideslangs() -> None:
    """Every key and name of Fideslang 3.1.4 is there, and nothing else but ours."""
    theirs = {each.fides_key: each.name for each in fideslang.DEFAULT_TAXONOMY.data_category}
    assert len(theirs) == 85
    assert {key: each.name for key, each in categories().items() if not each.ours} == theirs
    assert [key for key, each in categories().items() if each.ours] == [
        "user.lawful",
        "user.lawful.trade_union_membership",
    ]


def test_purposes_are_fideslangs() -> None:
    """Every data use is a known purpose."""
    assert dict(known_purposes()) == {each.fides_key: each.name for each in fideslang.DEFAULT_TAXONOMY.data_use}


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        ("user.health_and_medical", SpecialKind.ARTICLE_9),
        ("user.health_and_medical.genetic", SpecialKind.ARTICLE_9),
        ("user.health_and_medical.record_id", SpecialKind.ARTICLE_9),
        ("user.biometric.voice", SpecialKind.ARTICLE_9),
        ("user.authorization.biometric", SpecialKind.ARTICLE_9),
        ("user.demographic.political_opinion", SpecialKind.ARTICLE_9),
        ("user.demographic.religious_belief", SpecialKind.ARTICLE_9),
        ("user.demographic.race_ethnicity", SpecialKind.ARTICLE_9),
        ("user.demographic.sexual_orientation", SpecialKind.ARTICLE_9),
        ("user.lawful.trade_union_membership", SpecialKind.ARTICLE_9),
        ("user.criminal_history", SpecialKind.ARTICLE_10),
        ("user.childrens", SpecialKind.CHILDREN),
        ("user.demographic", None),
        ("user.authorization.password", None),
        ("user", None),
        ("user.health_and_medical_alike", None),
        ("no.such.key", None),
    ],
)
def test_special_kinds(key: str, kind: SpecialKind | None) -> None:
    """Art. 8, 9 and 10 data is flagged, with all that lies below it."""
    assert special_kind(key) is kind
    assert is_special(key) is (kind is SpecialKind.ARTICLE_9)


def test_a_name_covers_itself_and_what_is_below_it() -> None:
    """Whole words count, not letters."""
    assert covers("user.contact", "user.contact")
    assert covers("user.contact", "user.contact.email")
    assert not covers("user.contact", "user.contacts")
    assert not covers("user.contact.email", "user.contact")


def test_unknown_categories_count_as_personal() -> None:
    """Only the system's own data is not."""
    assert is_personal("user.name")
    assert is_personal("never.heard.of")
    assert not is_personal("system")
    assert not is_personal("system.operations")


def test_all_categories_by_key() -> None:
    """`CATEGORIES` is there by that name."""
    assert taxonomy.CATEGORIES["user.name"].name == "Name"
    with pytest.raises(AttributeError):
        _ = taxonomy.NO_SUCH_NAME


def test_importing_reads_nothing() -> None:
    """The light client imports this module: no YAML parser, no pydantic, no file is touched."""
    code = (
        "import sys, lawful.schemas.taxonomy as t; assert t.covers('a', 'a.b');"
        "assert not {'ruamel.yaml', 'pydantic'} & set(sys.modules); assert not t.categories.cache_info().currsize"
    )
    subprocess.run([sys.executable, "-c", code], check=True)

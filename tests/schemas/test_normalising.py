import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.schemas.event import Identifier
from lawful.schemas.normalising import SCHEMES, normalise_identifier

schemes = st.sampled_from(["email", "phone", "name", "iban", "customer_id", *SCHEMES, "Whatever"])


@pytest.mark.parametrize(
    ("scheme", "one", "other"),
    [
        ("name", "José Álvarez", "ALVAREZ, Jose"),
        ("name", "Łukasz Øster", "lukasz  oster"),
        ("name", "Dr. Ada Lovelace", "Lovelace, Ada"),
        ("name", "Siobhán O\u2019Neill", "siobhan o'neill"),
        ("name", "Jean-Luc Weiß", "weiss jean luc"),
        ("name", "Παπαδόπουλος Νίκος", "νικοσ παπαδοπουλος"),
        ("email", "ada@example.com", "Ada Lovelace <Ada@Example.com>"),
        ("email", "ada@example.com", "mailto:ada%40example.com?subject=hello"),
        ("email", "ada@example.com", "ada@example.com."),
    ],
)
def test_one_person_in_two_spellings(scheme: str, one: str, other: str) -> None:
    """What people write differently without meaning another person is one."""
    assert normalise_identifier(Identifier(scheme, one)) == normalise_identifier(Identifier(scheme, other))


@pytest.mark.parametrize(
    ("scheme", "one", "other"),
    [
        ("name", "Ada Lovelace", "Ada Byron"),
        ("name", "Ada", "Ada Lovelace"),
        ("name", "हरि", "हर"),
        ("name", "Андрій", "Андрія"),
        ("email", "ada+shop@example.com", "ada@example.com"),
        ("email", "a.da@example.com", "ada@example.com"),
    ],
)
def test_different_people_stay_apart(scheme: str, one: str, other: str) -> None:
    """What may be somebody else is somebody else."""
    assert normalise_identifier(Identifier(scheme, one)) != normalise_identifier(Identifier(scheme, other))


@pytest.mark.parametrize(("word", "scheme"), SCHEMES.items())
def test_other_words_for_a_scheme_are_that_scheme(word: str, scheme: str) -> None:
    """A field called `tel` holds a phone number, whoever calls it that."""
    assert normalise_identifier(Identifier(word.upper(), "Ada 1")) == normalise_identifier(Identifier(scheme, "ada 1"))


def test_a_title_alone_is_a_name() -> None:
    """Somebody may be called Sir."""
    assert normalise_identifier(Identifier("name", "Sir")).value == "sir"


@given(schemes, st.text(max_size=40))
def test_normalising_is_idempotent(scheme: str, value: str) -> None:
    """A normal form is its own normal form, so it does not matter who normalised before."""
    once = normalise_identifier(Identifier(scheme, value))
    assert normalise_identifier(once) == once

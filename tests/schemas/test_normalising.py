import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.schemas.event import Identifier
from lawful.schemas.normalising import SCHEMES, normalise_identifier, scheme

schemes = st.sampled_from(
    ["email", "phone", "name", "iban", "customer_id", "E Mail", "userEmail", *SCHEMES, "Whatever"]
)


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
        ("email", "ada@example.com", "ada@example.com;"),
        ("email", "ada@example.com", "'ada@example.com',"),
        ("email", "ada@example.com", "(ada@example.com)"),
        ("email", "ada@example.com", "\u201cAda@example.com\u201d"),
        ("email", "ada@example.com", "<mailto:ada@example.com>"),
        ("email", "ada@example.com", "ada%40example.com"),
        ("email", "ada@example.com", '"Ada" <ada@example.com>, x'),
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
        ("email", "'ada@example.com", "ada@example.com"),
        ("email", "ada%x@example.com", "adax@example.com"),
    ],
)
def test_different_people_stay_apart(scheme: str, one: str, other: str) -> None:
    """What may be somebody else is somebody else."""
    assert normalise_identifier(Identifier(scheme, one)) != normalise_identifier(Identifier(scheme, other))


@pytest.mark.parametrize(("word", "scheme"), SCHEMES.items())
def test_other_words_for_a_scheme_are_that_scheme(word: str, scheme: str) -> None:
    """A field called `tel` holds a phone number, whoever calls it that."""
    assert normalise_identifier(Identifier(word.upper(), "Ada 1")) == normalise_identifier(Identifier(scheme, "ada 1"))


@pytest.mark.parametrize(
    ("written", "known"),
    [
        ("E Mail", "email"),
        ("EmAiL", "email"),
        ("e-mail-address", "email"),
        ("user_email", "email"),
        ("workEmailAddress", "email"),
        ("phoneNumber", "phone"),
        ("home-phone", "phone"),
        ("customerId", "customer_id"),
        ("CustomerID", "customer_id"),
        ("customerid", "customer_id"),
        ("customer-id", "customer_id"),
        ("creditCard", "card"),
        ("Email\u200b", "email"),
    ],
)
def test_a_schemes_spellings_are_one(written: str, known: str) -> None:
    """Camel case, spaces, hyphens, and what an address is used for, make no other person."""
    assert scheme(written) == known


@pytest.mark.parametrize(
    "name", ["customer_id", "loyalty_number", "crm.id", "_id", "headphone", "voicemail", "email_verified", "pseudonym"]
)
def test_a_scheme_in_normal_form_stays(name: str) -> None:
    """What is remembered under it is found again."""
    assert scheme(name) == name


@given(st.from_regex(r"[a-z0-9.+_'!#$%&*/=?^{|}~\-]{1,20}@[a-z0-9][a-z0-9.\-]{0,20}[a-z0-9]", fullmatch=True))
def test_an_address_stays_what_it_is(address: str) -> None:
    """Whatever may stand in front of the at sign tells mailboxes apart."""
    assert normalise_identifier(Identifier("email", address)).value == address


def test_what_is_no_address_stays_apart() -> None:
    """Nothing but signs is not everybody's empty address."""
    assert len({normalise_identifier(Identifier("email", value)).value for value in ("'", "<>", ";", '"')}) == 4


def test_a_title_alone_is_a_name() -> None:
    """Somebody may be called Sir."""
    assert normalise_identifier(Identifier("name", "Sir")).value == "sir"


@given(schemes, st.text(max_size=40) | st.text("ab.@<>'\"%40 :;,()", max_size=20).map("mailto:".__add__))
def test_normalising_is_idempotent(scheme: str, value: str) -> None:
    """A normal form is its own normal form, so it does not matter who normalised before."""
    once = normalise_identifier(Identifier(scheme, value))
    assert normalise_identifier(once) == once

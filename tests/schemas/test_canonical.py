import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lawful.schemas.canonical import canonical
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.event import Identifier
from lawful.schemas.normalising import normalise_identifier

DUTCH, ANYWHERE = canonical("nl"), canonical()


@pytest.mark.parametrize(
    ("scheme", "one", "other"),
    [
        ("phone", "+31612345678", "06-1234 5678"),
        ("phone", "+31612345678", "0031 6 12345678"),
        ("phone", "+31612345678", "tel:+31-6-1234-5678"),
        ("phone", "+491711234567", "+49 (0)171 1234567"),
        ("phone", "+18003569377", "+1 800 FLOWERS"),
        ("phone", "+12125550100;ext=5", "+1 (212) 555-0100 ext. 5"),
        ("email", "ada@xn--bcher-kva.de", "ADA@BÜCHER.de"),
        ("email", "ada@bücher.de", "Ada <ada@BU\u0308CHER.DE.>"),
        ("email", "ada@xn--fa-hia.de", "ada@faß.de"),
        ("name", "José Álvarez", "alvarez jose"),
    ],
)
def test_one_person_in_two_spellings(scheme: str, one: str, other: str) -> None:
    """A number as dialled at home and abroad, a domain in Unicode and in Punycode, are one."""
    assert DUTCH(Identifier(scheme, one)) == DUTCH(Identifier(scheme, other))


@pytest.mark.parametrize(
    ("scheme", "one", "other"),
    [
        ("phone", "+31612345678", "+31612345679"),
        ("phone", "+12125550100", "+1 212 555 0100 ext 5"),
        ("phone", "112", "+31112"),
        ("email", "ada@bücher.de", "ada@bucher.de"),
    ],
)
def test_different_people_stay_apart(scheme: str, one: str, other: str) -> None:
    """Another digit, extension or letter may be somebody else."""
    assert DUTCH(Identifier(scheme, one)) != DUTCH(Identifier(scheme, other))


def test_without_a_region_only_a_countrys_code_makes_a_number_the_worlds() -> None:
    """Nobody guesses where `06` is dialled."""
    assert ANYWHERE(Identifier("phone", "06-12345678")).value == "0612345678"
    assert ANYWHERE(Identifier("phone", "00 31 (6) 12345678")).value == "+31612345678"


@pytest.mark.parametrize(
    ("scheme", "value"),
    [
        ("email", "ada@a_b.example"),
        ("email", "ada@"),
        ("email", "ada@xn--.de"),
        ("phone", "none"),
        ("phone", "+999"),
    ],
)
def test_what_is_no_address_or_number_keeps_the_simple_form(scheme: str, value: str) -> None:
    """Agents put anything anywhere; equal things stay equal all the same."""
    assert DUTCH(Identifier(scheme, value)) == normalise_identifier(Identifier(scheme, value))


def test_an_unknown_region_is_named() -> None:
    """A typo would otherwise make everybody known by a short number somebody else."""
    with pytest.raises(ConfigurationError, match="'XX' is no region"):
        canonical("XX")


@example("phone", "0000000")
@example("phone", "0100'0")
@given(
    st.sampled_from(["email", "phone", "name", "iban", "customer_id"]),
    st.text(max_size=30) | st.from_regex(r"[+0]?[0-9 ()\-]{5,18}( ext\. ?[0-9]{1,3})?", fullmatch=True),
)
def test_normalising_is_idempotent(scheme: str, value: str) -> None:
    """A normal form is its own normal form."""
    once = DUTCH(Identifier(scheme, value))
    assert DUTCH(once) == once

"""Where somebody lives."""

import pytest

from lawful.extractors.places import Places, is_home, kind_of
from tests.extractors.support import found

STREET = "user.contact.address.street"
CODE = "user.contact.address.postal_code"
WHOLE = "user.contact.address"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I live at 123 Elm Street.", [("123 Elm Street", STREET)]),
        ("ship to 445 Maple Drive, Suite 394 please", [("445 Maple Drive, Suite 394", STREET)]),
        ("1234 Elm St, Springfield, IL, 62701", [("1234 Elm St, Springfield, IL, 62701", WHOLE)]),
        ("at Hauptstraße 12 in", [("Hauptstraße 12", STREET)]),
        ("via 12 rue de Rivoli, 4", [("12 rue de Rivoli, 4", STREET)]),
        ("P.O. Box 123", [("P.O. Box 123", STREET)]),
        ("my zip code is 19122", [("19122", CODE)]),
        ("in Denver CO 80239", [("80239", CODE)]),
        ("postcode: SW1A 1AA", [("SW1A 1AA", CODE)]),
        ("order 19122", []),
        ("flight HAT271 on 2024-05-26", []),
        ("5 Easy Payments", []),
        ("$100 Gift card on the Way", []),
        ("walk 3 miles down the street", []),
        ("10 Year Warranty", []),
        ("Chapter 4 Verse", []),
    ],
)
def test_addresses(text: str, expected: list[tuple[str, str]]) -> None:
    """Streets with a number, with what belongs to them, and postal codes that say so."""
    assert found(Places(), text) == expected


@pytest.mark.parametrize(
    ("text", "home"),
    [
        ("I live in Denver", True),
        ("we moved to Denver", True),
        ("I'm from Denver", True),
        ("a flight to Denver", False),
        ("I live here. Ship it from Denver", False),
    ],
)
def test_a_town_is_a_home_beside_the_right_words(text: str, home: bool) -> None:  # noqa: FBT001 - a table's column
    """A destination is nobody's address."""
    assert is_home(text, text.index("Denver")) is home


@pytest.mark.parametrize(
    ("place", "part"), [("Denver", "city"), ("WA", "state"), ("Texas", "state"), ("USA", "country")]
)
def test_places_have_a_kind(place: str, part: str) -> None:
    """States and countries are told from towns."""
    assert kind_of(place) == f"user.contact.address.{part}"

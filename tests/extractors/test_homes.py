"""Streets and towns in four languages."""

import pytest

from lawful.extractors.homes import Homes
from tests.extractors.support import found

STREET, CITY, CODE = (f"user.contact.address.{part}" for part in ("street", "city", "postal_code"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "j'habite 12 rue de la République, 69001 Lyon",
            [("12 rue de la République", STREET), ("69001", CODE), ("Lyon", CITY)],
        ),
        ("au 4bis, avenue Victor Hugo", [("4bis, avenue Victor Hugo", STREET)]),
        ("vivo en calle del Carmen, 5", [("calle del Carmen, 5", STREET)]),
        ("ich wohne in der Goethestraße 7 in Augsburg", [("Goethestraße 7", STREET), ("Augsburg", CITY)]),
        ("Anschrift: Am Markt 3, 18055 Rostock", [("Am Markt 3", STREET), ("18055", CODE), ("Rostock", CITY)]),
        ("Am Montag 12 Uhr", []),
        ("wir wohnen in Kiel", [("Kiel", CITY)]),
        ("j'habite à Le Mans depuis", [("Le Mans", CITY)]),
        ("we live in Denver now", [("Denver", CITY)]),
        ("she lives at 23684 Weblinger Gürtel 92", [("23684 Weblinger Gürtel 92", "user.contact.address")]),
        ("please return it to PSC 4618, Box 1769", [("PSC 4618, Box 1769", STREET)]),
        ("12 Elm Street, Suite 807", [("12 Elm Street, Suite 807", "user.contact.address"), ("Suite 807", STREET)]),
        (
            "ship to 12 Main Street,\n Springfield\nTotal 7\nPaid",
            [("12 Main Street,\n Springfield", "user.contact.address")],
        ),
        ("my zip code is 1472", [("1472", CODE)]),
        ("postcode: SW1A 1AA", [("SW1A 1AA", CODE)]),
        (
            "bill it to 7396 Piazza Rezzonico 35\n Suite 817\n Vogelsang\n Switzerland 12345 please",
            [
                ("7396 Piazza Rezzonico 35\n Suite 817\n Vogelsang\n Switzerland 12345", "user.contact.address"),
                ("Suite 817", STREET),
            ],
        ),
        ("the zip code is unknown, the plz is 5 % off", []),
        ("the meeting is at 10 on Monday", []),
        ("the server is at Version 12", []),
        ("a suite of 807 tests", []),
        ("un train pour Lyon", []),
        ("ein Flug nach Kiel", []),
        ("rue de la paix", []),
        ("la calle Mayor", []),
    ],
)
def test_where_people_live(text: str, expected: list[tuple[str, str]]) -> None:
    """A street with its number, what stands behind it, and a town behind a word for home."""
    assert found(Homes(), text) == expected

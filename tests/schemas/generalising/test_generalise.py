"""Coarser dates, ages, amounts, places and networks."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawful.schemas.generalising import HOW, generalise, generalise_number, natural, parse_how


@pytest.mark.parametrize(
    ("how", "text", "expected"),
    [
        ("year", "1985-03-15", "1985"),
        ("year", "15.03.1985", "1985"),
        ("year", "03/04/1985", "1985"),
        ("year", "March 15, 1985", "1985"),
        ("year", "15th of March 1985", "1985"),
        ("year", "15 de marzo de 1985", "1985"),
        ("year", "15. März 1985", "1985"),
        ("year", "19850315", "1985"),
        ("year", "1985-03-15T10:30:00Z", "1985"),
        ("year", "1985", "1985"),
        ("year", "1980s", "1980s"),
        ("month", "1985-03-15", "1985-03"),
        ("month", "1985/3/5", "1985-03"),
        ("month", "25/03/1985", "1985-03"),
        ("month", "03/25/1985", "1985-03"),
        ("month", "05.03.1985", "1985-03"),
        ("month", "5 mars 1985", "mars 1985"),
        ("month", "Mar. 5, 1985", "Mar 1985"),
        ("month", "March 1985", "March 1985"),
        ("month", "04/03/1985", "1985"),  # which is the month?
        ("month", "1985", "1985"),
        ("decade", "15 March 1985", "1980s"),
        ("band", "34", "30-39"),
        ("band", "34 years old", "30-39 years old"),
        ("band", "17", "under 18"),
        ("band", "18", "18-19"),
        ("band", "89", "80-89"),
        ("band", "90", "90+"),
        ("band", "under 18", "under 18"),
        ("band 5", "34", "30-34"),
        ("band 5", "18", "18-19"),
        ("amount", "$1,234.56", "$1000-5000"),
        ("amount", "1.234,56 €", "1000-5000 €"),
        ("amount", "EUR 52 000", "EUR 50000-100000"),
        ("amount", "150k", "100000-500000"),
        ("amount", "$1.5 million", "$1000000-5000000"),
        ("amount", "9.99", "0-10"),
        ("amount", "10", "10-50"),
        ("amount", "$1000-5000", "$1000-5000"),
        ("region", "12 Main Street, Springfield, IL 62704", "IL"),
        ("region", "12 Main Street, Springfield, Illinois", "Illinois"),
        ("region", "Hauptstr. 5, 10115 Berlin", "10***"),
        ("region", "Hauptstr. 5, D-10115 Berlin, Germany", "Germany"),
        ("region", "10 Downing Street, London SW1A 2AA", "SW"),
        ("region", "Keizersgracht 1, 1015 CJ Amsterdam", "10**"),
        ("region", "62704", "62***"),
        ("region", "62704-1234", "62***"),
        ("region", "K1A 0B1", "K"),
        ("region", "France", "France"),
        ("region", "62***", "62***"),
        ("coarse", "52.5200, 13.4050", "52.5, 13.4"),
        ("coarse 0", "52.52", "53.0"),
        ("coarse 2", "lat -33.86882", "lat -33.87"),
        ("network", "203.0.113.77", "203.0.113.0/24"),
        ("network", "2001:db8:1:2::3", "2001:db8:1::/48"),
        ("network", "10.0.0.0/8", "10.0.0.0/8"),
    ],
)
def test_what_stays_of_a_text(how: str, text: str, expected: str) -> None:
    """Each way keeps what it says, in the text's own form."""
    assert generalise(text, how) == expected


@pytest.mark.parametrize(
    ("how", "text"),
    [
        ("year", "next Tuesday"),
        ("year", "15/03/85"),
        ("year", "1985-13-40"),
        ("year", "40.40.1985"),
        ("year", "call 0041 1985"),
        ("month", ""),
        ("band", "thirty-four"),
        ("band", "34 of 40"),
        ("band", "131"),
        ("band", "33-35"),
        ("band", "1985"),
        ("amount", "4111 1111 1111 1111"),
        ("amount", "1,5,7"),
        ("amount", "some"),
        ("amount", "1000-4000"),
        ("region", "12 Main Street"),
        ("region", "12345 Main Street, Springfield"),
        ("region", "Berlin"),
        ("coarse", "Berlin"),
        ("coarse", "52.5200 at number 7"),
        ("coarse", "999.5"),
        ("network", "example.com"),
        ("network", "1.2.3"),
        ("quarter", "1985-03-15"),
        ("band 99", "34"),
        ("year 2", "1985-03-15"),
    ],
)
def test_what_is_not_understood_has_no_answer(how: str, text: str) -> None:
    """Whoever asked replaces it whole: nothing passes for want of a reading."""
    assert generalise(text, how) is None


@pytest.mark.parametrize(
    ("how", "text", "expected"),
    [
        ("year", "1985-03-15", "1985-01-01"),
        ("month", "1985-03-15", "1985-03-01"),
        ("decade", "1985-03-15", "1980-01-01"),
        ("year", "1985-03-15T10:30:00Z", "1985-01-01T00:00:00Z"),
        ("year", "1980s", None),
        ("band", "34", "30-39"),
    ],
)
def test_a_date_can_keep_its_form(how: str, text: str, expected: str | None) -> None:
    """Where a schema asks for a date, the first day of the period stands for it."""
    assert generalise(text, how, typed=True) == expected


@pytest.mark.parametrize(
    ("how", "value", "expected"),
    [
        ("year", 1985, 1985),
        ("decade", 1985, 1980),
        ("year", 19850315, 19850101),
        ("year", 85, None),
        ("year", 1985.5, None),
        ("band", 34, 30),
        ("band", 12, 0),
        ("band", 97, 90),
        ("band 5", 34, 30),
        ("band", 34.5, None),
        ("band", 200, None),
        ("amount", 52_345, 50_000),
        ("amount", 52_345.67, 50_000.0),
        ("amount", -1_234, -1_000),
        ("amount", 0, 0),
        ("amount", 10**13, None),
        ("coarse", 52.52003, 52.5),
        ("coarse", 52, 52),
        ("coarse", 1_000.5, None),
        ("region", 62704, None),
        ("network", 7, None),
        ("quarter", 7, None),
    ],
)
def test_what_stays_of_a_number(how: str, value: float, expected: float | None) -> None:
    """The lower end of a band, of the same type: a schema that holds for the one holds for the other."""
    found = generalise_number(value, how)
    assert found == expected
    assert expected is None or type(found) is type(value)


@pytest.mark.parametrize(
    ("category", "how"),
    [
        ("user.demographic.date_of_birth", "year"),
        ("user.contact.address.street", "region"),
        ("user.location.precise", "coarse"),
        ("user.financial", "amount"),
        ("user.financial.credit_card", ""),
        ("user.contact.email", ""),
    ],
)
def test_how_a_category_is_generalised_if_nobody_says(category: str, how: str) -> None:
    """The nearest name has its way; what has no coarser form has none."""
    assert natural(category) == how


def test_ways_are_read() -> None:
    """A way and its number, or an error."""
    assert (parse_how("band"), parse_how("band 5"), parse_how("year")) == (("band", 10), ("band", 5), ("year", 0))
    for wrong in ("", "band x", "band 1", "year 3", "weeks"):
        with pytest.raises(ValueError, match=wrong or "^$"):
            parse_how(wrong)


values = st.one_of(
    st.dates().map(str),
    st.dates().map(lambda day: day.strftime("%d.%m.%Y")),
    st.dates().map(lambda day: day.strftime("%B %d, %Y")),
    st.integers(0, 140).map(str),
    st.decimals(0, 10**9, places=2).map(lambda amount: f"€{amount:,}"),
    st.ip_addresses().map(str),
    st.tuples(st.floats(-90, 90), st.floats(-180, 180)).map(lambda at: f"{at[0]:.6f}, {at[1]:.6f}"),
    st.from_regex(r"[0-9]{1,3} [A-Z][a-z]{3,8} Street, [A-Z][a-z]{3,8}, (IL|TX) [0-9]{5}", fullmatch=True),
    st.text(max_size=20),
)


@settings(deadline=None)
@given(how=st.sampled_from(HOW), text=values, typed=st.booleans())
def test_generalising_is_idempotent(how: str, text: str, *, typed: bool) -> None:
    """What has been generalised stays as it is."""
    once = generalise(text, how, typed=typed)
    assert once is None or generalise(once, how, typed=typed) == once


@given(st.sampled_from(HOW), st.integers() | st.floats(allow_nan=False, allow_infinity=False))
def test_generalising_numbers_is_idempotent(how: str, value: float) -> None:
    """Likewise, and the type stays."""
    once = generalise_number(value, how)
    assert once is None or (generalise_number(once, how) == once and type(once) is type(value))


@given(st.integers(0, 130), st.integers(0, 130))
def test_bands_keep_order_and_majority(one: int, other: int) -> None:
    """A younger person is in no older band, and a minor in none with adults."""
    low, high = sorted((one, other))
    bands = [float(generalise_number(age, "band") or 0) for age in (low, high)]
    assert bands == sorted(bands)
    assert (bands[0] == bands[1]) <= ((low < 18) == (high < 18))

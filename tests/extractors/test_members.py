"""What is a member's name, and what may be somebody."""

import pytest

from lawful.extractors.members import is_member_name


@pytest.mark.parametrize(
    "key",
    [
        "email",
        "shipping_address",
        "lineItems",
        "OrderNumber",
        "x-request-id",
        "customer.address1",
        "@type",
        "_id",
        "Customer E-Mail Address",
        "Pr\u00e9nom",
        "Stra\u00dfe",
        "mark_read",
        "7",
        "2024",
        "q1_2024",
        "USD",
        "0190b0c0-0000-7000-8000-000000000000",
        "2024-05-01T10:00:00Z",
    ],
)
def test_names_of_members_may_stand_in_a_path(key: str) -> None:
    """As schemas write them, or made of the words that field names are made of."""
    assert is_member_name(key)


@pytest.mark.parametrize(
    "key",
    [
        "Mueller, Hans-Peter",
        "hans mueller",
        "hans_mueller",
        "hans.mueller",
        "krogh-hans",
        "HansMueller",
        "hans2",
        "Mueller",
        "KROGH",
        "P. Krogh",
        "O'Brien",
        "Hans/Mueller",
        "M\u00fcller",
        "\u0141ukasz \u017bak",
        "\u738b\u5c0f\u660e",
        "Krogh-Elm 7",
        "12 Elm Street",
        "is HIV positive",
        "diabetes_hans",
        "jane.doe_at_example.com",
        "ada@intranet",
        "0612345678",
        "A1234567",
        "K-1815",
        "order_W1234567",
        "AB 123 C",
        "",
        "the patient is positive and lives in Delft",
        "x" * 65,
    ],
)
def test_what_may_be_somebody_may_not(key: str) -> None:
    """Nor what somebody is known by: no recogniser knows every number and every sentence."""
    assert not is_member_name(key)

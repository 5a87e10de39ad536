import re

import pytest

from lawful.schemas.envelope import MAX_LENGTH, holds_identifier


@pytest.mark.parametrize(
    "text",
    [
        "ada@example.com",
        "chat:ada.lovelace%40example.com",
        "wa-+44 20 7946 0958",
        "tel:(020) 7946-0958",
        "ssn-123-45-6789",
        "4111.1111.1111.1111",
        "urn:user:441234567890",
        "2024-05-06_0612345678",
        "2024-05-06 1234 5678 90",
        "ada\uff20example.com",
        "\uff10612345678",
        "06123\u200b45678",
        "x" * (MAX_LENGTH + 1),
    ],
)
def test_what_may_be_a_person_is_noticed(text: str) -> None:
    """Addresses, phone, card and social-security numbers, and whatever is too long to tell."""
    assert holds_identifier(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "shop-bot",
        "urn:lawful:agent",
        "https://agents.example.com:8443/v2",
        "01890123-4567-7890-8123-456789012345",
        "session-01890123-4567-7890-8123-456789012345/7",
        "run 2024-11-29T12:30:59.123Z",
        "run-2024-11-29_1230-7",
        "2024-11-29T12:30:59+01:00",
        "0af7651916cd43dd8448eb211c80319c",
        "v1.2.3",
        "task 12345678",
        "eu-central-1",
    ],
)
def test_ordinary_ids_are_not(text: str) -> None:
    """Names, URIs, UUIDs, times, hex digests, versions and short numbers stay readable."""
    assert not holds_identifier(text)


def test_what_the_event_names_is_noticed_in_any_case() -> None:
    """A name says nothing by itself; that it is a subject's identifier does."""
    assert not holds_identifier("chat-with-Ada")
    assert holds_identifier("chat-with-Ada", known=["ADA"])
    assert holds_identifier("chat-with-\uff21da", known=["ADA"])
    assert holds_identifier("chat-with-Ada", known=["A\u200bda"])
    assert not holds_identifier("chat", known=["", " ", "\u200b"])


def test_patterns_of_the_policy_count() -> None:
    """A company's own customer numbers are identifiers too."""
    assert holds_identifier("chat-K12", patterns=[re.compile(r"K\d\d")])

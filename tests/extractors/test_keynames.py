"""Field names in one spelling."""

import pytest

from lawful.extractors.keynames import normalise_key


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("customerEmail", "customer_email"),
        ("customer-email", "customer_email"),
        ("Customer Email", "customer_email"),
        ("CUSTOMER_EMAIL", "customer_email"),
        ("customerID", "customer_id"),
        ("HTTPProxyHost", "http_proxy_host"),
        ("address1", "address1"),
        ("__x__", "x"),
        ("Stra\u00dfe", "strasse"),
        ("pr\u00e9nom", "prenom"),
        ("\uff33al\u200b\u0430ry", "salary"),
        ("", ""),
        ("e" * 500, "e" * 80),
    ],
)
def test_spellings_become_one(key: str, expected: str) -> None:
    """Camel, kebab, snake, spaces, capitals and what looks the same are one name."""
    assert normalise_key(key) == expected

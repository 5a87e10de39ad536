import pickle
from pathlib import Path
from typing import Any

import pytest

from lawful.infra.settings_load import load_settings
from lawful.schemas import pseudonym
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.event import Identifier
from lawful.schemas.pseudonym import PSEUDONYM, Pseudonymiser, normalise_identifier

PEOPLE = Pseudonymiser(master=b"sixteen bytes or more")


@pytest.mark.parametrize(
    ("scheme", "one", "other"),
    [
        ("email", "ada@example.com", " ADA@Example.com "),
        ("email", "ada@example.com", "mailto:ada@example.com"),
        ("email", "ada@example.com", "\uff41da@example.com"),
        ("email", "ada@example.com", "ada\u200b@exam\u00adple.com\ufeff"),
        ("email", "jos\u00e9@example.com", "jose\u0301@example.com"),
        ("phone", "+31612345678", "(+31) 6 1234-5678"),
        ("phone", "+31612345678", "tel:0031 6 12345678"),
        ("phone", "+31612345678", "\uff0b31612345678"),
        ("phone", "+31612345678", "+\u0663\u0661\u0666\u0661\u0662\u0663\u0664\u0665\u0666\u0667\u0668"),
        ("iban", "DE89370400440532013000", "de89 3704 0044 0532 0130 00"),
        ("ssn", "536-90-4399", "536904399"),
        ("customer_id", "C-1815", "c-1815\u200d"),
    ],
)
def test_one_identifier_in_two_spellings_is_one_person(scheme: str, one: str, other: str) -> None:
    """An erasure under one spelling holds under every other that looks the same."""
    assert PEOPLE.of("acme", Identifier(scheme, one)) == PEOPLE.of("acme", Identifier(scheme.upper(), other))


@pytest.mark.parametrize(
    ("scheme", "one", "other"),
    [
        ("email", "ada@example.com", "bob@example.com"),
        ("phone", "+31612345678", "0612345678"),
        ("customer_id", "C-1815", "C1815"),
        ("iban", "DE89370400440532013000", "DE89370400440532013001"),
    ],
)
def test_different_identifiers_stay_apart(scheme: str, one: str, other: str) -> None:
    """What differs in what can be seen may be another person."""
    assert PEOPLE.of("acme", Identifier(scheme, one)) != PEOPLE.of("acme", Identifier(scheme, other))


@pytest.mark.parametrize("value", ["", "  ", "\u200b", "none", "+"])
def test_a_phone_number_without_digits_breaks_nothing(value: str) -> None:
    """Agents put anything anywhere."""
    assert normalise_identifier(Identifier("phone", value)).scheme == "phone"


def test_tenants_do_not_share_pseudonyms() -> None:
    """The same identifier points to another person in another tenant."""
    ada = Identifier("email", "ada@example.com")
    assert PEOPLE.of("acme", ada) != PEOPLE.of("other", ada)


def test_a_tenant_without_a_key_has_no_pseudonyms() -> None:
    """A bare hash could be guessed, so there is none to fall back to."""
    with pytest.raises(ConfigurationError):
        Pseudonymiser().of("acme", Identifier("email", "ada@example.com"))


def test_a_pseudonym_names_whom_it_stands_for() -> None:
    """Data can be passed on about somebody whose identifier the sender does not know; a made-up one is a name."""
    people = Pseudonymiser(master=b"sixteen bytes or more")
    ada = people.of("acme", Identifier("email", "ada@example.com"))
    assert people.of("acme", Identifier(PSEUDONYM, ada)) == ada
    assert people.of("acme", Identifier(PSEUDONYM, "ada")) not in {"ada", ada}
    assert people.of("acme", Identifier("email", ada)) != ada


def test_guards_read_a_key_file_as_workers_do(tmp_path: Path) -> None:
    """The newline that ends a key file is no part of the key on either side."""
    file = tmp_path / "pseudonym.key"
    file.write_bytes(b"0123456789abcdef0123456789abcdef\r\n")
    workers = load_settings({"LAWFUL_PSEUDONYM_KEY_FILE": str(file)}).pseudonymiser()
    ada = Identifier("email", "ada@example.com")
    assert Pseudonymiser.from_file(file).of("acme", ada) == workers.of("acme", ada)
    assert Pseudonymiser.from_file(str(file)).of("acme", ada) == workers.of("acme", ada)


def test_a_key_file_that_is_absent_or_short_is_told(tmp_path: Path) -> None:
    """An agent that starts without its key says which file, never what is in it."""
    with pytest.raises(ConfigurationError, match=r"the pseudonym key: cannot read .*absent"):
        Pseudonymiser.from_file(tmp_path / "absent")
    (tmp_path / "short").write_bytes(b"fifteen bytes..\n")
    with pytest.raises(ConfigurationError, match="shorter than 16 bytes") as caught:
        Pseudonymiser.from_file(tmp_path / "short")
    assert "fifteen" not in str(caught.value)


@pytest.mark.parametrize("key", ["a text of more than sixteen", b"", b"short", 7])
@pytest.mark.parametrize("of", ["master", "tenant"])
def test_what_is_no_key_is_told_at_once(key: Any, of: str) -> None:
    """Else the first event would fail, and with it every one after it."""
    with pytest.raises(ConfigurationError, match=r"pseudonym key of tenant .* (not bytes|shorter)") as caught:
        Pseudonymiser(master=key) if of == "master" else Pseudonymiser({"acme": key})
    assert "more than sixteen" not in str(caught.value)


def test_tenants_without_number_take_no_memory_without_bound() -> None:
    """A tenant's id is a sender's word: derived keys are at hand for so many, and the same when made anew."""
    people, who = Pseudonymiser(master=b"sixteen bytes or more"), Identifier("email", "ada@example.com")
    first = people.of("tenant-0", who)
    assert len({people.of(f"tenant-{n}", who) for n in range(5_000)}) == 5_000
    assert people.of("tenant-0", who) == first
    assert len(pickle.dumps(people)) < 1_000
    assert pseudonym._derived.cache_info().currsize <= 4_096

"""Names of inboxes: nobody's name in them, and no two recipients in one."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.schemas.event import Recipient, RecipientKind
from lawful.schemas.inboxes import inbox_of
from lawful.schemas.pseudonym import Pseudonymiser
from lawful.schemas.topics import Topics

PEOPLE = Pseudonymiser(master=b"sixteen bytes or more")
TOPICS = Topics("shop")
AGENT = RecipientKind.AGENT


def name(recipient_id: str, kind: RecipientKind = AGENT, tenant: str = "acme") -> str:
    """The inbox of a recipient."""
    return inbox_of(TOPICS, PEOPLE, tenant, Recipient(kind, recipient_id))


def test_plain_words_stay_readable() -> None:
    """An operator can tell whose inbox it is, and give a right to all of a tenant's at once."""
    assert name("doctor-2") == "shop.inbox.acme.agent.doctor-2"
    assert name("crm", RecipientKind.THIRD_PARTY).startswith("shop.inbox.acme.third-party.x--")


@pytest.mark.parametrize("given_name", ["my_bot", "My-Bot", "my.bot", "a--b", "", "x" * 200, "..", "ärztin"])
def test_what_is_no_plain_word_gets_a_digest(given_name: str) -> None:
    """Such a name keeps what is plain of it, and cannot be mistaken for another one."""
    assert re.fullmatch(r"shop\.inbox\.acme\.agent\.[a-z0-9-]+--[0-9a-f]{24}", name(given_name))


@pytest.mark.parametrize("kind", [RecipientKind.USER, RecipientKind.THIRD_PARTY, AGENT])
def test_nobody_stands_in_the_name(kind: RecipientKind) -> None:
    """An address as a recipient's id becomes a digest, whatever kind it is."""
    assert "ada" not in name("ada@example.com", kind)
    assert "4930" not in name("+49 30 1234567", kind)


_IDS = st.text(st.sampled_from("ab-_.A"), max_size=6)


@given(_IDS, _IDS, _IDS, _IDS)
def test_two_recipients_never_share_an_inbox(one: str, two: str, tenant: str, other: str) -> None:
    """Neither by a tenant's name that looks like a part of an id, nor where a broker takes `.` and `_` for one."""
    first, second = name(one, tenant=tenant), name(two, tenant=other)
    assert (first.replace(".", "_") == second.replace(".", "_")) == ((one, tenant) == (two, other))
    assert re.fullmatch(r"[a-zA-Z0-9._-]{1,249}", first)

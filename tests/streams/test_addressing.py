"""People on the envelope: whoever is erased is not written to in somebody else's session."""

from dataclasses import replace

import pytest

from lawful.policies.model import Extraction as ExtractionRules
from lawful.policies.model import IdentifierRule
from lawful.schemas.event import AssistantMessage, Identifier, Recipient, RecipientKind, ToolCall, UserMessage
from lawful.schemas.verdict import Decision
from lawful.streams.addressing import addressed
from tests.streams.kit import ADA, ADA_ID, BOB, KERNEL, POLICY, Log, OnePolicy, make_event, reasons

RULES = ExtractionRules(identifiers=(IdentifierRule("customer_id", "user.unique_id", r"C-\d{4}"),))
WITH_IDS = replace(POLICY, extraction=RULES, digest="a" * 64)
HELLO = AssistantMessage("your parcel is on its way")


def to(name: str, kind: RecipientKind = RecipientKind.USER) -> Recipient:
    """A recipient."""
    return Recipient(kind, name)


@pytest.mark.parametrize("kind", [RecipientKind.USER, RecipientKind.THIRD_PARTY, RecipientKind.AGENT])
@pytest.mark.parametrize("name", ["ada@example.com", "mailto:ADA%40example.com", "user/ada\u200b@example.com"])
def test_nobody_writes_to_an_erased_person_in_anothers_session(kind: RecipientKind, name: str) -> None:
    """P4 asks the recipient's history too."""
    log = Log()
    log.say("hi", ADA)
    assert log.add(HELLO, BOB, recipient=to(name, kind)).decision is Decision.FORWARD
    log.erase(ADA)
    verdict = log.add(HELLO, BOB, recipient=to(name, kind))
    assert (verdict.decision, reasons(verdict)) == (Decision.BLOCK, {"subject_erased"})


def test_a_call_id_names_people_too() -> None:
    """It is a string like any other, and comes back with the result."""
    log = Log()
    log.say("hi", ADA)
    log.erase(ADA)
    assert reasons(log.add(ToolCall("find_order", "ada@example.com", "{}"), BOB)) == {"subject_erased"}


def test_the_policys_own_identifiers_are_recipients() -> None:
    """A customer number of someone who is erased, in any case."""
    log = Log(replace(KERNEL, policies=OnePolicy(WITH_IDS)))
    log.say("hi", ADA_ID)
    log.erase(ADA_ID)
    for name in ("C-1815", "c-1815"):
        assert reasons(log.add(HELLO, BOB, recipient=to(name))) == {"subject_erased"}


def test_the_principal_is_not_mentioned_again() -> None:
    """A message to whom the session is about stays one view."""
    log = Log()
    verdict = log.add(HELLO, ADA, recipient=to("Ada@Example.com"))
    assert (verdict.decision, len(verdict.decided_on)) == (Decision.FORWARD, 1)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("+49 170 1234567", [Identifier("phone", "+49 170 1234567")]),
        ("tel:0049-170-1234567", [Identifier("phone", "0049-170-1234567")]),
        ("shop-agent", []),
        ("4917012345678", []),
        ("0190a000-0000-7000-8000-000000000001", []),
        ("agent@2", []),
        ("a" * 100_000, []),
    ],
)
def test_what_looks_like_a_person(name: str, found: list[Identifier]) -> None:
    """Addresses and international numbers; ids of other things are no people."""
    assert list(addressed(make_event(UserMessage("x"), ADA, recipient=to(name)), POLICY)) == found


def test_a_tools_name_is_nobody() -> None:
    """Only people and agents are written to."""
    assert addressed(make_event(HELLO, ADA, recipient=to("bob@example.com", RecipientKind.TOOL)), POLICY) == ()

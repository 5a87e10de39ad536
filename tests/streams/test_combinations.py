"""Combinations from an event to its verdict: named where the recipient is known, added up in the subject's row."""

from dataclasses import replace

import pytest

from lawful.policies.channels.model import Channels, Who
from lawful.policies.combinations.model import Combination
from lawful.policies.model import LegalBasis, PurposeRule
from lawful.schemas.event import AgentMessage, Identifier, Recipient, RecipientKind
from lawful.schemas.verdict import Decision, Verdict
from lawful.schemas.view import SourcePosition
from lawful.streams.kernel import SourceRecord, Tables, follow
from tests.streams.kit import ADA, BOB, KERNEL, POLICY, OnePolicy, make_event

PHONE, MAIL = "call +4912345678", "write to somebody@example.org"
AGENTS = Who(frozenset({RecipientKind.AGENT}))
RULE = Combination(
    "reach", ("user.contact.phone_number", "user.contact.email"), 1, AGENTS, exempt=Who(ids=("desk",)), keep=10**9
)
RULES = replace(
    POLICY,
    purposes={**POLICY.purposes, "care": PurposeRule("care", LegalBasis.CONTRACT, frozenset({"user"}))},
    message_purposes=(),
)


class Wire:
    """A kernel with its tables."""

    def __init__(self, to: Who = AGENTS) -> None:
        channels = Channels(combinations={RULE.name: replace(RULE, to=to)})
        policies = OnePolicy(replace(RULES, channels=channels))
        self.kernel, self.tables, self.offset = replace(KERNEL, policies=policies), Tables(), 0

    def say(
        self,
        text: str,
        to: str,
        *,
        number: int = 0,
        who: Identifier = ADA,
        kind: RecipientKind = RecipientKind.AGENT,
    ) -> Verdict:
        """What an agent tells another one about somebody."""
        self.offset += 1
        event = make_event(
            AgentMessage(text),
            who,
            number=number or self.offset,
            agent_id="b",
            purposes=("care",),
            recipient=Recipient(kind, to),
        )
        record = SourceRecord(SourcePosition("lawful.events", 0, self.offset), 1_700_000_000_000_000 + self.offset)
        return follow(event, record, self.kernel, self.tables)[-1].verdict


@pytest.mark.parametrize(
    ("kind", "written"),
    [
        (RecipientKind.AGENT, "agency "),
        (RecipientKind.AGENT, "agency\u200b"),
        (RecipientKind.AGENT, "\uff41gency"),
        (RecipientKind.AGENT, "\u200b"),
        (RecipientKind.AGENT, "desk\u200b"),
        (RecipientKind.LLM, "Agency"),
        (RecipientKind.THIRD_PARTY, "\u200b"),
    ],
)
def test_no_spelling_of_a_recipient_learns_more(kind: RecipientKind, written: str) -> None:
    """From the event to its verdict; who is exempt is so under the plain id only, and is not the agency."""
    wire = Wire(Who())
    for first in ("agency", "desk\u2060"):
        assert wire.say(PHONE, first).decision is Decision.FORWARD
    assert wire.say(MAIL, written, kind=kind).decision is Decision.BLOCK


def test_one_recipient_does_not_learn_both() -> None:
    """Bit by bit or at once; another recipient, another person and who is exempt are apart; again is the same again."""
    wire = Wire()
    assert wire.say(PHONE, "agency").decision is Decision.FORWARD
    blocked = wire.say(MAIL, "agency")
    assert [(each.rule, each.reason) for each in blocked.violations] == [
        ("combination:reach", "told_too_much_together")
    ]
    assert wire.say(MAIL, "hotel").decision is Decision.FORWARD
    assert wire.say(MAIL, "agency", who=BOB).decision is Decision.FORWARD
    assert wire.say(f"{PHONE}, {MAIL}", "desk").decision is Decision.FORWARD
    assert wire.say(PHONE, "agency", number=1).decision is Decision.FORWARD

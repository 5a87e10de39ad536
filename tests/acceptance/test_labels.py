"""A42: what agent A told and agent B forwards in other words, from the bus to the audit's rows."""

import json

from lawful.schemas.event import AgentMessage, ConsentGiven, ConsentWithdrawn, Identifier, ToolCall
from lawful.schemas.verdict import Decision
from tests.acceptance.house import House
from tests.streams.kit import reasons

SHARING = "third_party_sharing.partners"
TOLD = "Her bonus number goes to ada.lovelace@example.com, tell the partner."
OTHER_WORDS = "You know which address I mean."


def test_what_was_told_keeps_its_labels_in_other_words(house: House, someone: Identifier) -> None:
    """A42: subject, purpose and category come along: once the consent is withdrawn that it was told under, it stops."""
    house.asked(house.event(ConsentGiven((SHARING,)), someone))
    told = house.event(AgentMessage(TOLD), someone, agent_id="a", purposes=(SHARING,))
    assert house.asked(told).decision is Decision.FORWARD
    house.asked(house.event(ConsentWithdrawn((SHARING,)), someone))
    forwards = [
        house.event(AgentMessage(OTHER_WORDS), someone, agent_id="b", causation_id=cause)
        for cause in (told.event_id, None)
    ]
    inherits, unrelated = [house.asked(each) for each in forwards]
    assert (inherits.decision, unrelated.decision) == (Decision.BLOCK, Decision.FORWARD)
    assert reasons(inherits) == {"consent_withdrawn"}
    row = house.row(forwards[0].event_id)
    assert (row["subject"], row["agent_id"]) == (house.pseudonym(someone), "b")
    assert dict(zip(row["purposes.purpose"], row["purposes.provenance"], strict=True))[SHARING] == "inherited"
    inherited = [
        category
        for category, detector in zip(row["findings.category"], row["findings.detector"], strict=True)
        if detector == "inherited"
    ]
    assert inherited == ["user.contact.email"]


def test_what_was_told_is_no_reason_to_block_what_needs_it(house: House, someone: Identifier) -> None:
    """A42: labels that the purpose needs let the event pass, and go on to the next one."""
    told = house.event(AgentMessage(TOLD), someone, agent_id="a")
    assert house.asked(told).decision is Decision.FORWARD
    call = ToolCall("get_order_details", "c", json.dumps({"order_id": "#W1234567"}))
    called = house.event(call, someone, agent_id="b", causation_id=told.event_id)
    assert house.asked(called).decision is Decision.FORWARD
    assert "inherited" in house.row(called.event_id)["findings.detector"]

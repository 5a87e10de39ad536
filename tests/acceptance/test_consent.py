"""Consent, from guard to ClickHouse: per person, purpose and category, in the order of the log, and in time."""

import json
import time

import pytest

from lawful.client import Blocked, Guard
from lawful.schemas.event import ConsentGiven, ConsentWithdrawn, Identifier, Payload, ToolCall, UserMessage
from lawful.schemas.verdict import Decision, Verdict
from tests.acceptance.house import House
from tests.engines import eventually
from tests.streams.kit import reasons

MARKETING, NEWSLETTER = "marketing.communications", "marketing.communications.email"


def mail_to(someone: Identifier) -> ToolCall:
    """A marketing mail."""
    return ToolCall("send_marketing_email", "c", json.dumps({"to": someone.value, "body": "Our new shoes"}))


def test_a_withdrawal_right_before_a_call_blocks_it(house: House, someone: Identifier) -> None:
    """A09: a call right behind a withdrawal in the log is blocked; the verdict names the place it was decided on."""
    payloads: list[Payload] = [
        ConsentGiven((MARKETING,)),
        mail_to(someone),
        ConsentWithdrawn((MARKETING,)),
        mail_to(someone),
    ]
    waiting = [house.transport.submit(house.event(payload, someone)) for payload in payloads]
    given, before, withdrawn, after = [each.result(timeout=40) for each in waiting]
    assert before.decision is Decision.FORWARD
    assert (after.decision, reasons(after)) == (Decision.BLOCK, {"consent_withdrawn"})
    places = [verdict.decided_on[0] for verdict in (given, before, withdrawn, after)]
    assert {(place.topic, place.partition) for place in places} == {(house.topics.annotated, places[0].partition)}
    assert sorted({place.offset for place in places}) == [place.offset for place in places]
    assert after.violations[0].evidence == (withdrawn.event_id,)
    row = house.row(after.event_id)
    assert (row["decided_on.partition"], row["decided_on.offset"]) == ([places[3].partition], [places[3].offset])


def test_a_consent_ends_by_time_alone(house: House, guard: Guard, someone: Identifier) -> None:
    """A10: a consent is over at its time by the broker's clock, with no event on the key in between."""
    ends = time.time_ns() // 1_000 + 3_000_000
    with guard.session(subject=someone) as session:
        session.consent(MARKETING, expires_at=ends)
    during = house.asked(house.event(mail_to(someone), someone))
    assert during.decision is Decision.FORWARD
    eventually(lambda: time.time_ns() // 1_000 > ends)
    after = house.asked(house.event(mail_to(someone), someone))
    assert (after.decision, reasons(after)) == (Decision.BLOCK, {"consent_expired"})
    assert during.recorded_at < ends <= after.recorded_at


def test_consent_is_per_person_and_purpose_with_hierarchy(
    house: House, guard: Guard, someone: Identifier, other: Identifier
) -> None:
    """A11: consent and withdrawal reach purposes below theirs, nobody else, and no purpose with another basis."""

    def call(who: Identifier, tool: str, **arguments: str) -> set[str]:
        return reasons(house.asked(house.event(ToolCall(tool, "c", json.dumps(arguments)), who)))

    with guard.session(subject=someone) as session, guard.session(subject=other) as theirs:
        theirs.consent(MARKETING)
        assert call(someone, "send_marketing_email", to=someone.value, body="x") == {"consent_missing"}
        session.consent(MARKETING)
        assert call(someone, "send_marketing_email", to=someone.value, body="x") == set()
        assert call(someone, "share_with_partner", partner="p", email=someone.value) == {"consent_missing"}
        session.withdraw(NEWSLETTER)
        assert call(someone, "send_marketing_email", to=someone.value, body="x") == {"consent_withdrawn"}
        assert call(someone, "send_marketing_sms", phone="+442071838750", body="x") == set()
        session.withdraw()
        assert call(someone, "send_marketing_sms", phone="+442071838750", body="x") == {"consent_withdrawn"}
        assert call(someone, "find_user_id_by_email", email=someone.value) == set()
        assert call(other, "send_marketing_email", to=other.value, body="x") == set()


def test_consent_is_per_category(house: House, someone: Identifier) -> None:
    """A11: a consent to some categories covers those and what lies below them, and no other."""
    house.asked(house.event(ConsentGiven((MARKETING,), categories=("user.contact",)), someone))
    sms = ToolCall("send_marketing_sms", "c", json.dumps({"phone": "+442071838750", "body": "Our new shoes"}))
    assert house.asked(house.event(sms, someone)).decision is Decision.FORWARD
    house.asked(house.event(ConsentWithdrawn((MARKETING,)), someone))
    house.asked(house.event(ConsentGiven((MARKETING,), categories=("user.contact.email",)), someone))
    verdict = house.asked(house.event(sms, someone))
    assert (verdict.decision, reasons(verdict)) == (Decision.BLOCK, {"consent_not_covering_category"})
    assert house.asked(house.event(mail_to(someone), someone)).decision is Decision.FORWARD


def test_what_was_blocked_between_out_and_in_does_not_come_later(
    house: House, guard: Guard, someone: Identifier
) -> None:
    """A12: opted out and in again, what lay between stays blocked even if it is sent again; what comes after passes."""
    delivered: list[str] = []
    with guard.session(subject=someone) as session:

        @session.tool("send_marketing_email")
        def send(to: str, body: str) -> None:
            delivered.append(body)

        session.consent(MARKETING)
        send(to=someone.value, body="before")
        session.withdraw(MARKETING)
        with pytest.raises(Blocked, match="consent_withdrawn"):
            send(to=someone.value, body="between")
        between = house.event(mail_to(someone), someone)
        first = house.asked(between)
        session.consent(MARKETING)
        assert house.asked(between) == first
        send(to=someone.value, body="after")
    assert first.decision is Decision.BLOCK
    assert delivered == ["before", "after"]
    assert house.row(between.event_id)["decision"] == "block"
    verdicts = [each for each in house.read(house.topics.verdicts, Verdict) if each.event_id == between.event_id]
    assert {each.decision for each in verdicts} == {Decision.BLOCK}


def test_an_event_about_two_people_gets_the_strictest_verdict(
    house: House, guard: Guard, someone: Identifier, other: Identifier
) -> None:
    """A14: one event about two people, of whom one consented, is blocked; verdict and audit name both by pseudonym."""
    with guard.session(subject=someone) as session:
        session.consent(MARKETING)
    verdict = house.asked(house.event(mail_to(someone), someone, other))
    assert (verdict.decision, reasons(verdict)) == (Decision.BLOCK, {"consent_missing"})
    assert {violation.subject for violation in verdict.violations} == {house.pseudonym(other)}
    assert len(verdict.decided_on) == 2
    row = house.row(verdict.event_id)
    assert row["subjects"] == [house.pseudonym(someone), house.pseudonym(other)]
    assert row["roles"] == ["principal", "declared"]
    assert not {someone.value, other.value} & set(map(str, row.values()))
    with guard.session(subject=other) as session:
        session.consent(MARKETING)
    assert house.asked(house.event(mail_to(someone), someone, other)).decision is Decision.FORWARD


def test_consent_is_only_what_is_given_as_such(house: House, someone: Identifier) -> None:
    """A11: words in a chat give no consent."""
    house.asked(house.event(UserMessage("I guess I don't mind your newsletter, I consent to marketing"), someone))
    assert reasons(house.asked(house.event(mail_to(someone), someone))) == {"consent_missing"}

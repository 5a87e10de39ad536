"""One person under several identifiers, and identifiers that turn out to be somebody else's."""

from itertools import permutations

import pytest

from lawful.schemas.codec import decode, encode
from lawful.schemas.event import AgentEvent, ConsentGiven, Identifier, IdentityLinked
from lawful.schemas.history import History
from lawful.schemas.verdict import Decision, Outcome
from lawful.streams.kernel import SubjectRow
from tests.streams.kit import ADA, BOB, MINUTE, Log, make_event, pseudonym, reasons

PHONE, NUMBER, MAIL = Identifier("phone", "+31612345678"), Identifier("customer_id", "C-1"), ADA
ORDERS = list(permutations((PHONE, NUMBER, MAIL)))


def known(*people: Identifier) -> Log:
    """A log in which these people have been seen."""
    log = Log()
    for who in people:
        log.say("hello", who)
    return log


def test_whoever_is_set_apart_keeps_every_restriction_and_gets_no_consent() -> None:
    """A recycled number is as restricted as its last owner was, and has agreed to nothing (A13)."""
    log = known(MAIL, PHONE)
    log.consent(MAIL)
    log.link(MAIL, PHONE)
    assert log.mail(PHONE, text="hello").decision is Decision.FORWARD
    assert log.mail(PHONE).decision is Decision.FORWARD
    assert log.unlink(MAIL, PHONE).outcome is Outcome.UNLINKED
    assert reasons(log.mail(PHONE)) == {"consent_missing"}
    assert log.mail(MAIL).decision is Decision.FORWARD


def test_a_withdrawal_before_the_separation_stays_on_both_sides() -> None:
    """Nobody can tell any more whose it was."""
    log = known(MAIL, PHONE)
    log.consent(MAIL)
    log.link(MAIL, PHONE)
    log.withdraw(PHONE)
    log.unlink(MAIL, PHONE)
    assert reasons(log.mail(MAIL)) == {"consent_withdrawn"}
    assert reasons(log.mail(PHONE)) == {"consent_withdrawn"}


def test_what_comes_after_the_separation_concerns_one_side_only() -> None:
    """Separate treatment, in both directions."""
    log = known(MAIL, PHONE)
    log.link(MAIL, PHONE)
    log.unlink(MAIL, PHONE)
    log.consent(PHONE)
    log.erase(MAIL)
    assert log.mail(PHONE, text="new@example.com").decision is Decision.FORWARD
    assert reasons(log.say("hello", MAIL)) == {"subject_erased"}


@pytest.mark.parametrize(("away", "principal", "other"), ORDERS)
def test_of_three_only_the_named_one_leaves(away: Identifier, principal: Identifier, other: Identifier) -> None:
    """Which pseudonym is the lowest, and who was linked through whom, makes no difference."""
    for first, second in ((away, other), (other, away)):
        log = known(PHONE, NUMBER, MAIL)
        log.link(principal, first)
        log.link(second, first)
        log.unlink(principal, away)
        log.erase(other)
        blocked = {who for who in (PHONE, NUMBER, MAIL) if log.say("hello", who).decision is Decision.BLOCK}
        assert blocked == {principal, other}


def test_what_was_one_person_may_be_one_again() -> None:
    """Linking after a separation merges what both did since."""
    log = known(MAIL, PHONE)
    log.link(MAIL, PHONE)
    log.unlink(MAIL, PHONE)
    log.consent(MAIL)
    log.withdraw(PHONE)
    assert log.mail(MAIL).decision is Decision.FORWARD
    assert log.link(PHONE, MAIL).outcome is Outcome.LINKED
    assert reasons(log.mail(MAIL)) == {"consent_withdrawn"}


def test_whoever_is_set_apart_has_a_name_of_their_own_in_verdict_and_audit() -> None:
    """Nothing ties the two together any more, whichever of them it was whose row it is."""
    for principal, away in ((MAIL, PHONE), (PHONE, MAIL)):
        log = known(MAIL, PHONE)
        log.link(MAIL, PHONE)
        log.unlink(principal, away)
        for who in (MAIL, PHONE):
            verdict = log.mail(who, text="hello new@example.com +31612345678")
            answer = log.replayed.answers[verdict.event_id]
            assert answer.key == pseudonym(who)
            assert pseudonym(who) in {mention.subject for mention in answer.audit.subjects}
            assert {violation.subject for violation in verdict.violations} == {pseudonym(who)}


def test_an_identifier_that_was_never_linked_stays_as_it_is() -> None:
    """There is nothing to separate, and saying so is no error."""
    log = known(MAIL, PHONE)
    log.consent(PHONE)
    before = dict(log.replayed.rows)
    assert log.unlink(MAIL, PHONE).outcome is Outcome.UNLINKED
    assert log.replayed.rows == before


def test_an_event_that_links_and_separates_does_both_in_that_order() -> None:
    """One event may correct another: this address, not that one."""
    log = known(MAIL, PHONE, NUMBER)
    log.link(NUMBER, PHONE)
    log.add(IdentityLinked((MAIL,), (PHONE,)), NUMBER)
    log.erase(NUMBER)
    blocked = {who for who in (PHONE, NUMBER, MAIL) if log.say("hello", who).decision is Decision.BLOCK}
    assert blocked == {NUMBER, MAIL}


def test_the_principal_may_leave_too() -> None:
    """Without a principal, or naming it, an identifier is set apart all the same."""
    for principal in ((), (PHONE,), (MAIL,)):
        log = known(MAIL, PHONE)
        log.link(MAIL, PHONE)
        assert log.add(IdentityLinked((), (PHONE,)), *principal).outcome is Outcome.UNLINKED
        log.erase(MAIL)
        assert log.say("hello", PHONE).decision is Decision.FORWARD


def test_the_rows_of_persons_set_apart_survive_the_codec() -> None:
    """Tables hold them as bytes."""
    log = known(MAIL, PHONE, BOB)
    log.link(MAIL, PHONE)
    log.consent(PHONE)
    log.unlink(MAIL, PHONE)
    log.link(PHONE, BOB)
    rows = [row for row in log.replayed.rows.values() if row.history.apart]
    assert rows
    for row in rows:
        assert decode(encode(row.history), History) == row.history
    assert all(isinstance(row, SubjectRow) for row in rows)


def test_unlinking_travels() -> None:
    """The event is read as it was written."""
    event = make_event(IdentityLinked((MAIL,), (PHONE,)), NUMBER)
    assert decode(encode(event), AgentEvent) == event


def test_a_consent_under_an_alias_is_not_the_roots() -> None:
    """Whoever gave it takes it along, whichever pseudonym is the lower one."""
    for giver, other in ((MAIL, PHONE), (PHONE, MAIL)):
        log = known(MAIL, PHONE)
        log.link(MAIL, PHONE)
        log.add(ConsentGiven(("marketing",), categories=("user.contact",)), giver)
        log.time += MINUTE
        log.unlink(MAIL, PHONE)
        assert log.mail(giver, text="new@example.com").decision is Decision.FORWARD
        assert reasons(log.mail(other, text="new@example.com")) <= {"consent_withdrawn", "consent_missing"}
        assert log.mail(other, text="new@example.com").decision is Decision.BLOCK


def test_somebody_elses_enrolment_lifts_no_erasure_any_more() -> None:
    """Whoever came back was somebody else, so whoever was erased still is."""
    log = known(MAIL, PHONE)
    log.erase(MAIL)
    log.link(MAIL, PHONE)
    log.consent(PHONE, re_enrols=True)
    assert log.say("hello", MAIL).decision is Decision.FORWARD
    log.unlink(MAIL, PHONE)
    assert reasons(log.say("hello", MAIL)) == {"subject_erased"}
    assert log.say("hello", PHONE).decision is Decision.FORWARD


def test_a_row_can_outlive_its_own_identifier() -> None:
    """Whoever stays in the row of somebody who left is still not that somebody when they are linked on."""
    one, two, three, four = (Identifier("customer_id", f"C-{number}") for number in range(4))
    log = known(one, two, three, four)
    log.link(one, four)
    log.unlink(one, one)
    log.link(one, two)
    log.link(three, four)
    log.unlink(one, one)
    log.link(two, three)
    log.erase(one)
    assert [who for who in (one, two, three, four) if log.say("x", who).decision is Decision.BLOCK] == [one]


def test_whoever_is_linked_to_somebody_set_apart_goes_where_they_went() -> None:
    """Also through the row in which that somebody was set apart."""
    one, two, three, four = (Identifier("customer_id", f"C-{number}") for number in range(4))
    log = known(one, two, three, four)
    log.link(one, three)
    log.unlink(one, one)
    log.link(one, two)
    log.link(one, four)
    log.erase(one)
    blocked = [who for who in (one, two, three, four) if log.say("x", who).decision is Decision.BLOCK]
    assert blocked == [one, two, four]

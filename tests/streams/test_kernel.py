"""Acceptance rows, each as far as it is decided in the kernel; the engines' tests repeat them on Kafka."""

from dataclasses import replace

from lawful.policies.judge import At
from lawful.schemas.event import (
    DataSubjectRequest,
    Identifier,
    RequestKind,
    ToolCall,
)
from lawful.schemas.verdict import Decision, Outcome
from lawful.streams.kernel import annotate, judge_view
from lawful.streams.replay import replay
from tests.streams.kit import ADA, ADA_ID, BOB, KERNEL, MINUTE, Log, pseudonym, reasons


def test_a01_after_an_erasure_every_session_and_agent_is_blocked() -> None:
    """A01: erasure holds in every session and under every agent."""
    log = Log()
    assert log.say("ada@example.com", ADA).decision is Decision.FORWARD
    log.erase(ADA)
    for number in range(3):
        verdict = log.say("hello", ADA, session_id=f"s{number}", agent_id=f"a{number}")
        assert verdict.decision is Decision.BLOCK
        assert reasons(verdict) == {"subject_erased"}


def test_a01_someone_elses_event_that_mentions_the_erased_person_is_blocked() -> None:
    """A01: the erased person's identifier in somebody else's session blocks too."""
    log = Log()
    log.say("ada@example.com", ADA)
    log.erase(ADA)
    verdict = log.say("write to ada@example.com", BOB)
    assert verdict.decision is Decision.BLOCK
    assert {violation.subject for violation in verdict.violations} == {pseudonym(ADA)}


def test_a01_an_event_in_flight_during_the_erasure_is_blocked() -> None:
    """A01: what was annotated before the erasure but is judged after it is blocked."""
    log = Log()
    log.say("ada@example.com", ADA)
    (event, record) = log.entries[0]
    in_flight = annotate(replace(event, event_id="0190a000-0000-7000-8000-ffffffffffff"), record, KERNEL)
    log.erase(ADA)
    tables = log.replayed.tables
    (answer,) = judge_view(in_flight[0], At("lawful.annotated", 0, 99, record.recorded_at), KERNEL.policies, tables)
    assert "subject_erased" in repr(answer)


def test_a02_erasing_someone_never_seen_says_so() -> None:
    """A02: no success is reported that was not achieved; the answer is evidence all the same."""
    log = Log()
    verdict = log.erase(ADA)
    assert (verdict.decision, verdict.outcome) == (Decision.FORWARD, Outcome.UNKNOWN_SUBJECT)
    assert log.replayed.audit[verdict.event_id].verdict == verdict


def test_a03_erasing_again_is_an_idempotent_success() -> None:
    """A03: the second request succeeds, says so, and adds nothing to the history."""
    log = Log()
    log.say("ada@example.com", ADA)
    assert log.erase(ADA).outcome is Outcome.ERASED
    row = log.replayed.rows[pseudonym(ADA)]
    assert log.erase(ADA).outcome is Outcome.ALREADY_ERASED
    assert log.replayed.rows[pseudonym(ADA)].history.entries == row.history.entries


def test_a05_rebuilding_from_the_log_does_not_bring_an_erased_person_back() -> None:
    """A05: after replaying the log from its start, the person is still erased."""
    log = Log()
    log.say("ada@example.com", ADA)
    log.erase(ADA)
    rebuilt = Log(replayed=replay(log.entries, KERNEL), entries=log.entries, numbers=log.numbers)
    assert rebuilt.say("hello", ADA).decision is Decision.BLOCK
    assert rebuilt.replayed.verdicts | log.replayed.verdicts == rebuilt.replayed.verdicts


def test_a07_a_legal_duty_survives_and_is_named() -> None:
    """A07: a purpose under a legal duty passes after the erasure, and the verdict names the exception."""
    log = Log()
    log.say("ada@example.com", ADA)
    log.erase(ADA)
    verdict = log.add(ToolCall("file_tax", "c", '{"who":"ada@example.com"}'), ADA)
    assert (verdict.decision, verdict.exceptions) == (Decision.FORWARD, ("tax",))


def test_a09_a_withdrawal_just_before_a_call_blocks_it() -> None:
    """A09: at the same instant, one place earlier in the log, a withdrawal blocks; the verdict says where."""
    log = Log()
    log.consent(ADA)
    assert log.mail(ADA).decision is Decision.FORWARD
    log.withdraw(ADA)
    verdict = log.mail(ADA)
    assert (verdict.decision, reasons(verdict)) == (Decision.BLOCK, {"consent_withdrawn"})
    assert [place.offset for place in verdict.decided_on] == [3]


def test_a10_consent_expires_by_time_alone() -> None:
    """A10: no event marks the end; the broker's time does, and at the very moment it is over."""
    log = Log()
    log.consent(ADA, expires_at=log.time + MINUTE)
    log.time += MINUTE - 1
    assert log.mail(ADA).decision is Decision.FORWARD
    log.time += 1
    assert reasons(log.mail(ADA)) == {"consent_expired"}


def test_a11_a_contract_is_unaffected_by_a_withdrawal() -> None:
    """A11: consent is per subject and purpose; other people's and contract-based purposes go on."""
    log = Log()
    log.consent(ADA)
    log.consent(BOB)
    log.withdraw(ADA, purposes=None)
    assert log.say("ada@example.com", ADA).decision is Decision.FORWARD
    assert log.mail(BOB, text="hello bob@example.com").decision is Decision.FORWARD
    assert log.mail(ADA).decision is Decision.BLOCK


def test_a12_out_and_in_again_blocks_only_what_lies_between() -> None:
    """A12: what was blocked in between stays blocked when its record comes again later."""
    log = Log()
    log.consent(ADA)
    log.withdraw(ADA)
    between = log.mail(ADA)
    log.consent(ADA)
    assert between.decision is Decision.BLOCK
    assert log.mail(ADA).decision is Decision.FORWARD
    again = next(event for event, _ in log.entries if event.event_id == between.event_id)
    log.put(again)
    assert not log.replayed.contradictions


def test_a13_a_withdrawal_under_one_identifier_blocks_the_other() -> None:
    """A13: after a link, e-mail address and customer number are one person, in both directions."""
    for first, second in ((ADA, ADA_ID), (ADA_ID, ADA)):
        log = Log()
        log.consent(first)
        assert log.link(first, second).outcome is Outcome.LINKED
        assert log.mail(second).decision is Decision.FORWARD
        log.withdraw(second)
        assert log.mail(first).decision is Decision.BLOCK


def test_a13_linking_later_takes_the_most_restrictive_state() -> None:
    """A13: consent here and withdrawal there is no consent; erased here is erased there."""
    for strict in (Log.withdraw, Log.erase):
        log = Log()
        log.consent(ADA)
        log.consent(ADA_ID)
        strict(log, ADA_ID)
        log.link(ADA, ADA_ID)
        assert log.mail(ADA).decision is Decision.BLOCK
        assert log.mail(ADA_ID).decision is Decision.BLOCK


def test_a13_three_identifiers_linked_in_any_order_are_one_person() -> None:
    """Links between linked people move on to their roots, whichever pseudonym is the lowest."""
    people = [ADA, ADA_ID, Identifier("phone", "+441234567")]
    for middle in range(3):
        ends = [person for place, person in enumerate(people) if place != middle]
        log = Log()
        log.link(people[middle], ends[0])
        log.link(people[middle], ends[1])
        log.link(ends[0], ends[1])
        log.consent(ends[1])
        assert log.mail(ends[0]).decision is Decision.FORWARD
        log.erase(people[middle])
        assert {log.mail(person).decision for person in people} == {Decision.BLOCK}


def test_an_erasure_that_names_further_identifiers_erases_them_all() -> None:
    """A request under one identifier, naming another that the system knows, erases the person."""
    log = Log()
    log.say("hello", ADA_ID)
    verdict = log.add(DataSubjectRequest(RequestKind.ERASURE, "r", (ADA_ID,)), ADA)
    assert verdict.outcome is Outcome.ERASED
    assert log.say("hello", ADA_ID).decision is Decision.BLOCK
    assert log.say("hello", ADA).decision is Decision.BLOCK


def test_a14_two_people_with_different_consents_get_the_strictest_verdict() -> None:
    """A14: one event about two people is blocked if one of them says no; both are named by pseudonym."""
    log = Log()
    log.consent(ADA)
    text = "ada@example.com, bob@example.com"
    verdict = log.mail(ADA, BOB, text=text)
    assert verdict.decision is Decision.BLOCK
    assert {violation.subject for violation in verdict.violations} == {pseudonym(BOB)}
    assert {one.subject for one in log.replayed.audit[verdict.event_id].subjects} == {pseudonym(ADA), pseudonym(BOB)}
    assert len(verdict.decided_on) == 2
    log.consent(BOB)
    assert log.mail(ADA, BOB, text=text).decision is Decision.FORWARD


def test_a28_a_producers_clock_changes_no_verdict() -> None:
    """A28: whatever `occurred_at` says, the verdicts are the same."""
    verdicts = []
    for skew in (-60 * MINUTE, 0, 60 * MINUTE):
        log = Log()
        log.consent(ADA, expires_at=log.time + 10 * MINUTE)
        verdicts.append(log.mail(ADA, occurred_at=log.time + skew))
    assert verdicts[0] == verdicts[1] == verdicts[2]


def test_redaction_names_every_place() -> None:
    """A16: excess data is redacted wherever it stands."""
    verdict = Log().say("call +44123456, or +44123456", ADA)
    assert verdict.decision is Decision.REDACT
    assert [(owed.start, owed.end) for owed in verdict.obligations] == [(5, 14), (19, 28)]


def test_an_event_that_nobody_could_look_into_is_blocked() -> None:
    """A21, A25: a crashed extractor blocks its event, and the next one is fine."""
    log = Log()
    verdict = log.say("crash", ADA)
    assert verdict.decision is Decision.BLOCK
    assert "ada@example.com" not in repr(verdict)
    assert log.say("hello", ADA).decision is Decision.FORWARD


def test_unknown_policy_and_too_many_subjects_are_blocks_under_no_doubt() -> None:
    """A26: no policy never means allow; the verdict then names no policy."""
    log = Log()
    unknown = log.say("hello", ADA, policy_id="nope")
    assert (unknown.decision, unknown.policy_id, reasons(unknown)) == (Decision.BLOCK, "", {"unknown_policy"})
    crowd = log.say("hello", *[Identifier("email", f"p{n}@example.com") for n in range(17)])
    assert (crowd.decision, reasons(crowd)) == (Decision.BLOCK, {"too_many_subjects"})


def test_a_producers_retry_is_judged_as_of_its_first_record() -> None:
    """The same event, published again after a withdrawal and later, has the identical verdict."""
    log = Log()
    log.consent(ADA)
    first = log.mail(ADA)
    log.withdraw(ADA)
    log.time += MINUTE
    log.put(log.entries[1][0])
    assert first.decision is Decision.FORWARD
    assert log.replayed.contradictions == set()


def test_a_consent_that_is_blocked_did_not_happen() -> None:
    """A plain consent after an erasure is blocked and not remembered; one that re-enrols lifts it."""
    log = Log()
    log.consent(ADA)
    log.erase(ADA)
    assert log.consent(ADA).decision is Decision.BLOCK
    assert log.mail(ADA).decision is Decision.BLOCK
    assert log.consent(ADA, re_enrols=True).decision is Decision.FORWARD
    assert log.mail(ADA).decision is Decision.FORWARD


def test_no_identifier_gets_into_anything_that_is_kept() -> None:
    """A36: rows, verdicts and audit records hold pseudonyms only."""
    log = Log()
    log.consent(ADA, identifiers=(ADA_ID,))
    log.mail(ADA, BOB, text="ada@example.com bob@example.com", session_id="ada@example.com")
    log.erase(ADA)
    kept = repr((log.replayed.rows, log.replayed.answers, log.replayed.pending)).casefold()
    assert not any(each.value.casefold() in kept for each in (ADA, BOB, ADA_ID))


def test_replaying_in_two_parts_is_replaying_once() -> None:
    """State carries over: nothing depends on where a replay was interrupted."""
    log = Log()
    log.consent(ADA, identifiers=(ADA_ID,))
    log.mail(ADA, BOB)
    log.withdraw(ADA_ID)
    log.mail(ADA)
    whole = replay(log.entries, KERNEL)
    for cut in range(len(log.entries)):
        parts = replay(log.entries[cut:], KERNEL, replay(log.entries[:cut], KERNEL))
        assert (parts.verdicts, parts.rows) == (whole.verdicts, whole.rows)

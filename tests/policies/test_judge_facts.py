"""Events that change what is known of a subject: consents, withdrawals, requests and links."""

from lawful.schemas.event import PayloadKind
from lawful.schemas.history import EMPTY, LinkFact, MergeFact
from lawful.schemas.verdict import Decision, Outcome
from lawful.schemas.view import SubjectRole
from tests.policies.samples import (
    SEEN,
    at,
    consent,
    decide,
    erasure,
    history,
    reasons,
    telling,
    view,
    withdrawal,
)


def test_consents_and_withdrawals_are_recorded() -> None:
    """They pass, say so, and are in the history at their offset."""
    given = decide(telling(consent("marketing")), place=at(3))
    assert (given.verdict.decision, given.verdict.outcome) == (Decision.FORWARD, Outcome.RECORDED)
    taken = decide(telling(withdrawal()), given.history, place=at(4))
    assert [entry.fact for entry in taken.history.entries] == [consent("marketing"), withdrawal()]
    assert taken.history.through == 4


def test_erasing_someone_never_seen_says_so() -> None:
    """No success that was not achieved, and no fact (A02)."""
    judged = decide(telling(erasure()))
    assert (judged.verdict.outcome, judged.verdict.decision) == (Outcome.UNKNOWN_SUBJECT, Decision.FORWARD)
    assert judged.history is EMPTY


def test_an_erasure_that_names_more_identifiers_waits_for_them() -> None:
    """An unknown principal's request is kept when an alias may turn out to be known."""
    asked = decide(telling(erasure("ask"), parts=2), place=at(1))
    assert asked.verdict.outcome is Outcome.UNKNOWN_SUBJECT
    link = telling(MergeFact("ask", "alias", history(SEEN).entries), kind=PayloadKind.DATA_SUBJECT_REQUEST)
    merged = decide(link, asked.history, place=at(2))
    assert merged.verdict.outcome is Outcome.ERASED
    assert reasons(decide(view(purposes=["service"]), merged.history)) == ["P4 subject_erased"]


def test_erasing_twice_is_erasing_once() -> None:
    """The second request succeeds and changes nothing (A03)."""
    once = decide(telling(erasure("one")), history(SEEN))
    twice = decide(telling(erasure("two")), once.history)
    assert (once.verdict.outcome, twice.verdict.outcome) == (Outcome.ERASED, Outcome.ALREADY_ERASED)
    assert twice.history is once.history


def test_a_plain_consent_does_not_undo_an_erasure() -> None:
    """It is blocked and leaves no trace; one that enrols anew lifts what comes after."""
    past = history(SEEN, erasure("gone"))
    plain = decide(telling(consent("marketing")), past)
    assert reasons(plain) == ["P4 subject_erased"]
    assert plain.history is past
    anew = decide(telling(consent("marketing", re_enrols=True)), past)
    assert anew.verdict.outcome is Outcome.RECORDED
    assert reasons(decide(view("user.contact.email", purposes=["marketing"]), anew.history)) == []


def test_enrolling_anew_does_not_bring_old_consents_back() -> None:
    """What was agreed to before the erasure is over."""
    past = history(consent("research"), erasure(), consent("marketing", re_enrols=True))
    assert reasons(decide(view("user.health_and_medical", purposes=["research"]), past)) == ["P1 consent_withdrawn"]


def test_withdrawals_and_requests_pass_even_after_an_erasure() -> None:
    """The rights of the data subject are never blocked."""
    past = history(SEEN, erasure())
    assert decide(telling(withdrawal()), past).verdict.decision is Decision.FORWARD
    assert decide(telling(erasure()), past).verdict.decision is Decision.FORWARD


def test_facts_about_nobody_are_not_claimed_to_be_recorded() -> None:
    """A consent without a subject is blocked; a request has no one to be about."""
    nobody = {"subject": None, "role": SubjectRole.NOBODY}
    assert reasons(decide(telling(consent("marketing"), **nobody))) == ["P1 nobody_to_consent"]
    assert decide(telling(withdrawal(), **nobody)).verdict.outcome is Outcome.UNKNOWN_SUBJECT


def test_a_fact_event_without_its_fact_is_blocked() -> None:
    """A consent that says nothing is an error, not a success."""
    assert reasons(decide(view(kind=PayloadKind.CONSENT_GIVEN))) == ["error fact_missing"]


def test_links_are_answered() -> None:
    """A link that has nothing to merge is a link all the same."""
    assert decide(view(kind=PayloadKind.IDENTITY_LINKED)).verdict.outcome is Outcome.LINKED
    assert decide(telling(LinkFact("link", "b", "a"))).verdict.outcome is Outcome.LINKED


def test_linking_takes_the_stricter_side() -> None:
    """A withdrawal under one identifier blocks under the other (A13)."""
    theirs = history(consent("marketing"), withdrawal("marketing"))
    merged = decide(telling(MergeFact("link", "alias", theirs.entries)), history(consent("marketing")), place=at(50))
    assert merged.verdict.outcome is Outcome.LINKED
    judged = decide(view("user.contact.email", purposes=["marketing"]), merged.history, place=at(51))
    assert reasons(judged) == ["P1 consent_withdrawn"]
    assert judged.verdict.violations[0].evidence == ("link",)

"""The comparer: agreement is silent, a difference names the judge, what it lacks and what it adds."""

import pytest

from lawful.policies.crosscheck import Judge, Panel, compare
from lawful.policies.crosscheck.panel import opinion, told
from lawful.policies.judge import judge
from lawful.policies.mfotl.judge import MfotlJudge, Witness
from lawful.policies.rego.judge import RegoJudge
from lawful.schemas.errors import MustBlock
from lawful.schemas.history import EMPTY
from lawful.schemas.verdict import Decision, Predicate
from tests.policies.samples import at, consent, erasure, history, policy, telling, view

EMAIL = "user.contact.email"


def test_all_judges_agree_on_a_missing_consent() -> None:
    """An event that violates P1 is seen as that by everyone."""
    agreement = compare(view(EMAIL, purposes=["marketing"]), at(5), EMPTY, policy())
    assert agreement.agrees
    assert agreement.verdict.decision is Decision.BLOCK


@pytest.mark.parametrize("subject", ["subject", None])
@pytest.mark.parametrize("re_enrols", [True, False])
def test_all_judges_agree_on_a_consent_after_an_erasure(subject: str | None, *, re_enrols: bool) -> None:
    """Consents are events as well: after an erasure only one that enrols anew passes."""
    offer = telling(consent("marketing", re_enrols=re_enrols), subject=subject)
    agreement = compare(offer, at(9), history(consent("marketing"), erasure()), policy())
    assert agreement.agrees
    assert (agreement.verdict.decision is Decision.FORWARD) == (re_enrols and subject is not None)


def test_a_verdict_that_was_not_deserved_is_a_fault_of_both() -> None:
    """Given a wrong verdict, the panel says what each other judge adds to it."""
    event = view(EMAIL, purposes=["marketing"])
    lenient = judge(view(EMAIL, purposes=["service"]), at(5), EMPTY, policy()).verdict
    agreement = Panel().compare(event, at(5), EMPTY, policy(), lenient)
    assert {fault.judge for fault in agreement.faults} == {Judge.REGO, Judge.MFOTL}
    formal = next(fault for fault in agreement.faults if fault.judge is Judge.MFOTL)
    assert formal.missing == ()
    assert formal.surplus == ("P1, purpose marketing",)
    rego = next(fault for fault in agreement.faults if fault.judge is Judge.REGO)
    assert "decision forward" in rego.missing
    assert "P1 consent_missing (block), purpose marketing" in rego.surplus


def test_a_judge_that_gives_no_answer_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """A judge that fails does not count as agreeing."""

    def fail(*_: object) -> None:
        raise MustBlock("no verdict")

    monkeypatch.setattr(RegoJudge, "judge", fail)
    agreement = compare(view(EMAIL, purposes=["service"]), at(5), EMPTY, policy())
    assert [fault.surplus for fault in agreement.faults] == [("no answer: no verdict",)]


def test_an_event_from_before_is_judged_by_a_judge_made_anew() -> None:
    """A redelivered event meets the world as it was, though its subject's judge has gone on."""
    panel, past = Panel(), history(consent("marketing"), erasure())
    event = view(EMAIL, purposes=["marketing"])
    assert panel.compare(event, at(50), past, policy()).agrees
    assert panel.compare(event, at(2), past, policy()).agrees
    assert panel.compare(event, at(51), past, policy()).agrees


def test_a_redelivered_event_is_judged_at_its_own_time() -> None:
    """That an event after it came later than the consent's end does not end the consent for it."""
    panel, past = Panel(), history(consent("marketing", expires_at=100))
    event = view(EMAIL, purposes=["marketing"])
    decided = [panel.compare(event, at(offset, time), past, policy()) for offset, time in ((5, 99), (6, 100), (5, 99))]
    assert [each.verdict.decision for each in decided] == [Decision.FORWARD, Decision.BLOCK, Decision.FORWARD]
    assert all(each.agrees for each in decided)


def test_time_that_seems_to_run_back_ends_no_consent() -> None:
    """A decision goes by its event's time and the facts', not by what other events were told."""
    panel, past = Panel(), history(consent("marketing", expires_at=100))
    event = view(EMAIL, purposes=["marketing"])
    assert panel.compare(event, at(5, 100), past, policy()).agrees
    later = panel.compare(event, at(6, 99), past, policy())
    assert later.agrees
    assert later.verdict.decision is Decision.FORWARD


def test_the_panel_forgets_subjects_beyond_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is bounded; a forgotten subject's judge is made anew from the history."""
    monkeypatch.setattr("lawful.policies.crosscheck.panel.MOST_SUBJECTS", 2)
    made: list[str] = []

    def make(key: str) -> MfotlJudge:
        made.append(key)
        return MfotlJudge()

    panel = Panel(formal=make)
    for number, key in enumerate(["a", "b", "c", "a"]):
        event = view(EMAIL, purposes=["marketing"], key=key)
        assert panel.compare(event, at(50 + number), history(consent("marketing")), policy()).agrees
    assert made == ["a", "b", "c", "a"]


def test_rules_of_a_policy_s_own_are_no_business_of_the_other_judges() -> None:
    """What only the operational judge knows is left out of the comparison."""
    plain = judge(view(EMAIL, purposes=["marketing"]), at(5), EMPTY, policy()).verdict
    assert opinion(plain).decision is Decision.BLOCK
    assert {charge.rule for charge in opinion(plain).charges} == {"P1"}


def test_a_witness_in_words_names_what_it_is_about() -> None:
    """Purpose and category, where the predicate has them."""
    assert told(Witness(Predicate.CONSENT, "marketing", EMAIL)) == f"P1, purpose marketing, category {EMAIL}"
    assert told(Witness(Predicate.ERASURE)) == "P4"

"""What votes come to: unanimity or everybody, the majority, and never a milder verdict."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from lawful.policies.auditing import RULE, Ballot, Opinion, doubtful, settle
from lawful.policies.auditing.voting import majority
from lawful.schemas.verdict import Action, Decision, Obligation, Verdict
from tests.policies.samples import decide, view

PLAIN = decide(view()).verdict
DUTY = Obligation("/text", 0, 4, Action.REPLACE, "user.name")
OPINIONS = st.one_of(st.none(), st.sampled_from(Decision).map(Opinion))


def ballot(name: str, decision: Decision | None, *, sentry: bool = False, reason: str = "") -> Ballot:
    """One auditor's answer; `None` for none."""
    opinion = None if decision is None else Opinion(decision, reason)
    return Ballot(name, "1", sentry, opinion, "" if opinion else "late")


def votes(*decisions: Decision | None) -> list[Ballot]:
    """Auditors by number."""
    return [ballot(str(number), each) for number, each in enumerate(decisions)]


def test_sentries_who_all_agree_leave_the_verdict_as_it_is() -> None:
    """Their votes are in it, and nothing else has changed."""
    agreed = [ballot("a", Decision.FORWARD, sentry=True), ballot("b", Decision.FORWARD, sentry=True)]
    verdict = settle(PLAIN, agreed, part=2)
    assert not doubtful(PLAIN, agreed)
    assert replace(verdict, votes=()) == PLAIN
    assert [(vote.auditor, vote.reason, vote.sentry, vote.part) for vote in verdict.votes] == [
        ("a", "agrees", True, 2),
        ("b", "agrees", True, 2),
    ]


def test_any_difference_any_silence_is_doubt() -> None:
    """Stricter, milder or nothing at all: each of them asks everybody."""
    warned = replace(PLAIN, decision=Decision.WARN)
    for odd in (Decision.BLOCK, Decision.FORWARD, None):
        assert doubtful(warned, [ballot("a", Decision.WARN), ballot("b", odd)])


def test_a_majority_blocks_and_is_named() -> None:
    """Two of three: the violation counts them, and the outcome is gone."""
    verdict = settle(PLAIN, votes(Decision.BLOCK, Decision.BLOCK, Decision.FORWARD))
    assert verdict.decision is Decision.BLOCK
    assert [(each.rule, each.reason) for each in verdict.violations] == [(RULE, "auditors_majority")]
    assert verdict.violations[0].message == "of 3 auditors 2 object and 0 gave no answer"


def test_a_minority_does_not_block() -> None:
    """One malicious auditor cannot stop what the others let pass."""
    verdict = settle(PLAIN, votes(Decision.BLOCK, Decision.FORWARD, Decision.FORWARD))
    assert verdict.decision is Decision.FORWARD
    assert len(verdict.votes) == 3


def test_ties_and_silence_block() -> None:
    """Half of the pool is no majority, and who gives no answer lets nothing pass."""
    assert settle(PLAIN, votes(Decision.BLOCK, Decision.FORWARD)).decision is Decision.BLOCK
    silent = settle(PLAIN, votes(None, None, Decision.FORWARD))
    assert silent.decision is Decision.BLOCK
    assert silent.violations[0].reason == "auditors_no_majority"


def test_a_majority_for_redaction_redacts_where_it_says_what() -> None:
    """Obligations of those who want it are joined; without any, nothing is left but to block."""
    told = Ballot("a", "1", sentry=True, opinion=Opinion(Decision.REDACT, obligations=(DUTY,)))
    blind = ballot("b", Decision.REDACT)
    verdict = settle(PLAIN, [told, blind, ballot("c", Decision.FORWARD)])
    assert (verdict.decision, verdict.obligations) == (Decision.REDACT, (DUTY,))
    assert settle(PLAIN, [blind, blind, blind]).decision is Decision.BLOCK


def test_a_reason_that_is_no_code_is_not_written_down() -> None:
    """It might quote content."""
    odd = ballot("a", Decision.BLOCK, reason="it says ada@example.com")
    fine = ballot("b", Decision.BLOCK, reason="toxic_request")
    assert [vote.reason for vote in settle(PLAIN, [odd, fine]).votes] == ["stricter", "toxic_request"]


@given(st.sampled_from(Decision), st.lists(OPINIONS, min_size=1, max_size=7))
def test_votes_never_make_a_verdict_milder(decision: Decision, opinions: list[Opinion | None]) -> None:
    """Whatever anybody votes, and whoever is silent."""
    before: Verdict = replace(PLAIN, decision=decision)
    after = settle(before, [Ballot(str(n), "1", False, each, "late") for n, each in enumerate(opinions)])
    assert after.decision >= decision


@given(st.lists(st.sampled_from(Decision), min_size=1, max_size=9))
def test_more_than_half_would_let_the_majoritys_decision_stand(decisions: list[Decision]) -> None:
    """And not more than half anything milder."""
    voted = majority(decisions)
    assert 2 * sum(each <= voted for each in decisions) > len(decisions)
    assert 2 * sum(each < voted for each in decisions) <= len(decisions)

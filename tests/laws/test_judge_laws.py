"""Laws of the decision: what holds for every event, history and policy."""

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from lawful.policies.history import prune
from lawful.policies.judge import At, Judgement, judge, weigh
from lawful.policies.model import LegalBasis, Policy
from lawful.policies.plan import make_plan
from lawful.schemas.event import Micros
from lawful.schemas.history import EMPTY, ConsentFact, Entry, History
from lawful.schemas.verdict import Decision, Predicate
from lawful.schemas.view import Provenance, PurposeClaim, View
from tests.laws.worlds import (
    NOW,
    consents,
    everyday_views,
    fact_views,
    histories,
    merged_histories,
    ordinary_views,
    places,
    purposes,
    views,
    withdrawals,
)
from tests.policies.samples import at, policy
from tests.records import records

WORDS = ("warn", "redact", "block")
POLICIES = [
    policy(),
    policy(P3="warn"),
    policy(P1="redact", P2="warn", P4="redact"),
    policy(P1="warn", P4="warn", P3="block"),
]
policies = st.sampled_from(POLICIES)
LOG = st.lists(st.tuples(views, st.integers(0, 10)), max_size=8)


def fresh(rules: Policy) -> Policy:
    """The same policy, remembering nothing."""
    return replace(rules)


def after(past: History, extra: int = 1) -> At:
    """A place behind a whole history."""
    return at(past.through + extra, 60)


def positions(log: list[tuple[View, int]]) -> list[tuple[View, At]]:
    """The log with its places; time rises with it."""
    time: Micros = 0
    placed: list[tuple[View, At]] = []
    for offset, (seen, pause) in enumerate(log):
        time += pause
        placed.append((replace(seen, event_id=f"e{offset}"), at(offset, time)))
    return placed


def replay(placed: list[tuple[View, At]], past: History, rules: Policy) -> tuple[list[Judgement], History]:
    """Every event judged in order."""
    judgements: list[Judgement] = []
    for seen, place in placed:
        judgements.append(judge(seen, place, past, rules))
        past = judgements[-1].history
    return judgements, past


@given(records(View), histories(), policies)
def test_judge_is_total(seen: View, past: History, rules: Policy) -> None:
    """Any view that can be on the bus gets a verdict that names the event."""
    verdict = judge(seen, after(past), past, rules).verdict
    assert verdict.event_id == seen.event_id
    assert verdict.decision is max((each.decision for each in verdict.violations), default=Decision.FORWARD)


@given(views, merged_histories(), policies, st.sampled_from(["findings", "purposes", "fact", "kind", "status"]))
def test_judge_survives_nonsense(seen: View, past: History, rules: Policy, field: str) -> None:
    """A view that could not be at all never raises, and teaches nothing."""
    nonsense: dict[str, Any] = {field: object()}
    broken = replace(seen, **nonsense)
    judgement = judge(broken, after(past), past, rules)
    if any(each.rule == "error" for each in judgement.verdict.violations):
        assert judgement.verdict.decision is Decision.BLOCK
        assert judgement.history is past


@given(views, merged_histories(), policies)
def test_judge_is_deterministic(seen: View, past: History, rules: Policy) -> None:
    """Twice the same, with and without a memory of plans."""
    once = judge(seen, after(past), past, fresh(rules))
    assert judge(seen, after(past), past, rules) == once
    assert judge(seen, after(past), past, rules) == once


@given(st.lists(ordinary_views() | everyday_views(), max_size=6), merged_histories(), policies)
def test_what_is_remembered_of_others_changes_nothing(several: list[View], past: History, rules: Policy) -> None:
    """A policy that judged a hundred events judges the next one as a new one would."""
    used = fresh(rules)
    for seen in several:
        guessed = tuple(PurposeClaim(each.purpose, Provenance.INFERRED) for each in seen.purposes)
        for each in (seen, replace(seen, purposes=guessed)):
            assert judge(each, after(past), past, used) == judge(each, after(past), past, fresh(rules))


@given(everyday_views() | ordinary_views(), merged_histories(), policies, st.data())
def test_the_short_way_is_the_long_way(seen: View, past: History, rules: Policy, data: st.DataObject) -> None:
    """What is forwarded on the quick is what all predicates would have forwarded."""
    place = data.draw(places(past))
    assert judge(seen, place, past, rules) == weigh(seen, place, past, rules, make_plan(seen, rules))


@given(LOG, policies)
def test_redelivery_gives_the_identical_verdict(log: list[tuple[View, int]], rules: Policy) -> None:
    """Even after all later facts, and it teaches the history nothing."""
    placed = positions(log)
    judgements, past = replay(placed, EMPTY, rules)
    for (seen, place), judgement in zip(placed, judgements, strict=True):
        again = judge(seen, place, past, rules)
        assert again.verdict == judgement.verdict
        assert again.history == past


@given(LOG, policies, st.data())
def test_a_log_replayed_in_two_parts_equals_one_replay(
    log: list[tuple[View, int]], rules: Policy, data: st.DataObject
) -> None:
    """Even if the second part begins before the first one ended."""
    placed = positions(log)
    whole, end = replay(placed, EMPTY, rules)
    stop = data.draw(st.integers(0, len(placed)))
    start = data.draw(st.integers(0, stop))
    _, middle = replay(placed[:stop], EMPTY, fresh(rules))
    rest, again = replay(placed[start:], middle, fresh(rules))
    assert rest == [Judgement(each.verdict, other.history) for each, other in zip(whole[start:], rest, strict=True)]
    assert again == end


@given(views, merged_histories(), policies)
def test_a_blocked_event_leaves_no_trace(seen: View, past: History, rules: Policy) -> None:
    """It did not happen."""
    judgement = judge(seen, after(past), past, rules)
    if judgement.verdict.decision is Decision.BLOCK:
        assert judgement.history is past
        assert (judgement.verdict.obligations, judgement.verdict.outcome) == ((), None)


@given(
    ordinary_views(),
    merged_histories(),
    st.lists(st.sampled_from(WORDS), min_size=3, max_size=3),
    st.sampled_from(WORDS[1:]),
    st.data(),
)
def test_a_stricter_policy_never_loosens(
    seen: View, past: History, words: list[str], third: str, data: st.DataObject
) -> None:
    """Stricter actions, consent instead of another basis, or no survival: never a milder decision.

    Redacting excess instead of warning of it is left out: that is another remedy, which lets
    through what then needs neither consent nor condition.
    """
    mild = policy(P1=words[0], P2=words[1], P3=third, P4=words[2])
    strict = _stricter(mild, data)
    place = after(past)
    assert judge(seen, place, past, strict).verdict.decision >= judge(seen, place, past, mild).verdict.decision


def _stricter(mild: Policy, data: st.DataObject) -> Policy:
    actions = {
        predicate: data.draw(st.sampled_from([word for word in Decision if word >= action]))
        for predicate, action in mild.actions.items()
    }
    asked = data.draw(st.booleans())
    service = replace(mild.purposes["service"], legal_basis=LegalBasis.CONSENT if asked else LegalBasis.CONTRACT)
    law = replace(mild.purposes["law"], survives_erasure=data.draw(st.booleans()))
    return replace(
        mild,
        actions=actions,
        undeclared_tool=Decision.BLOCK,
        purposes={**mild.purposes, "service": service, "law": law},
    )


@given(ordinary_views(), merged_histories(), policies, st.randoms(use_true_random=False))
def test_order_does_not_matter(seen: View, past: History, rules: Policy, chance: Any) -> None:
    """Neither of purposes nor of findings, nor does saying either twice."""
    claims, findings = list(seen.purposes) * 2, list(seen.findings) * 2
    chance.shuffle(claims)
    chance.shuffle(findings)
    shuffled = replace(seen, purposes=tuple(claims), findings=tuple(findings))
    assert judge(shuffled, after(past), past, rules) == judge(seen, after(past), past, rules)


@given(ordinary_views(), merged_histories(), policies, purposes)
def test_an_inferred_purpose_never_loosens(seen: View, past: History, rules: Policy, purpose: str) -> None:
    """What an extractor concludes can only make a verdict stricter."""
    more = replace(seen, purposes=(*seen.purposes, PurposeClaim(purpose, Provenance.INFERRED)))
    place = after(past)
    assert judge(more, place, past, rules).verdict.decision >= judge(seen, place, past, rules).verdict.decision


@given(ordinary_views(), histories(), policies, withdrawals)
def test_a_withdrawal_never_loosens(seen: View, past: History, rules: Policy, fact: Any) -> None:
    """Whatever is withdrawn, nothing becomes allowed by it."""
    place = after(past, 2)
    more = History((*past.entries, Entry(past.through + 1, 60, fact)), past.through + 1)
    assert judge(seen, place, more, rules).verdict.decision >= judge(seen, place, past, rules).verdict.decision


@given(ordinary_views(), histories(), policies, consents)
def test_a_consent_never_tightens(seen: View, past: History, rules: Policy, fact: ConsentFact) -> None:
    """Except that who is only mentioned is asked for consent once there is an opinion of theirs."""
    if seen.role.value == "mentioned":
        return
    place = after(past, 2)
    more = History((*past.entries, Entry(past.through + 1, 60, fact)), past.through + 1)
    assert judge(seen, place, more, rules).verdict.decision <= judge(seen, place, past, rules).verdict.decision


@given(ordinary_views(), histories(), policies, consents, purposes)
def test_a_broader_consent_covers_at_least_as_much(
    seen: View, past: History, rules: Policy, fact: ConsentFact, purpose: str
) -> None:
    """An ancestor covers its descendants: consent to it never leads to a stricter verdict."""
    place = after(past, 2)

    def consented(name: str) -> Decision:
        entry = Entry(past.through + 1, 60, replace(fact, purposes=(name,)))
        return judge(seen, place, History((*past.entries, entry), past.through + 1), rules).verdict.decision

    broad = purpose.rpartition(".")[0] or purpose
    assert consented(broad) <= consented(purpose)


@given(fact_views, merged_histories(), policies)
def test_rights_are_never_blocked(seen: View, past: History, rules: Policy) -> None:
    """Withdrawals, requests and links pass; only a consent can be refused."""
    if seen.kind.value != "ConsentGiven":
        assert judge(seen, after(past), past, rules).verdict.decision is Decision.FORWARD


@given(everyday_views() | views, merged_histories(), policies, NOW, st.data())
def test_pruning_changes_no_later_verdict(
    seen: View, past: History, rules: Policy, cut: int, data: st.DataObject
) -> None:
    """What stands behind the pruned facts is judged byte for byte as before."""
    margin = data.draw(st.integers(0, 20))
    place = at(past.through + 1, data.draw(st.integers(max(0, cut - margin), 60)))
    pruned = prune(past, cut, margin)
    assert judge(seen, place, pruned, rules).verdict == judge(seen, place, past, rules).verdict


@given(LOG, st.integers(0, 60))
def test_a_log_replayed_over_pruned_histories_gives_the_same_verdicts(log: list[tuple[View, int]], margin: int) -> None:
    """Pruning after every event is the same as never pruning."""
    rules = POLICIES[0]
    placed = positions(log)
    whole, _ = replay(placed, EMPTY, rules)
    past = EMPTY
    for (seen, place), judgement in zip(placed, whole, strict=True):
        pruned = judge(seen, place, past, rules)
        assert pruned.verdict == judgement.verdict
        past = prune(pruned.history, place.recorded_at, margin)


@given(ordinary_views(), merged_histories(), policies)
def test_every_violation_says_what_it_rests_on(seen: View, past: History, rules: Policy) -> None:
    """Rule, reason, article, evidence, message; never the subject's findings' text, which it does not have."""
    verdict = judge(seen, after(past), past, rules).verdict
    for each in verdict.violations:
        assert each.rule in {predicate.value for predicate in Predicate}
        assert each.reason
        assert each.article.startswith("GDPR Art. ")
        assert each.evidence
        assert each.message
        assert each.subject == seen.subject
        assert each.decision > Decision.FORWARD
    assert bool(verdict.obligations) <= (verdict.decision is Decision.REDACT)

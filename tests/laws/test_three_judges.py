"""Laws of agreement: three judges that share no code say the same of every event, whatever the policy."""

import json
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from lawful.infra.crosscheck.drive import Driver
from lawful.infra.crosscheck.worlds import Only
from lawful.policies.crosscheck import Panel, compare
from lawful.policies.crosscheck.generate import World
from lawful.policies.crosscheck.panel import opinion, witnesses
from lawful.policies.judge import At, judge
from lawful.policies.mfotl.judge import MfotlJudge
from lawful.policies.model import (
    DEFAULT_ACTIONS,
    Article9,
    Article10,
    Controller,
    LegalBasis,
    Policy,
    PurposeRule,
    ToolRule,
)
from lawful.policies.rego.judge import RegoJudge
from lawful.schemas.history import EMPTY, History
from lawful.schemas.verdict import Decision, Predicate, Verdict
from lawful.schemas.view import View
from tests.laws.worlds import CATEGORIES, PURPOSES, merged_histories, views
from tests.policies.samples import at, policy

REGO = RegoJudge()
WORDS = (Decision.WARN, Decision.REDACT, Decision.BLOCK)
BASES = (LegalBasis.CONSENT, LegalBasis.CONSENT, LegalBasis.CONTRACT, LegalBasis.LEGAL_OBLIGATION)
ONE_PERSON = (("one", "other"),)
Judged = tuple[View, At, Verdict]


@st.composite
def purpose_rules(draw: st.DrawFn, key: str) -> PurposeRule:
    """What a policy may say about a purpose, sensible or not."""
    return PurposeRule(
        key=key,
        legal_basis=draw(st.sampled_from(BASES)),
        necessary=frozenset(draw(st.lists(st.sampled_from(CATEGORIES[:-1]), max_size=3))),
        article9=draw(st.sampled_from([None, None, *list(Article9)[:3]])),
        article10=draw(st.sampled_from([None, None, Article10.AUTHORISED_BY_LAW])),
        survives_erasure=draw(st.booleans()),
    )


@st.composite
def small_policies(draw: st.DrawFn) -> Policy:
    """Policies of a few purposes that cover each other, with any actions."""
    keys = draw(st.lists(st.sampled_from(PURPOSES), min_size=1, max_size=4, unique=True))
    tools = draw(st.lists(st.sampled_from(["find", "mail"]), max_size=2, unique=True))
    return Policy(
        id="drawn",
        version="1",
        digest="drawn",
        controller=Controller("Drawn"),
        purposes={key: draw(purpose_rules(key)) for key in keys},
        tools={tool: ToolRule(tool, (draw(st.sampled_from(keys)),)) for tool in tools},
        message_purposes=tuple(keys[:1]),
        actions=dict(DEFAULT_ACTIONS) | {each: draw(st.sampled_from(WORDS)) for each in list(Predicate)[:4]},
        undeclared_tool=draw(st.sampled_from(WORDS)),
    )


def trace(rules: Policy, seed: int, length: int = 30) -> list[tuple[View, At]]:
    """One person's generated events, with their places."""
    found: list[tuple[View, At]] = []
    for several in World(rules, Random(seed), people=ONE_PERSON).events(length):
        for view in several[:1]:
            mine = replace(view, key="one", subject=None if view.subject is None else "one", part=0, parts=1)
            found.append((mine, at(len(found) * 2, view.recorded_at)))
    return found


def run(events: Sequence[tuple[View, At]], rules: Policy) -> tuple[list[Judged], History]:
    """The operational judge over a trace."""
    history, judged = EMPTY, []
    for view, place in events:
        judgement = judge(view, place, history, rules)
        judged.append((view, place, judgement.verdict))
        history = judgement.history
    return judged, history


@settings(max_examples=15, deadline=None)
@given(small_policies(), st.integers(0, 2**32))
def test_judges_agree_on_drawn_policies_and_traces(rules: Policy, seed: int) -> None:
    """Links, merges, several people, expiries, re-grants and erasures: no judge differs on any event."""
    driver = Driver(Only(rules), REGO)
    for several in World(rules, Random(seed)).events(40):
        driver.take(several)
    assert driver.tally.first is None


@settings(max_examples=60, deadline=None)
@given(views, merged_histories(), st.sampled_from([policy(), policy(P3="warn"), policy(P1="redact", P4="redact")]))
def test_judges_agree_on_drawn_histories(seen: View, past: History, rules: Policy) -> None:
    """One event and any history, asked about out of the blue as a worker does that samples events."""
    agreement = compare(seen, at(past.through + 1, 60), past, rules)
    assert agreement.faults == ()


@settings(max_examples=12, deadline=None)
@given(small_policies(), st.integers(0, 2**32))
def test_nothing_that_comes_after_changes_a_verdict(rules: Policy, seed: int) -> None:
    """Once violated, later events don't mend it: with all later facts known, each judge repeats itself."""
    judged, whole = run(trace(rules, seed), rules)
    for view, place, verdict in judged:
        assert judge(view, place, whole, rules).verdict == verdict
        assert compare(view, place, whole, rules).agrees


@settings(max_examples=12, deadline=None)
@given(small_policies(), st.integers(0, 2**32))
def test_a_blocked_event_leaves_no_trace(rules: Policy, seed: int) -> None:
    """Had the blocked events not been there, every other verdict would be the same, for each judge."""
    judged, whole = run(trace(rules, seed), rules)
    passed = [(view, place) for view, place, verdict in judged if verdict.decision is not Decision.BLOCK]
    again, without = run(passed, rules)
    assert without == whole
    assert [verdict for _, _, verdict in again] == [
        verdict for _, _, verdict in judged if verdict.decision is not Decision.BLOCK
    ]
    panel, history = Panel(REGO), EMPTY
    for view, place, verdict in again:
        assert panel.compare(view, place, history, rules, verdict).agrees
        history = judge(view, place, history, rules).history


@settings(max_examples=12, deadline=None)
@given(small_policies(), st.integers(0, 2**32), st.integers(0, 30))
def test_a_restored_formal_judge_goes_on_as_if_nothing_happened(rules: Policy, seed: int, cut: int) -> None:
    """State written as JSON and read back in mid-trace changes no later verdict."""
    events = trace(rules, seed)
    whole, first, second = MfotlJudge(), MfotlJudge(), MfotlJudge()
    history = EMPTY
    for number, (view, place) in enumerate(events):
        if number == cut:
            second.load(json.loads(json.dumps(first.save())))
        resumed = first if number < cut else second
        assert resumed.judge(view, place, history, rules) == whole.judge(view, place, history, rules)
        history = judge(view, place, history, rules).history


@settings(max_examples=60, deadline=None)
@given(views, merged_histories())
def test_every_violation_has_its_witness(seen: View, past: History) -> None:
    """What is told to the other judges about a verdict loses no predicate."""
    verdict = judge(seen, at(past.through + 1, 60), past, policy()).verdict
    rules = {each.rule for each in verdict.violations}
    assert {witness.predicate.value for witness in witnesses(verdict)} == rules - {"error"}
    assert opinion(verdict).decision is verdict.decision

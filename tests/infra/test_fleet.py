"""The demo's fleet: the same seed tells the same stories, and verdicts are what the stories expect."""

from collections import Counter
from itertools import chain

import pytest

from lawful.infra.compose_root import in_process
from lawful.infra.fleet import Story, stories
from lawful.infra.fleet.cast import TRADES
from lawful.infra.fleet.run import Fleet, Played
from lawful.infra.settings import Settings
from lawful.policies.load import load_pack
from lawful.schemas.event import ConsentGiven, PayloadKind, ToolCall
from lawful.schemas.verdict import Decision


@pytest.fixture(scope="module")
def told() -> list[Story]:
    """All stories of the usual seed."""
    return list(chain.from_iterable(stories()))


@pytest.fixture(scope="module")
def played(told: list[Story]) -> list[Played]:
    """What becomes of them in one process, with the real extractor."""
    transport = in_process(Settings(pseudonym_key=b"k" * 32, default_policy="shopper"))
    outcomes: list[Played] = []
    Fleet(transport, tenant="demo").play(stories(), outcomes.append)
    transport.close()
    return outcomes


def test_one_seed_tells_one_set_of_stories() -> None:
    """Stories differ by seed alone."""
    assert stories(1) == stories(1)
    assert stories(1) != stories(2)


def test_it_is_a_fleet_of_some_size(told: list[Story]) -> None:
    """Over a hundred sessions of all four trades, some hundred events, each session under its own name."""
    assert len(told) > 100
    assert 600 <= sum(len(story.steps) for story in told) <= 1000
    assert {story.policy_id for story in told} == {trade.POLICY for trade in TRADES}
    assert len({story.session_id for story in told}) == len(told)


def test_the_stories_hold_what_the_demo_is_about(told: list[Story]) -> None:
    """Consents, withdrawals, expiries, erasures, links, several subjects, tools that no policy declares."""
    steps = [step for story in told for step in story.steps]
    kinds = {PayloadKind(type(step.payload).__name__) for step in steps}
    assert {PayloadKind.CONSENT_GIVEN, PayloadKind.CONSENT_WITHDRAWN, PayloadKind.DATA_SUBJECT_REQUEST} <= kinds
    assert any(len(step.subjects) > 1 for step in steps)
    assert any(step.expires_in_ms for step in steps)
    assert any(isinstance(step.payload, ConsentGiven) and step.payload.re_enrols for step in steps)
    declared_by = {trade.POLICY: load_pack(trade.POLICY).tools for trade in TRADES}
    for story in told:
        declared = declared_by[story.policy_id]
        unknown = [
            step for step in story.steps if isinstance(step.payload, ToolCall) and step.payload.tool not in declared
        ]
        assert all(step.expect is Decision.BLOCK for step in unknown), story.session_id


def test_verdicts_are_what_the_stories_expect(played: list[Played]) -> None:
    """No surprise, and no false alarm, in any step of any story."""
    surprises = [
        (each.story.session_id, each.event.kind.value, each.verdict.decision.word, each.verdict.violations)
        for each in played
        if not each.as_scripted
    ]
    assert not surprises


def test_all_decisions_and_predicates_occur(played: list[Played]) -> None:
    """The demo shows the whole range."""
    decisions = Counter(each.verdict.decision for each in played)
    predicates = {violation.rule for each in played for violation in each.verdict.violations}
    assert set(decisions) == set(Decision)
    assert predicates >= {"P1", "P2", "P3", "P4"}


def test_what_is_delivered_is_redacted(played: list[Played]) -> None:
    """Blocked payloads are not delivered; redacted ones differ from what was asked; others do not."""
    for each in played:
        if each.verdict.decision is Decision.BLOCK:
            assert each.delivered is None
        elif each.verdict.decision is Decision.REDACT:
            assert each.delivered not in (None, each.event.payload)
        else:
            assert each.delivered == each.event.payload

"""Laws of channels and combinations: they add to a verdict, and never loosen or hide what P1 to P4 say."""

from dataclasses import replace
from functools import cache
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from lawful.policies.crosscheck.generate import channelled
from lawful.policies.judge import judge
from lawful.policies.labels.judging import judge_labelled
from lawful.policies.model import Policy
from lawful.schemas.history import EMPTY, History
from lawful.schemas.taxonomy import is_personal
from lawful.schemas.verdict import Decision
from lawful.schemas.view import SubjectRole, View
from tests.laws.worlds import merged_histories, ordinary_views
from tests.policies.samples import at, policy

SAMPLE = policy()
seeds = st.integers(0, 15)
chosen = st.lists(
    st.sampled_from(["channel-0", "channel-1", "channel-2", "gone", "+together", "+gone"]), max_size=3, unique=True
).map(tuple)


@cache
def with_channels(seed: int) -> Policy:
    """The sample policy with drawn channels."""
    return channelled(SAMPLE, Random(seed))


@settings(max_examples=50)
@given(ordinary_views(), merged_histories(), chosen, seeds)
def test_channels_never_loosen_a_verdict(seen: View, past: History, channels: tuple[str, ...], seed: int) -> None:
    """With channels a verdict is as strict or stricter, whatever they say; all that was said before is said still."""
    rules = with_channels(seed)
    place = at(past.through + 1, 61)
    plain = judge(seen, place, past, rules)
    done = judge(replace(seen, channels=channels), place, past, rules)
    assert done.verdict.decision >= plain.verdict.decision
    assert set(plain.verdict.violations) <= set(done.verdict.violations)
    if done.verdict.decision is Decision.REDACT:
        assert set(plain.verdict.obligations) <= set(done.verdict.obligations)
    if done.verdict.decision is Decision.BLOCK:
        assert done.history is past


@settings(max_examples=30)
@given(ordinary_views(), merged_histories(), chosen, seeds)
def test_one_channel_more_never_loosens(seen: View, past: History, channels: tuple[str, ...], seed: int) -> None:
    """Whoever an event may also be for can only make its verdict stricter; their order does not matter."""
    rules = with_channels(seed)
    place = at(past.through + 1, 61)
    verdicts = [judge(replace(seen, channels=channels[:count]), place, past, rules).verdict for count in range(4)]
    assert [each.decision for each in verdicts] == sorted(each.decision for each in verdicts)
    assert judge(replace(seen, channels=channels[::-1]), place, past, rules).verdict == verdicts[-1]


@settings(max_examples=40)
@given(st.lists(ordinary_views(), min_size=2, max_size=8), seeds)
def test_nobody_learns_more_than_a_combination_allows(views: list[View], seed: int) -> None:
    """Whatever comes in whatever order, again and again: what one recipient got as it was is never too much."""
    rules = with_channels(seed)
    assert rules.channels is not None
    rule = rules.channels.combinations["together"]
    history, got = EMPTY, set[str]()
    for number, view in enumerate(views):
        seen = replace(
            view, event_id=f"e{number}", channels=("+together",), subject="subject", role=SubjectRole.PRINCIPAL
        )
        place = at(number, number)
        verdict, history = (done := judge_labelled(seen, place, history, rules)[1]).verdict, done.history
        treated = {(each.path, each.start, each.end) for each in verdict.obligations}
        if verdict.decision < Decision.BLOCK:
            got |= {each.category for each in seen.findings if (each.path, each.start, each.end) not in treated}
        if rule.handling.decision is not Decision.WARN:
            assert len(rule.of(each for each in got if is_personal(each))) <= rule.most

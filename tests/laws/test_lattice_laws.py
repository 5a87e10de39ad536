"""Laws of combining: neither order nor repetition can change a verdict."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from lawful.policies.judge import judge
from lawful.policies.lattice import combine
from lawful.schemas.history import History
from lawful.schemas.verdict import Decision, Verdict
from lawful.schemas.view import View
from tests.laws.worlds import merged_histories, views
from tests.policies.samples import at, policy

RULES = policy()


@st.composite
def shares(draw: st.DrawFn) -> list[Verdict]:
    """What several subjects' views of one event led to."""
    cases: list[tuple[View, History]] = draw(st.lists(st.tuples(views, merged_histories()), min_size=1, max_size=4))
    return [
        judge(replace(seen, event_id="e", key=f"k{place}"), at(50 + place, 60), past, RULES).verdict
        for place, (seen, past) in enumerate(cases)
    ]


@given(shares(), st.randoms(use_true_random=False))
def test_combining_is_commutative_and_idempotent(verdicts: list[Verdict], chance: object) -> None:
    """In any order, any number of times."""
    combined = combine(verdicts)
    again = [*verdicts, *verdicts]
    chance.shuffle(again)  # type: ignore[attr-defined]
    assert combine(again) == combined
    assert combined.decision is max(each.decision for each in verdicts)


@given(shares(), shares())
def test_combining_is_associative_in_what_it_decides(some: list[Verdict], others: list[Verdict]) -> None:
    """Groups may be combined first, as long as no block has dropped what a group owed."""
    once = combine([*some, *others])
    twice = combine([combine(some), combine(others)])
    assert (once.decision, once.violations, once.decided_on) == (twice.decision, twice.violations, twice.decided_on)
    assert once.obligations == (twice.obligations if once.decision is Decision.REDACT else ())

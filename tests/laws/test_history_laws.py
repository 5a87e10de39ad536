"""Laws of remembering: addressed by offset, added once, merged strictly."""

from hypothesis import given
from hypothesis import strategies as st

from lawful.policies.history import add, as_of, merge, prune
from lawful.policies.standing import erasure, need, shortfall
from lawful.schemas.history import ConsentFact, Fact, History, MergeFact, RequestFact, WithdrawalFact
from lawful.schemas.taxonomy import covers
from tests.laws.worlds import NOW, facts, histories, merged_histories, opinions


@given(merged_histories(), facts, st.integers(0, 30), NOW)
def test_adding_is_idempotent_and_keeps_the_order(past: History, fact: Fact, offset: int, time: int) -> None:
    """Once is as often as you like, and offsets never fall."""
    once = add(past, offset, time, fact)
    assert add(once, offset, time, fact) is once
    offsets = [entry.offset for entry in once.entries]
    assert offsets == sorted(offsets)
    assert once.through >= max(past.through, offset if once is not past else -1)


@given(histories(), facts, st.integers(0, 30), NOW, st.integers(0, 30))
def test_a_fact_is_unknown_before_its_offset(past: History, fact: Fact, offset: int, time: int, earlier: int) -> None:
    """Reading as of an earlier place, or of its own, does not see it."""
    if earlier <= offset:
        assert as_of(add(past, offset, time, fact), earlier) == as_of(past, earlier)


@given(
    st.lists(st.tuples(st.integers(0, 20), facts), max_size=6, unique_by=lambda each: each[0]),
    st.randoms(use_true_random=False),
)
def test_facts_can_arrive_in_any_order(told: list[tuple[int, Fact]], chance: object) -> None:
    """The row depends on the facts and their places only."""
    straight = shuffled = History()
    for offset, fact in told:
        straight = add(straight, offset, offset, fact)
    chance.shuffle(told)  # type: ignore[attr-defined]
    for offset, fact in told:
        shuffled = add(shuffled, offset, offset, fact)
    assert shuffled == straight


def allowed(past: History, purpose: str, category: str, time: int) -> bool:
    """Whether the subject's consent covers this."""
    return (
        erasure(past.entries) is None
        and shortfall(past.entries, need(purpose, [category], explicit=True), time) is None
    )


def has_say(past: History, purpose: str) -> bool:
    """Whether this side ever withdrew the purpose."""
    return any(
        (
            isinstance(entry.fact, WithdrawalFact)
            and (entry.fact.purposes is None or any(covers(name, purpose) for name in entry.fact.purposes))
        )
        or (isinstance(entry.fact, RequestFact) and entry.fact.kind.value == "erasure")
        for entry in past.entries
    )


def joined(ours: History, theirs: History) -> History:
    """Both, linked behind all of them."""
    return merge(ours, MergeFact("link", "alias", theirs.entries), max(ours.through, theirs.through) + 1, 60)


# Asked of every merged history, rather than drawn: what is allowed for each, and when.
ASKED = [
    (purpose, category, time)
    for purpose in ("marketing", "marketing.email", "marketing.email.weekly", "marketing.sms", "research")
    for category in ("user.contact.email", "user.name", "user.health_and_medical.genetic")
    for time in (0, 30, 61)
]
# Few words, so that what one side says meets what the other says.
tight = st.builds(
    ConsentFact,
    st.just("c"),
    st.sampled_from(["marketing", "marketing.email"]).map(lambda purpose: (purpose,)),
    st.sampled_from([None, None, ("user.contact",), ("user.contact.email", "user.health_and_medical"), ("user",)]),
    st.sampled_from([None, None, 20, 62]),
) | st.builds(WithdrawalFact, st.just("w"), st.sampled_from([None, ("marketing",), ("marketing.email",)]))


@given(histories(tight, 4) | histories(), histories(tight, 4) | histories())
def test_merging_is_commutative_in_its_denials(ours: History, theirs: History) -> None:
    """Whichever pseudonym is the lower one, the same is denied."""
    one, two = joined(ours, theirs), joined(theirs, ours)
    assert [allowed(one, *asked) for asked in ASKED] == [allowed(two, *asked) for asked in ASKED]
    assert (erasure(one.entries) is None) == (erasure(two.entries) is None)


@given(histories(tight, 4) | histories(opinions), histories(tight, 4) | histories(opinions))
def test_merging_is_exactly_as_strict_as_both_sides(ours: History, theirs: History) -> None:
    """Allowed is what one side allows and no side that ever withdrew it denies."""
    whole = joined(ours, theirs)
    for purpose, category, time in ASKED:
        one, two = allowed(ours, purpose, category, time), allowed(theirs, purpose, category, time)
        denied = (has_say(ours, purpose) and not one) or (has_say(theirs, purpose) and not two)
        assert allowed(whole, purpose, category, time) == ((one or two) and not denied), (purpose, category, time)


@given(histories(), histories())
def test_merging_keeps_every_erasure(ours: History, theirs: History) -> None:
    """An erasure that holds on either side holds for the whole person."""
    held = erasure(ours.entries) is not None or erasure(theirs.entries) is not None
    assert (erasure(joined(ours, theirs).entries) is not None) == held


@given(histories(), histories(), st.integers(0, 30), NOW)
def test_merging_is_idempotent(ours: History, theirs: History, offset: int, time: int) -> None:
    """The link delivered again changes nothing."""
    fact = MergeFact("link", "alias", theirs.entries)
    once = merge(ours, fact, offset, time)
    assert merge(once, fact, offset, time) == once


@given(merged_histories(), NOW, st.integers(0, 20))
def test_pruning_is_idempotent(past: History, before: int, margin: int) -> None:
    """What is left after pruning is what matters."""
    once = prune(past, before, margin)
    assert prune(once, before, margin) == once
    assert once.through == past.through
    assert set(once.entries) <= set(past.entries)

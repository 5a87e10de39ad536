"""Sentries are drawn so that nobody without the key knows them, and everybody with it does."""

from collections import Counter
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from lawful.policies.auditing import commitment, draw
from lawful.policies.auditing.sentries import read_terms, terms_of

KEY, OTHER = b"k" * 32, b"o" * 32
POOL = ["mfotl", "pack:a", "python", "rego", "reader"]


def test_every_set_of_sentries_comes_up_about_as_often() -> None:
    """2,000 events, ten possible pairs, 200 expected of each; six standard deviations are 81."""
    drawn = Counter(draw(KEY, "acme", f"event-{number}", POOL, 2) for number in range(2_000))
    assert set(drawn) == set(combinations(sorted(POOL), 2))
    assert all(abs(count - 200) < 81 for count in drawn.values())


def test_another_key_tenant_or_event_draws_others() -> None:
    """None of them can be left out of account."""
    events = [f"event-{number}" for number in range(50)]
    usual = [draw(KEY, "acme", event, POOL, 2) for event in events]
    assert usual != [draw(OTHER, "acme", event, POOL, 2) for event in events]
    assert usual != [draw(KEY, "other", event, POOL, 2) for event in events]
    assert len(set(usual)) > 5


@given(st.permutations(POOL), st.integers(1, 5))
def test_the_order_of_the_pool_does_not_matter(pool: list[str], count: int) -> None:
    """Workers may list it differently."""
    assert draw(KEY, "acme", "event", pool, count) == draw(KEY, "acme", "event", POOL, count)


def test_a_commitment_binds_key_and_terms() -> None:
    """Another key or another pool has another one; it does not contain the key."""
    terms = terms_of(POOL, 2)
    told = {commitment(KEY, terms), commitment(OTHER, terms), commitment(KEY, terms_of(POOL, 3))}
    assert len(told) == 3
    assert all(KEY.hex() not in each and len(each) == 64 for each in told)


def test_terms_are_read_as_they_were_written() -> None:
    """The pool, sorted, and the number."""
    assert read_terms(terms_of(POOL, 2)) == (tuple(sorted(POOL)), 2)

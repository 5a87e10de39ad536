"""Laws of dotted keys: covering is an order, and being special is inherited."""

from hypothesis import given
from hypothesis import strategies as st

from lawful.schemas.taxonomy import categories, covered_by, covers, is_personal, line, special_kind

words = st.sampled_from(["user", "a", "ab", "b", "system"])
keys = st.lists(words, min_size=1, max_size=4).map(".".join) | st.sampled_from(sorted(categories()))


@given(keys, keys, keys)
def test_covering_is_a_partial_order(one: str, two: str, three: str) -> None:
    """Reflexive, antisymmetric, transitive."""
    assert covers(one, one)
    assert not (covers(one, two) and covers(two, one)) or one == two
    assert not (covers(one, two) and covers(two, three)) or covers(one, three)


@given(keys, keys)
def test_a_line_is_all_that_covers(one: str, two: str) -> None:
    """The names above a key, nearest first, are those that cover it."""
    assert (one in line(two)) == covers(one, two)
    assert covered_by(two, [one]) == covers(one, two)
    assert [len(name) for name in line(two)] == sorted((len(name) for name in line(two)), reverse=True)


@given(keys, keys)
def test_being_special_is_inherited(one: str, two: str) -> None:
    """What lies below a special category is special, and what is personal stays so below."""
    if covers(one, two):
        assert special_kind(one) is None or special_kind(two) is not None
        assert is_personal(one) == is_personal(two)

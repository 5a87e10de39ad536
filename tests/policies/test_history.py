"""Histories: read as of an offset, added to once, merged strictly, pruned without changing answers."""

from lawful.policies.history import add, as_of, effective_time, merge, prune
from lawful.policies.standing import erasure, known, seen, withdrawn
from lawful.schemas.history import EMPTY, Entry, History, MergeFact
from tests.policies.samples import SEEN, consent, history, withdrawal
from tests.policies.samples import erasure as erase


def test_only_what_stands_before_an_offset_counts() -> None:
    """The fact of the offset itself is not before it."""
    past = history(SEEN, consent("marketing"))
    assert as_of(past, 1) == ()
    assert as_of(past, 2) == past.entries[:1]
    assert as_of(past, 3) == past.entries


def test_adding_at_an_offset_twice_is_adding_once() -> None:
    """The second time changes nothing, whatever it brings."""
    once = add(EMPTY, 5, 50, consent("marketing"))
    assert add(once, 5, 60, withdrawal()) is once
    assert once.through == 5


def test_a_late_fact_goes_to_its_place() -> None:
    """Filling a gap keeps the order of the log and the row's last offset."""
    past = add(add(EMPTY, 5, 50, SEEN), 2, 20, consent("marketing"))
    assert [entry.offset for entry in past.entries] == [2, 5]
    assert past.through == 5


def test_effective_time_is_never_behind_what_is_known() -> None:
    """The latest stamp counts, whichever it is."""
    past = history(SEEN, SEEN)
    assert effective_time(past.entries, 1) == 2
    assert effective_time(past.entries, 3) == 3
    assert effective_time((), 3) == 3


def test_merging_is_idempotent_and_keeps_the_times() -> None:
    """The alias's facts get the link's offset and keep their time; a second merge changes nothing."""
    theirs = history(SEEN, consent("marketing"))
    fact = MergeFact("link", "alias", theirs.entries)
    once = merge(history(SEEN), fact, 9, 90)
    assert [(entry.offset, entry.recorded_at) for entry in once.entries] == [(1, 1), (9, 90), (9, 1), (9, 2)]
    assert merge(once, fact, 9, 90) is once


def test_merging_a_stranger_only_says_who_it_is() -> None:
    """An alias of which nothing is known brings no fact, and is one of them all the same."""
    past = history(SEEN)
    merged = merge(past, MergeFact("link", "alias"), 9, 90)
    assert merged.entries == (*past.entries, Entry(9, 90, MergeFact("link", "alias")))


def test_an_erasure_on_one_side_holds_for_both() -> None:
    """Even where the other side had enrolled anew on its own."""
    erased = history(SEEN, erase("gone"))
    enrolled = history(consent("marketing", re_enrols=True))
    for ours, theirs in ((erased, enrolled), (enrolled, erased)):
        merged = merge(ours, MergeFact("link", "alias", theirs.entries), 9, 90)
        found = erasure(merged.entries)
        assert found is not None
        assert found.event_id == "gone"


def test_a_side_that_enrolled_anew_is_not_erased_by_its_own_past() -> None:
    """What was lifted stays lifted."""
    ours = history(erase(), consent("marketing", re_enrols=True))
    assert erasure(merge(ours, MergeFact("link", "alias", history(SEEN).entries), 9, 90).entries) is None


def test_the_merge_does_not_count_before_its_offset() -> None:
    """An event in between that is delivered again sees one side only."""
    merged = merge(history(SEEN), MergeFact("link", "alias", history(erase()).entries), 9, 90)
    assert erasure(as_of(merged, 9)) is None
    assert erasure(as_of(merged, 10)) is not None


def test_pruning_bounds_a_history_by_what_was_said_not_how_often() -> None:
    """A thousand toggles of one consent leave a handful of facts."""
    entries = tuple(
        Entry(place, place, consent("marketing") if place % 2 else withdrawal("marketing")) for place in range(1, 1001)
    )
    pruned = prune(History(entries, 1000), 2000)
    assert len(pruned.entries) <= 3
    assert pruned.through == 1000
    assert withdrawn(pruned.entries, "marketing")


def test_pruning_leaves_what_is_within_the_margin() -> None:
    """Facts that a late event could still be judged before stay."""
    past = history(consent("marketing"), withdrawal("marketing"), consent("marketing"))
    assert prune(past, before=10, margin=9) is past
    assert len(prune(past, before=10, margin=0).entries) < 3


def test_pruning_keeps_the_erasure_and_the_first_contact() -> None:
    """Whoever was erased stays erased, and known."""
    pruned = prune(history(SEEN, consent("marketing"), erase(), SEEN), 100)
    assert erasure(pruned.entries) is not None
    assert known(pruned.entries)
    assert seen(pruned, 50)


def test_pruning_keeps_what_lifted_an_erasure() -> None:
    """Someone who enrolled anew and then withdrew is not erased again by forgetting the first."""
    past = history(SEEN, erase(), consent("marketing", re_enrols=True), withdrawal())
    assert erasure(past.entries) is None
    assert erasure(prune(past, 100).entries) is None


def test_pruning_keeps_the_clock() -> None:
    """The latest stamp stays, so that a consent that had expired by it stays expired."""
    past = history(SEEN, consent("marketing"), SEEN)
    assert effective_time(prune(past, 100).entries, 0) == 3

"""Laws of setting apart: each side keeps every restriction, and only its own consents."""

from hypothesis import given, settings
from hypothesis import strategies as st

from lawful.policies.history import add, as_of, merge
from lawful.policies.parting import going, name_of, person, set_apart, staying
from lawful.policies.standing import erasure
from lawful.schemas.history import ConsentFact, Fact, History, MergeFact
from tests.laws.test_history_laws import ASKED, allowed, tight
from tests.laws.worlds import histories, opinions

ROOT, ALIAS = "root", "alias"


@st.composite
def couples(draw: st.DrawFn) -> History:
    """A row into which an alias's history came, and what both did since."""
    told = tight | opinions
    ours, theirs = draw(histories(told, 4) | histories()), draw(histories(told, 4) | histories())
    row = merge(ours, MergeFact("link", ALIAS, theirs.entries), ours.through + 1, 60)
    for fact in draw(st.lists(told, max_size=3)):
        under: tuple[str, ...] = draw(st.sampled_from([(), (ALIAS,)]))
        given_by: Fact = ConsentFact(*_fields(fact), under) if isinstance(fact, ConsentFact) else fact
        row = add(row, row.through + 1, 60, given_by)
    return row


def _fields(fact: ConsentFact) -> tuple[str, tuple[str, ...], tuple[str, ...] | None, int | None, bool]:
    return fact.event_id, fact.purposes, fact.categories, fact.expires_at, fact.re_enrols


def parted(row: History, who: str = ALIAS) -> tuple[History, History]:
    """The rest, and whoever was set apart behind all of it."""
    offset = row.through + 1
    after = set_apart(row, ROOT, who, offset, 60, "unlink")
    return after, person(after, name_of(after, who, offset + 1))


@given(couples(), st.sampled_from([ROOT, ALIAS]))
@settings(max_examples=60)
def test_nothing_is_allowed_to_either_side_that_was_not_to_both(row: History, who: str) -> None:
    """No restriction is lost, whichever of the two is set apart."""
    rest, alone = parted(row, who)
    for asked in ASKED:
        assert allowed(row, *asked) or not (allowed(rest, *asked) or allowed(alone, *asked)), asked
    if erasure(row.entries) is not None:
        assert erasure(rest.entries) is not None
        assert erasure(alone.entries) is not None


@given(couples(), st.sampled_from([ROOT, ALIAS]))
@settings(max_examples=60)
def test_each_side_has_what_it_would_have_without_the_others_consents(row: History, who: str) -> None:
    """Exactly the consents that the other side alone gave are gone, and all else is as it was."""
    rest, alone = parted(row, who)
    without, along = (History(tuple(kept(row.entries, who, ROOT))) for kept in (staying, going))
    assert (erasure(rest.entries) is None) == (erasure(without.entries) is None)
    assert (erasure(alone.entries) is None) == (erasure(along.entries) is None)
    for asked in ASKED:
        assert allowed(rest, *asked) == allowed(without, *asked), asked
        assert allowed(alone, *asked) == allowed(along, *asked), asked


@given(couples(), st.integers(0, 20))
@settings(max_examples=40)
def test_setting_apart_is_unknown_before_its_offset_and_done_once(row: History, earlier: int) -> None:
    """An event from before that is judged again finds one person; delivering it again changes nothing."""
    offset = row.through + 1
    once = set_apart(row, ROOT, ALIAS, offset, 60, "unlink")
    assert set_apart(once, ROOT, ALIAS, offset, 60, "unlink") is once
    assert name_of(once, ALIAS, offset) == ""
    assert as_of(once, min(earlier, offset)) == as_of(row, min(earlier, offset))

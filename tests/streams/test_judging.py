from dataclasses import replace
from typing import Any

import pytest

from lawful.policies import judge as judge_module
from lawful.policies.judge import At
from lawful.schemas.event import ConsentGiven, ConsentWithdrawn, IdentityLinked, UserMessage
from lawful.schemas.history import ConsentFact, Entry, History, LinkFact, MergeFact
from lawful.schemas.state import LinkRow
from lawful.schemas.verdict import Decision, Outcome, Partial
from lawful.schemas.view import ExtractionStatus, SourcePosition, View
from lawful.streams import judging
from lawful.streams.kernel import Answer, Redirect, SourceRecord, SubjectRow, annotate, step
from lawful.streams.sameness import First, substance
from tests.streams.kit import ADA, ADA_ID, BOB, KERNEL, OnePolicy, make_event, pseudonym, reasons

POLICIES = OnePolicy()
LOW, MIDDLE, HIGH = "1" * 64, "5" * 64, "9" * 64
SOURCE = SourceRecord(SourcePosition("lawful.events", 0, 0), 1_000)


def at(offset: int, time: int = 1_000) -> At:
    """A place in `lawful.annotated`."""
    return At("lawful.annotated", 0, offset, time)


def view_of(key: str = HIGH, **changes: Any) -> View:
    """A message's view under this pseudonym."""
    (view,) = annotate(make_event(UserMessage("hello"), ADA), SOURCE, KERNEL)
    return replace(view, key=key, subject=key, **changes)


def link_view(high: str = HIGH, low: str = LOW) -> View:
    """The view that links two pseudonyms."""
    view = annotate(make_event(IdentityLinked((ADA_ID,)), ADA), SOURCE, KERNEL)[1]
    return replace(view, key=high, subject=high, fact=LinkFact(view.event_id, high, low))


def consented(*offsets: int) -> History:
    """Consents at these offsets."""
    return History(tuple(Entry(n, 1_000, ConsentFact(f"e{n}", ("marketing",))) for n in offsets), max(offsets))


def test_an_event_with_one_view_is_answered_here() -> None:
    """One part: the judge stage's verdict is the event's."""
    (answer,) = step(view_of(), at(4), SubjectRow(), POLICIES).emit
    assert isinstance(answer, Answer)
    assert answer.verdict.decided_on == (SourcePosition("lawful.annotated", 0, 4),)
    assert answer.key == HIGH


def test_the_audit_record_does_not_say_where_the_answer_is_awaited() -> None:
    """Reply addresses are nobody's business in the audit, and still reach the answer."""
    source = replace(SOURCE, reply_to=None)
    (view,) = annotate(make_event(UserMessage("x"), ADA), source, KERNEL)
    (answer,) = step(view, at(0), SubjectRow(), POLICIES).emit
    assert isinstance(answer, Answer)
    assert answer.audit.view.reply_to is None


def test_one_of_several_views_is_a_share() -> None:
    """Several parts: the share goes to the combine stage."""
    views = annotate(make_event(UserMessage("hi"), ADA, BOB), SOURCE, KERNEL)
    shares = [step(view, at(n), SubjectRow(), POLICIES).emit[0] for n, view in enumerate(views)]
    assert all(isinstance(share, Partial) for share in shares)


def test_an_aliass_view_goes_to_its_root() -> None:
    """What comes after the link is judged where the root's history is, and says by which name it came."""
    row = SubjectRow(consented(1), LinkRow(LOW, 3))
    done = step(view_of(HIGH), at(4), row, POLICIES)
    assert done.emit == (Redirect(view_of(LOW, origin=HIGH)),)
    assert done.row is row


def test_a_view_from_before_the_link_is_answered_where_it_was() -> None:
    """Judging again what stood before the link gives what it gave before."""
    plain = step(view_of(), at(2), SubjectRow(), POLICIES)
    linked = step(view_of(), at(2), SubjectRow(link=LinkRow(LOW, 3)), POLICIES)
    assert linked.emit == plain.emit


def test_a_duplicate_is_judged_as_of_the_first() -> None:
    """A copy behind the link is answered as its first record in front of it."""
    row = SubjectRow(link=LinkRow(LOW, 3))
    first = step(view_of(), at(2), row, POLICIES)
    again = step(view_of(recorded_at=9_000), at(7, 9_000), row, POLICIES, First(at(2), substance(view_of())))
    assert again.emit == first.emit


def test_a_link_makes_the_higher_one_an_alias_and_sends_its_history_on() -> None:
    """The root gets the facts from before the link, and answers the link's part."""
    done = step(link_view(), at(5), SubjectRow(consented(1, 4, 8)), POLICIES)
    assert done.row.link == LinkRow(LOW, 5)
    (redirect,) = done.emit
    assert isinstance(redirect, Redirect)
    assert redirect.key == LOW
    assert isinstance(redirect.view.fact, MergeFact)
    assert [entry.offset for entry in redirect.view.fact.entries] == [1, 4]


def test_a_link_delivered_again_sends_the_same_again() -> None:
    """The link's own offset is not behind it, so its record leads to the same records."""
    once = step(link_view(), at(5), SubjectRow(consented(1)), POLICIES)
    twice = step(link_view(), at(5), once.row, POLICIES)
    assert twice == once


@pytest.mark.parametrize(
    ("known", "wanted", "origin", "toward"), [(LOW, MIDDLE, None, HIGH), (MIDDLE, LOW, HIGH, None)]
)
def test_linking_a_linked_one_links_the_two_roots(
    known: str, wanted: str, origin: str | None, toward: str | None
) -> None:
    """Keys strictly descend, so links can neither cycle nor fork; both ends stay known by name."""
    done = step(link_view(HIGH, wanted), at(5), SubjectRow(link=LinkRow(known, 2)), POLICIES)
    (redirect,) = done.emit
    assert isinstance(redirect, Redirect)
    assert (redirect.key, redirect.view.origin) == (MIDDLE, origin)
    assert redirect.view.fact == LinkFact(redirect.view.event_id, MIDDLE, LOW, toward)


def test_linking_what_is_linked_already_is_answered_by_the_root() -> None:
    """Nothing is left to merge; the root says `linked`."""
    row = SubjectRow(link=LinkRow(LOW, 2))
    (redirect,) = step(link_view(), at(5), row, POLICIES).emit
    assert isinstance(redirect, Redirect)
    (share,) = step(redirect.view, at(6), SubjectRow(), POLICIES).emit
    assert isinstance(share, Partial)
    assert share.verdict.outcome is Outcome.LINKED


def test_an_exception_in_deciding_is_a_block_that_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A25: the block names the exception's class and not its text."""

    def broken(*_: object) -> None:
        raise ZeroDivisionError("ada@example.com")

    monkeypatch.setattr(judging, "judge_labelled", broken)
    row = SubjectRow(consented(1))
    done = step(view_of(), at(5), row, POLICIES)
    (answer,) = done.emit
    assert isinstance(answer, Answer)
    assert answer.verdict.decision is Decision.BLOCK
    assert reasons(answer.verdict) == {"ZeroDivisionError"}
    assert "ada@" not in repr(answer)
    assert done.row == row
    assert judge_module is not judging


def test_an_event_that_was_not_annotated_is_refused_whatever_the_policy_says() -> None:
    """No action for failed extraction makes an event pass of which nothing is known."""
    view = view_of(status=ExtractionStatus.FAILED, status_reason="not_annotated:KeyError")
    (answer,) = step(view, at(0), SubjectRow(), POLICIES).emit
    assert isinstance(answer, Answer)
    assert reasons(answer.verdict) == {"not_annotated"}
    assert answer.verdict.policy_id == "shop"


def test_pseudonyms_are_what_rows_are_under() -> None:
    """The key of a view is the pseudonym of its subject."""
    (view,) = annotate(make_event(UserMessage("hello"), ADA), SOURCE, KERNEL)
    assert view.key == pseudonym(ADA)


def test_a_long_history_forgets_what_cannot_matter_any_more() -> None:
    """Somebody who toggles a consent for years does not make every later event slower."""
    row, day = SubjectRow(), 24 * 3600 * 1_000_000
    for number in range(400):
        change = ConsentGiven(("marketing",)) if number % 2 else ConsentWithdrawn(("marketing",))
        (view, *_) = annotate(make_event(change, ADA, number=number), SOURCE, KERNEL)
        view = replace(view, recorded_at=number * day)
        row = step(view, at(number, number * day), row, POLICIES).row
    assert len(row.history.entries) <= judging.FEW_FACTS + 1
    assert row.history.entries[-1].offset == 399

from dataclasses import replace
from itertools import count

import pytest

from lawful.policies.judge import At
from lawful.schemas.event import AgentEvent, ConsentGiven, ConsentWithdrawn, IdentityLinked, ToolCall, UserMessage
from lawful.schemas.verdict import Decision
from lawful.schemas.view import ReplyTo, SourcePosition
from lawful.streams.kernel import Answer, Partial, SourceRecord, Tables, annotate, follow, judge_view, merge_share
from lawful.streams.sameness import substance
from tests.streams.kit import ADA, ADA_ID, BOB, KERNEL, OnePolicy, make_event, reasons

MAIL = ToolCall("send_mail", "call", '{"body":"hello ada@example.com"}')
MAIL_BOTH = ToolCall("send_mail", "call", '{"body":"hello ada@example.com, bob@example.com"}')
TIME = 1_700_000_000_000_000


def _at(offset: int) -> At:
    return At("lawful.annotated", 0, offset, TIME)


class World:
    """Takes events all the way; each asks for its verdict at an address of its own."""

    def __init__(self) -> None:
        self.tables = Tables()
        self._offsets = count()

    def put(self, event: AgentEvent) -> Answer:
        """The one answer to an event."""
        offset = next(self._offsets)
        reply = ReplyTo("replies", None, str(offset).encode())
        (answer,) = follow(
            event, SourceRecord(SourcePosition("lawful.events", 0, offset), TIME, reply), KERNEL, self.tables
        )
        assert answer.reply_to == reply
        return answer


def test_a_borrowed_event_id_does_not_bring_a_withdrawn_consent_back() -> None:
    """An event under the id of one from before the withdrawal is not judged as of there."""
    world = World()
    world.put(make_event(ConsentGiven(("marketing",)), ADA, number=1))
    world.put(make_event(UserMessage("hi"), ADA, number=2))
    world.put(make_event(ConsentWithdrawn(("marketing",)), ADA, number=3))
    verdict = world.put(make_event(MAIL, ADA, number=2)).verdict
    assert (verdict.decision, reasons(verdict)) == (Decision.BLOCK, {"event_id_reused"})


def test_an_event_about_several_people_does_not_get_the_verdict_of_another_one() -> None:
    """The second event under an id is blocked, whatever became of the first."""
    world = World()
    assert world.put(make_event(UserMessage("hi bob@example.com"), ADA, number=1)).verdict.decision is Decision.FORWARD
    verdict = world.put(make_event(MAIL_BOTH, ADA, number=1)).verdict
    assert (verdict.decision, reasons(verdict)) == (Decision.BLOCK, {"event_id_reused"})


def test_the_same_words_about_somebody_else_are_another_event() -> None:
    """What was allowed for one principal says nothing about the next."""
    world = World()
    text = UserMessage("hi bob@example.com")
    assert world.put(make_event(text, ADA, number=1)).verdict.decision is Decision.FORWARD
    assert reasons(world.put(make_event(text, ADA_ID, number=1)).verdict) == {"event_id_reused"}


def test_another_sessions_event_id_brings_no_verdict() -> None:
    """The same words in another session are another event."""
    world = World()
    text = UserMessage("hi bob@example.com")
    assert world.put(make_event(text, ADA, number=1)).verdict.decision is Decision.FORWARD
    answer = world.put(make_event(text, ADA, number=1, session_id="another"))
    assert reasons(answer.verdict) == {"event_id_reused"}


def test_a_withdrawal_under_a_known_id_is_never_said_to_be_recorded() -> None:
    """The history keeps one fact per place, so a second one under the same id must be refused aloud."""
    world = World()
    world.put(make_event(ConsentGiven(("marketing",)), ADA, number=1))
    verdict = world.put(make_event(ConsentWithdrawn(None), ADA, number=1)).verdict
    assert (verdict.decision, verdict.outcome) == (Decision.BLOCK, None)


def test_a_link_under_a_known_id_links_nobody() -> None:
    """A refused event leaves no trace in anybody's history."""
    world = World()
    world.put(make_event(IdentityLinked((ADA_ID,)), ADA, number=1))
    rows = dict(world.tables.rows)
    assert reasons(world.put(make_event(IdentityLinked((BOB,)), ADA, number=1)).verdict) == {"event_id_reused"}
    assert {key: row for key, row in world.tables.rows.items() if key in rows} == rows


def test_a_share_of_another_event_does_not_complete_one() -> None:
    """While one share is missing, one of another event under the same id does not stand in for it."""
    tables = Tables()
    mine, other = (
        annotate(make_event(payload, ADA, number=1), SourceRecord(SourcePosition("e", 0, 0), TIME), KERNEL)
        for payload in (MAIL_BOTH, UserMessage("hi bob@example.com"))
    )
    shares = [
        one
        for offset, view in enumerate((mine[0], other[1]))
        for one in judge_view(view, _at(offset), OnePolicy(), tables)
        if isinstance(one, Partial)
    ]
    assert [answer for offset, share in enumerate(shares) for answer in merge_share(share, offset, tables)] == []
    (waiting,) = tables.pending.values()
    assert [part.partial.view.digest for part in waiting.parts] == [mine[0].digest]


@pytest.mark.parametrize("payload", [MAIL, UserMessage("hi bob@example.com"), ConsentGiven(("marketing",))])
def test_a_retry_is_the_same_event(payload: ToolCall | UserMessage | ConsentGiven) -> None:
    """Published again, elsewhere and later, an event has the same substance."""
    event = make_event(payload, ADA)
    one, two = (
        annotate(replace(event, occurred_at=at), SourceRecord(SourcePosition("e", at, at), TIME + at), KERNEL)
        for at in (1, 2)
    )
    assert [substance(view) for view in one] == [substance(view) for view in two]

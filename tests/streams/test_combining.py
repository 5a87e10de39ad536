from dataclasses import replace

import pytest

from lawful.policies.judge import At
from lawful.schemas.event import UserMessage
from lawful.schemas.state import Pending
from lawful.schemas.verdict import Decision, Partial
from lawful.schemas.view import ReplyTo, SourcePosition
from lawful.streams import combining
from lawful.streams.combining import answered_at
from lawful.streams.kernel import Answer, SourceRecord, SubjectRow, annotate, combine_step, expire, overdue, step
from tests.streams.kit import ADA, BOB, KERNEL, OnePolicy, make_event, pseudonym, reasons

REPLY = ReplyTo("lawful.replies.x", 2, b"c")


def shares(text: str = "hello") -> list[Partial]:
    """The shares of an event about Ada, Bob and whoever the text names."""
    source = SourceRecord(SourcePosition("lawful.events", 0, 0), 1_000, REPLY)
    views = annotate(make_event(UserMessage(text), ADA, BOB), source, KERNEL)
    emitted = [
        step(v, At("lawful.annotated", 0, n, 1_000), SubjectRow(), OnePolicy()).emit[0] for n, v in enumerate(views)
    ]
    return [each for each in emitted if isinstance(each, Partial)]


def run(*order: tuple[Partial, int]) -> tuple[Pending | None, list[Answer | None]]:
    """Takes shares in at these offsets."""
    pending: Pending | None = None
    answers: list[Answer | None] = []
    for partial, offset in order:
        pending, answer = combine_step(partial, offset, pending, 2_000 + offset)
        answers.append(answer)
    return pending, answers


@pytest.mark.parametrize("first", [0, 1])
def test_the_share_that_completes_the_event_answers_it(first: int) -> None:
    """Whichever share comes last, the answer is the same, and goes where it is awaited."""
    parts = shares()
    _, answers = run((parts[first], 3), (parts[1 - first], 4))
    assert answers[0] is None
    answer = answers[1]
    assert answer is not None
    assert answer.reply_to == REPLY
    assert answer.audit.view.subject == pseudonym(ADA)
    assert {one.subject for one in answer.audit.subjects} == {pseudonym(ADA), pseudonym(BOB)}


def test_only_the_completing_offset_answers_again() -> None:
    """Delivered again, that offset gives the identical answer, and no other offset gives any."""
    one, two = shares()
    pending, answers = run((one, 3), (two, 4), (one, 3), (two, 4), (one, 9), (two, 10))
    assert [answer is not None for answer in answers] == [False, True, False, True, False, False]
    assert answers[1] == answers[3]
    assert pending is not None
    assert (answered_at(pending), pending.first_seen, pending.done_at) == (4, 2_003, 2_004)


def test_whoever_asks_again_is_told_the_same() -> None:
    """An event published again, awaited elsewhere, has the identical verdict, and is told once."""
    other = ReplyTo("lawful.replies.y", 0, b"d")
    copies = [replace(part, view=replace(part.view, reply_to=other)) for part in shares()]
    _, answers = run(*[(part, n) for n, part in enumerate([*shares(), *copies])])
    assert [answer is not None for answer in answers] == [False, True, True, False]
    first, again = answers[1], answers[2]
    assert first is not None
    assert again is not None
    assert (again.verdict, again.reply_to) == (first.verdict, other)


def test_the_strictest_share_wins() -> None:
    """A share that redacts makes the event's verdict a redaction, with its obligations."""
    _, answers = run(*[(part, n) for n, part in enumerate(shares("call +44123456"))])
    answer = answers[-1]
    assert answer is not None
    assert answer.verdict.decision is Decision.REDACT
    assert len(answer.verdict.obligations) == 1
    assert len(answer.verdict.decided_on) == 2


def test_missing_shares_block_once_and_a_late_one_does_not_answer() -> None:
    """After the wait the event is blocked; the missing share changes nothing any more."""
    one, two = shares()
    pending, _ = run((one, 3))
    assert pending is not None
    expired, answer = expire(pending, 9_000)
    assert (answer.verdict.decision, reasons(answer.verdict)) == (Decision.BLOCK, {"timeout"})
    assert answer.reply_to == REPLY
    after, late = combine_step(two, 4, expired)
    assert late is None
    assert after == expired


def test_expiring_again_gives_the_same() -> None:
    """So an expiry whose answer was lost in a crash can be sent again."""
    pending, _ = run((shares()[0], 3))
    assert pending is not None
    expired, answer = expire(pending, 9_000)
    assert expire(expired, 99_000) == (expired, answer)


def test_the_wait_counts_from_the_first_share() -> None:
    """Overdue is what has waited longer than the timeout and has no answer."""
    one, two = shares()
    waiting, _ = run((one, 0))
    done, _ = run((one, 0), (two, 1))
    assert waiting is not None
    assert done is not None
    assert not overdue(waiting, 3_000, 1_000)
    assert overdue(waiting, 3_001, 1_000)
    assert not overdue(done, 99_000, 1_000)


def test_a_failure_in_combining_is_a_block(monkeypatch: pytest.MonkeyPatch) -> None:
    """A25: an error is a verdict, never a pass."""

    def broken(_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(combining, "combine", broken)
    one, two = shares()
    _, answers = run((one, 0), (two, 1))
    answer = answers[1]
    assert answer is not None
    assert reasons(answer.verdict) == {"ZeroDivisionError"}

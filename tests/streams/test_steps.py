"""What a step does when something is wrong with a record, or with our own code."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pytest
from faust.types import TP

from lawful.schemas.audit import DeadLetter
from lawful.schemas.codec import decode, encode
from lawful.schemas.errors import MustStop
from lawful.schemas.event import AgentEvent, UserMessage
from lawful.schemas.reply import request_headers
from lawful.schemas.state import Pending
from lawful.schemas.topics import TOPICS
from lawful.schemas.verdict import Decision, Partial, Verdict
from lawful.schemas.view import ReplyTo, View
from lawful.streams import kernel
from lawful.streams.effects import Effects, Record, Send
from lawful.streams.steps import AnnotateStep, CombineStep, JudgeStep, StepDeps
from lawful.streams.watermark import Place, lane_for
from tests.streams.kit import ADA, BOB, KERNEL, make_event, reasons

REPLY = ReplyTo("lawful.replies.guard", 1, b"me")
DEPS = StepDeps(KERNEL, TOPICS, TOPICS.reply_prefix, combine_timeout=1_000, retention=5_000)


@dataclass
class Rows:
    """Rows in a dictionary, with what a step's effects do to them."""

    rows: dict[bytes, bytes] = field(default_factory=dict)

    def get(self, key: bytes, /) -> bytes | None:
        """A row."""
        return self.rows.get(key)

    def apply(self, effects: Effects) -> None:
        """Carries puts out."""
        for put in effects.puts:
            if put.value is None:
                self.rows.pop(put.key, None)
            else:
                self.rows[put.key] = put.value


def record(topic: str, value: object | bytes | None, offset: int = 0, *, reply: ReplyTo | None = None) -> Record:
    """A record of some topic."""
    raw = value if isinstance(value, bytes | None) else encode(value)
    return Record(topic, 0, offset, 1_700_000_000_000_000, b"k", raw, tuple(request_headers(reply)) if reply else ())


def to(effects: Effects, topic: str) -> Iterator[Send]:
    """What is sent to a topic."""
    return (send for send in effects.sends if send.topic == topic)


def annotated(event: AgentEvent, reply: ReplyTo | None = None) -> list[View]:
    """An event's views."""
    effects = AnnotateStep(DEPS)(record(TOPICS.events, event, reply=reply), Rows())
    return [decode(send.value, View) for send in to(effects, TOPICS.annotated)]


def test_bytes_that_are_no_event_become_one_dead_letter_and_a_block_for_whoever_waits() -> None:
    """A30: the letter has place, size and reason, not the bytes; the reply echoes the correlation id."""
    effects = AnnotateStep(DEPS)(record(TOPICS.events, b"ada@example.com", 7, reply=REPLY), Rows())
    (sent,) = to(effects, TOPICS.dead_letters)
    letter = decode(sent.value, DeadLetter)
    assert (letter.topic, letter.partition, letter.offset, letter.size) == (TOPICS.events, 0, 7, 15)
    assert (letter.reason, letter.answered) == ("undecodable", True)
    assert b"ada" not in sent.value
    (answer,) = to(effects, REPLY.topic)
    assert decode(answer.value, Verdict).decision is Decision.BLOCK
    assert (answer.partition, dict(answer.headers)["correlation_id"]) == (1, b"me")
    assert effects.refused.startswith("undecodable")


def test_a_record_without_value_or_reply_address_is_only_dead_lettered() -> None:
    """There is nobody to tell."""
    effects = AnnotateStep(DEPS)(record(TOPICS.events, None), Rows())
    assert [send.topic for send in effects.sends] == [TOPICS.dead_letters]


def test_a_reply_address_outside_of_the_prefix_is_not_written_to_and_the_event_is_blocked() -> None:
    """An event cannot make a worker write elsewhere."""
    elsewhere = replace(REPLY, topic="payments")
    event = make_event(UserMessage("hello"), ADA)
    effects = AnnotateStep(DEPS)(record(TOPICS.events, event, reply=elsewhere), Rows())
    assert {send.topic for send in effects.sends} == {TOPICS.annotated, TOPICS.dead_letters}
    (sent,) = to(effects, TOPICS.annotated)
    assert judged(decode(sent.value, View)).decision is Decision.BLOCK


def judged(view: View) -> Verdict:
    """The verdict on a single view."""
    effects = JudgeStep(DEPS)(record(TOPICS.annotated, view), Rows())
    (sent,) = to(effects, TOPICS.verdicts)
    return decode(sent.value, Verdict)


@pytest.mark.parametrize("broken", ["annotate", "step"])
def test_an_exception_of_our_own_is_a_block_and_one_dead_letter(broken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A25: what was meant to be total is not; the event is blocked all the same, without its content."""

    def fails(*_: object) -> object:
        raise KeyError("ada@example.com")

    (view,) = annotated(make_event(UserMessage("hello"), ADA), reply=REPLY)
    monkeypatch.setattr(kernel, broken, fails)
    if broken == "annotate":
        event = make_event(UserMessage("hello"), ADA)
        effects = AnnotateStep(DEPS)(record(TOPICS.events, event, reply=REPLY), Rows())
        (sent,) = to(effects, TOPICS.annotated)
        monkeypatch.undo()
        verdict = judged(decode(sent.value, View))
    else:
        effects = JudgeStep(DEPS)(record(TOPICS.annotated, view), Rows())
        (sent,) = to(effects, REPLY.topic)
        verdict = decode(sent.value, Verdict)
        assert len(list(to(effects, TOPICS.audit))) == 1
    assert verdict.decision is Decision.BLOCK
    (letter,) = to(effects, TOPICS.dead_letters)
    assert decode(letter.value, DeadLetter).error == "KeyError"
    assert not any(b"ada@" in send.value for send in effects.sends)


def test_what_would_be_too_large_to_publish_is_blocked_whole() -> None:
    """Half an answer is none."""
    small = replace(DEPS, max_bytes=1_000)
    event = make_event(UserMessage(" ".join(f"{n}@example.com" for n in range(10))), ADA)
    effects = AnnotateStep(small)(record(TOPICS.events, event), Rows())
    (sent,) = to(effects, TOPICS.annotated)
    assert len(sent.value) < 1_000
    assert judged(decode(sent.value, View)).decision is Decision.BLOCK


def test_a_verdict_goes_to_the_reply_topic_to_all_verdicts_and_to_the_audit() -> None:
    """Keyed by event and by principal; the reply is a courtesy, the others are owed."""
    (view,) = annotated(make_event(UserMessage("hello"), ADA), reply=REPLY)
    effects = JudgeStep(DEPS)(record(TOPICS.annotated, view), Rows())
    assert [(send.topic, send.key, send.courtesy) for send in effects.sends] == [
        (REPLY.topic, view.event_id.encode(), True),
        (TOPICS.verdicts, view.event_id.encode(), False),
        (TOPICS.audit, view.key.encode(), False),
    ]


def test_a_duplicate_is_judged_as_of_its_first_place_also_after_a_restart() -> None:
    """What is recalled from the log is known as if the step had never stopped."""
    (view,) = annotated(make_event(UserMessage("hello"), ADA))
    before, after = JudgeStep(DEPS), JudgeStep(DEPS)
    first = before(record(TOPICS.annotated, view, 3), Rows())
    after.begin(0, [])
    after.recall(record(TOPICS.annotated, view, 3))
    again = after(record(TOPICS.annotated, view, 9), Rows())
    assert [send.value for send in again.sends] == [send.value for send in first.sends]


def shares() -> list[Partial]:
    """Both shares of an event about two people."""
    step, found = JudgeStep(DEPS), []
    for offset, view in enumerate(annotated(make_event(UserMessage("hello"), ADA, BOB), reply=REPLY)):
        effects = step(record(TOPICS.annotated, view, offset), Rows())
        found += [decode(send.value, Partial) for send in to(effects, TOPICS.partials)]
    return found


def test_shares_meet_and_the_last_one_answers() -> None:
    """One answer, and again the same at the same place only."""
    step, rows = CombineStep(DEPS), Rows()
    one, two = shares()
    first = step(record(TOPICS.partials, one, 0), rows)
    rows.apply(first)
    second = step(record(TOPICS.partials, two, 1), rows)
    rows.apply(second)
    assert (len(first.sends), len(second.sends)) == (0, 3)
    assert step(record(TOPICS.partials, two, 1), rows).sends == second.sends
    assert step(record(TOPICS.partials, two, 2), rows).sends == ()


def test_a_missing_share_blocks_after_the_timeout_and_a_late_one_does_not_answer_again() -> None:
    """The row is marked before the answer goes out, and is swept after its retention."""
    step, rows = CombineStep(DEPS), Rows()
    one, two = shares()
    taken = record(TOPICS.partials, one, 0)
    rows.apply(step(taken, rows))
    assert list(step.overdue(0, taken.recorded_at + 1_000, rows)) == []
    ((marked, answered),) = step.overdue(0, taken.recorded_at + 1_001, rows)
    rows.apply(marked)
    (sent,) = to(answered, TOPICS.verdicts)
    assert reasons(decode(sent.value, Verdict)) == {"timeout"}
    rows.apply(answered)
    assert step(record(TOPICS.partials, two, 1), rows).sends == ()
    assert list(step.overdue(0, taken.recorded_at + 6_001, rows)) == []
    ((swept, _),) = step.overdue(0, taken.recorded_at + 6_002, rows)
    rows.apply(swept)
    assert rows.rows == {}


def test_a_crash_between_mark_and_answer_gives_the_same_answer_after_the_restart() -> None:
    """The marked row says that the answer is still owed."""
    step, rows = CombineStep(DEPS), Rows()
    taken = record(TOPICS.partials, shares()[0], 0)
    rows.apply(step(taken, rows))
    ((marked, answered),) = step.overdue(0, taken.recorded_at + 1_001, rows)
    rows.apply(marked)
    again = CombineStep(DEPS)
    again.begin(0, rows.rows.items())
    ((_, once_more),) = again.overdue(0, taken.recorded_at + 9_999, rows)
    assert once_more.sends == answered.sends
    assert decode(next(iter(rows.rows.values())), Pending).timed_out


EVENTS = TP("lawful.events", 0)


@pytest.mark.parametrize(
    ("mark", "place", "start"),
    [
        pytest.param(-1, Place(0, 0, None), 0, id="empty log"),
        pytest.param(-1, Place(5, 9, None), 5, id="new group on an old log"),
        pytest.param(6, Place(0, 9, 3), 7, id="behind the watermark, whatever was committed"),
        pytest.param(6, Place(7, 9, 7), 7, id="log begins right behind"),
    ],
)
def test_a_partition_goes_on_behind_its_watermark(mark: int, place: Place, start: int) -> None:
    """The table says where to go on."""
    assert lane_for(EVENTS.topic, EVENTS.partition, mark, place).next == start


@pytest.mark.parametrize(
    ("mark", "place", "why"),
    [
        pytest.param(3, Place(5, 9, 4), "deleted unread", id="records lost to retention"),
        pytest.param(-1, Place(5, 9, 7), "deleted unread", id="tables lost, log begins later"),
        pytest.param(9, Place(0, 9, None), "emptied or made anew", id="log shorter than the tables"),
    ],
)
def test_a_gap_that_cannot_be_healed_stops_the_worker(mark: int, place: Place, why: str) -> None:
    """Going on would pass over events, or take new ones for old."""
    with pytest.raises(MustStop, match=why):
        lane_for(EVENTS.topic, EVENTS.partition, mark, place)

"""Laws of the kernel over arbitrary logs: what redelivery, interruption and order must not change."""

from hypothesis import given, settings
from hypothesis import strategies as st

from lawful.schemas.event import (
    AgentEvent,
    ConsentGiven,
    ConsentWithdrawn,
    DataSubjectRequest,
    Identifier,
    IdentityLinked,
    Payload,
    RequestKind,
    ToolCall,
    UserMessage,
)
from lawful.schemas.view import SourcePosition
from lawful.streams.kernel import SourceRecord, Tables, annotate
from lawful.streams.replay import Annotated, Replayed, replay, replay_views
from tests.streams.kit import KERNEL, make_event

Entry = tuple[AgentEvent, SourceRecord]

PEOPLE = tuple(Identifier("email", f"{name}@example.com") for name in ("ada", "bob", "eve"))
people = st.lists(st.sampled_from(PEOPLE), max_size=2, unique=True).map(tuple)
purposes = st.sampled_from([("marketing",), ("order",), ("marketing.mail", "order")])
texts = st.sampled_from(["hello", "ada@example.com", "eve@example.com, bob@example.com", "+4412345678", "crash"])
times = st.integers(0, 4).map(lambda minutes: 1_700_000_000_000_000 + minutes * 60_000_000)

payloads: st.SearchStrategy[Payload] = st.one_of(
    st.builds(UserMessage, texts),
    st.builds(ToolCall, st.sampled_from(["send_mail", "find_order", "file_tax", "other"]), st.just("c"), texts),
    st.builds(ConsentGiven, purposes, st.none(), st.none() | times, people, st.just(""), st.booleans()),
    st.builds(ConsentWithdrawn, st.none() | purposes, people),
    st.builds(DataSubjectRequest, st.sampled_from([RequestKind.ERASURE, RequestKind.ACCESS]), st.just("r"), people),
    st.builds(IdentityLinked, people),
    st.builds(IdentityLinked, people, people),
)


@st.composite
def logs(draw: st.DrawFn) -> list[Entry]:
    """Logs of `lawful.events`: times never run back, events are distinct."""
    drawn = draw(st.lists(st.tuples(payloads, people, times), max_size=12))
    clock = sorted(time for _, _, time in drawn)
    return [
        (
            make_event(payload, *subjects, number=n, session_id=f"s{n % 2}"),
            SourceRecord(SourcePosition("lawful.events", 0, n), clock[n]),
        )
        for n, (payload, subjects, _) in enumerate(drawn)
    ]


def annotated(log: list[Entry]) -> list[Annotated]:
    """What the annotate stage publishes of a log."""
    views = [view for event, record in log for view in annotate(event, record, KERNEL)]
    return [Annotated(view, 0, n) for n, view in enumerate(views)]


def judged(log: list[Annotated], onto: Replayed | None = None) -> Replayed:
    """What the judge stage makes of it."""
    return replay_views(log, "lawful.annotated", KERNEL.policies, onto)


@given(logs())
def test_every_event_is_answered_exactly_once(log: list[Entry]) -> None:
    """Whatever is in the log, each event has one verdict; nothing raises."""
    assert set(replay(log, KERNEL).answers) == {event.event_id for event, _ in log}


@given(logs(), st.data())
def test_a_log_replayed_in_two_parts_equals_one(log: list[Entry], data: st.DataObject) -> None:
    """State is all there is: where a replay stops and goes on makes no difference."""
    cut = data.draw(st.integers(0, len(log)))
    whole = replay(log, KERNEL)
    parts = replay(log[cut:], KERNEL, replay(log[:cut], KERNEL))
    assert (parts.answers, parts.rows, parts.pending) == (whole.answers, whole.rows, whole.pending)


@given(logs(), st.data())
@settings(max_examples=150)
def test_redelivering_any_suffix_changes_nothing(log: list[Entry], data: st.DataObject) -> None:
    """At-least-once: the judge stage, started again at any earlier offset, gives and keeps the same."""
    records = annotated(log)
    begin = data.draw(st.integers(0, len(records)))
    once = judged(records)
    again = judged(records[begin:], judged(records))
    assert again.emitted[len(once.emitted) :] == once.emitted[len(judged(records[:begin]).emitted) :]
    assert again.rows == once.rows
    assert not again.contradictions


@given(logs(), st.data())
def test_rows_alone_are_enough_to_go_on_from_any_offset(log: list[Entry], data: st.DataObject) -> None:
    """A worker that takes over has the rows, possibly newer than its place in the log, and nothing else."""
    records = annotated(log)
    begin = data.draw(st.integers(0, len(records)))
    once = judged(records)
    successor = judged(records[begin:], Replayed(Tables(rows=dict(once.tables.rows))))
    assert successor.emitted == once.emitted[len(judged(records[:begin]).emitted) :]
    assert successor.rows == once.rows


@given(logs(), st.data())
def test_events_published_again_keep_their_verdicts(log: list[Entry], data: st.DataObject) -> None:
    """A producer's retry is a new record with another place and time; its verdict is the first one's."""
    copies = data.draw(st.lists(st.sampled_from(log), max_size=6)) if log else []
    late = SourceRecord(SourcePosition("lawful.events", 0, 99), 1_800_000_000_000_000)
    once = replay(log, KERNEL)
    again = replay([(event, late) for event, _ in copies], KERNEL, replay(log, KERNEL))
    assert not again.contradictions
    assert again.rows == once.rows


@given(logs())
def test_other_peoples_events_do_not_matter(log: list[Entry]) -> None:
    """A verdict on an event of nobody else's depends on no other subject's history."""
    alone = [(event, record) for event, record in log if PEOPLE[2] not in _named(event)]
    newcomer = make_event(UserMessage("x"), Identifier("email", "new@example.com"), number=999)
    record = SourceRecord(SourcePosition("lawful.events", 0, 50), 1_900_000_000_000_000)
    with_all = replay([(newcomer, record)], KERNEL, replay(log, KERNEL)).verdicts[newcomer.event_id]
    with_some = replay([(newcomer, record)], KERNEL, replay(alone, KERNEL)).verdicts[newcomer.event_id]
    assert (with_all.decision, with_all.violations) == (with_some.decision, with_some.violations)


def _named(event: AgentEvent) -> tuple[Identifier, ...]:
    return event.subjects + getattr(event.payload, "identifiers", ())

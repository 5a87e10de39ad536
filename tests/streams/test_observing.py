"""What a worker tells of itself: what was done, how it stands, and nothing that could hold it up."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from lawful.policies.model import Policy
from lawful.schemas.codec import decode, encode
from lawful.schemas.event import AgentEvent, ToolCall, UserMessage
from lawful.schemas.topics import Topics
from lawful.schemas.verdict import Decision
from lawful.schemas.view import View
from lawful.streams.effects import Effects, Record
from lawful.streams.observing import Done, Note, Observers, Standing
from lawful.streams.rows import PartitionRows
from lawful.streams.steps import AnnotateStep, CombineStep, JudgeStep, StepDeps
from lawful.streams.store import MemoryStore, PartitionStore, RocksStore
from tests.streams.kit import ADA, BOB, KERNEL, make_event

DEPS = StepDeps(kernel=KERNEL, topics=Topics(), reply_prefix="lawful.replies.")


class Listener:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.heard: list[object] = []

    def done(self, done: Done) -> None:
        """Keeps it."""
        self.heard.append(done)

    def stands(self, standings: Sequence[Standing]) -> None:
        """Keeps them."""
        self.heard.append(tuple(standings))


class Broken:
    """Fails, with somebody's address in its message."""

    def done(self, done: Done) -> None:
        """Fails."""
        raise ValueError("ada@example.com")

    def stands(self, standings: Sequence[Standing]) -> None:
        """Fails."""
        raise ValueError("ada@example.com")


class NoPolicies:
    """Fails when asked."""

    def get(self, policy_id: str | None, /) -> Policy | None:
        """Fails."""
        raise KeyError(policy_id)


DONE = Done(stage="judge", partition=0, offset=1, began=1, ended=2)
STANDING = Standing(stage="judge", topic="t", partition=0, done=3, end=5, rows=1, size=2)


def test_an_observer_that_fails_is_off_and_the_others_hear_on(caplog: pytest.LogCaptureFixture) -> None:
    """A failure of whoever watches reaches nobody, is logged once, and quotes nothing."""
    listener = Listener()
    observers = Observers(Broken(), listener)
    with caplog.at_level(logging.ERROR):
        observers.done(DONE)
        observers.stands([STANDING])
    assert listener.heard == [DONE, (STANDING,)]
    assert caplog.messages == ["Broken failed and is off: ValueError"]


@pytest.mark.parametrize(("end", "lag"), [(5, 2), (3, 0), (2, 0), (None, 0)])
def test_the_lag_is_what_waits(end: int | None, lag: int) -> None:
    """Records behind the last one done; none before the broker has told where the log ends."""
    standing = Standing(stage="judge", topic="t", partition=0, done=3, end=end, rows=0, size=0)
    assert standing.lag == lag


def rows() -> PartitionRows:
    """An empty table."""
    return PartitionRows(MemoryStore())


def record(value: bytes, offset: int = 0) -> Record:
    """A record of some topic."""
    return Record("lawful.events", 0, offset, 1_000_000, b"key", value)


def annotated(event: AgentEvent) -> Effects:
    """What the annotate stage makes of an event."""
    return AnnotateStep(DEPS)(record(encode(event)), rows())


def test_each_stage_tells_of_its_event_and_the_last_one_of_the_verdict() -> None:
    """Annotate and a share of a verdict note the view; whoever answers notes the verdict."""
    effects = annotated(make_event(UserMessage("hello"), ADA, number=1))
    (note,) = effects.notes
    assert note.verdict is None
    (judged,) = JudgeStep(DEPS)(record(effects.sends[0].value), rows()).notes
    assert judged.verdict is not None
    assert (judged.view.event_id, judged.verdict.decision) == (note.view.event_id, Decision.FORWARD)


def test_an_event_about_two_people_is_answered_once() -> None:
    """Both shares are noted without a verdict, the last one at the combine stage with it."""
    effects = annotated(make_event(UserMessage("hello"), ADA, BOB, number=2))
    views = [send.value for send in effects.sends]
    judge, combine, table = JudgeStep(DEPS), CombineStep(DEPS), rows()
    shares = [judge(record(value, offset), table) for offset, value in enumerate(views)]
    assert [note.verdict for share in shares for note in share.notes] == [None, None]
    noted: list[Note] = []
    for offset, share in enumerate(shares):
        found = combine(record(share.sends[0].value, offset), table)
        for put in found.puts:
            table.put(put.key, put.value)
        noted += found.notes
    assert [note.verdict is None for note in noted] == [True, False]


def test_notes_hold_no_content() -> None:
    """What an observer is told of an event is its view, in which the envelope's identifiers are pseudonyms."""
    event = make_event(ToolCall("find_order", "c", '{"to": "ada@example.com"}'), ADA, number=3, session_id=ADA.value)
    effects = annotated(event)
    assert effects.notes[0].view == decode(effects.sends[0].value, View)
    assert "ada@example.com" not in repr(effects.notes)


def test_a_dead_letter_is_told_with_its_reason() -> None:
    """Bytes that are no event, and a failure of our own code, each by its reason."""
    assert AnnotateStep(DEPS)(record(b"no event"), rows()).letter == "undecodable"
    broken = replace(DEPS, kernel=replace(KERNEL, policies=NoPolicies()))
    event = encode(make_event(UserMessage("hello"), ADA, number=4))
    assert AnnotateStep(broken)(record(event), rows()).letter == "exception"
    assert annotated(make_event(UserMessage("hello"), ADA, number=5)).letter == ""


@pytest.mark.parametrize("kind", ["memory", "rocks"])
def test_a_store_tells_how_large_it_is(kind: str, tmp_path: Path) -> None:
    """Rows and bytes, with rows that went away taken off."""
    store: PartitionStore = MemoryStore() if kind == "memory" else RocksStore(tmp_path / "rows")
    store.write([(b"a", b"1" * 100), (b"b", b"2" * 100)], 1)
    assert store.size[0] == 2
    assert store.size[1] >= 202
    store.write([(b"a", None)], 2)
    if kind == "memory":
        assert store.size == (1, 101)
    store.close()

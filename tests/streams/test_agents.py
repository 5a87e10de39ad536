"""A stage takes in what is its, when it is its turn, and loses nothing that it may not take yet."""

import asyncio
from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

import pytest
from faust.exceptions import ProducerSendError
from faust.types import TP

from lawful.schemas.event import Micros
from lawful.streams import agents
from lawful.streams.agents import Stage
from lawful.streams.dead_letters import DeadLetterCounter, DeadLetterLimits
from lawful.streams.effects import Effects, Put, Record, Rows
from lawful.streams.rows import PartitionRows
from lawful.streams.store import MemoryStore
from lawful.streams.watermark import Lane

SOURCE = "lawful.events"


class Step:
    """Notes what it gets and does nothing."""

    looks_back = 0

    def __init__(self) -> None:
        self.taken: list[int] = []

    def __call__(self, record: Record, rows: Rows, /) -> Effects:
        """Notes it."""
        self.taken.append(record.offset)
        return Effects()

    def begin(self, partition: int, rows: Iterable[tuple[bytes, bytes]], /) -> Micros:
        """Nothing."""
        return 0

    def recall(self, record: Record, /) -> None:
        """Nothing."""

    def overdue(self, partition: int, now: Micros, rows: Rows, /) -> Iterable[tuple[Effects, Effects]]:
        """Nothing."""
        return ()


class Consumer:
    """A consumer that may have lost touch with its group."""

    def __init__(self) -> None:
        self.in_touch = True
        self.sought: list[tuple[TP, int]] = []
        self.opened = 0

    async def perform_seek(self) -> None:
        """Counts."""
        self.opened += 1

    async def seek(self, partition: TP, offset: int) -> None:
        """Notes it."""
        self.sought.append((partition, offset))

    def highwater(self, _: TP) -> int | None:
        """Not known."""
        return None


class Producer:
    """Accepts everything at once.

    Attributes:
        end: of the changelog.
    """

    def __init__(self) -> None:
        self.end = 0

    async def send(self, *_: Any) -> "asyncio.Future[Any]":
        """Done already."""
        done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        done.set_result(SimpleNamespace(offset=self.end))
        self.end += 1
        return done


@pytest.fixture
def consumer() -> Consumer:
    """In touch."""
    return Consumer()


@pytest.fixture
def stage(consumer: Consumer) -> Stage:
    """A stage with one open partition."""
    app = SimpleNamespace(
        consumer=consumer,
        producer=Producer(),
        publisher=SimpleNamespace(poll=lambda: None),
        observers=SimpleNamespace(done=lambda _: None),
        fatally=_plainly,
    )
    table: Any = SimpleNamespace(rows={}, changelog_topic_name="changelog")
    made = Stage(app, SOURCE, table=table, step=Step(), counter=DeadLetterCounter("annotate", DeadLetterLimits()))
    made._lanes[0] = Lane(0, -1)
    made._rows[0] = PartitionRows(MemoryStore())
    return made


def message(offset: int) -> Any:
    """As Faust delivers it."""
    return SimpleNamespace(
        topic=SOURCE, partition=0, offset=offset, timestamp=1_700_000_000.0, key=b"k", value=b"v", headers=()
    )


async def test_what_came_while_out_of_touch_is_delivered_again_once_in_touch(stage: Stage, consumer: Consumer) -> None:
    """The broker was away and is back within the session: nobody else had the partition, and nothing may be missed."""
    step: Any = stage.step
    await stage.take(message(0))
    consumer.in_touch = False
    await stage.take(message(1))
    await stage.tick()
    assert consumer.sought == []
    consumer.in_touch = True
    await stage.tick()
    await stage.tick()
    assert consumer.sought == [(TP(SOURCE, 0), 1)]
    await stage.take(message(1))
    assert step.taken == [0, 1]


async def test_what_was_not_missed_is_not_asked_for_again(stage: Stage, consumer: Consumer) -> None:
    """In touch all the time, a stage goes nowhere by itself."""
    await stage.take(message(0))
    await stage.tick()
    assert consumer.sought == []


async def test_a_watermark_that_cannot_be_sent_is_sent_later(stage: Stage) -> None:
    """A worker that slept finds no broker for a moment: it goes on, and notes its place once it can."""
    app: Any = stage._app
    willing, app.producer = app.producer, SimpleNamespace(send=_refused)
    await stage.take(message(0))
    await stage.note()
    assert stage._lanes[0].noted == -1
    app.producer = willing
    await stage.note()
    assert stage._lanes[0].noted == 0


@pytest.mark.parametrize("gap", [False, True])
async def test_whether_a_gap_is_the_logs_own_is_asked_of_the_log(
    stage: Stage, consumer: Consumer, monkeypatch: pytest.MonkeyPatch, *, gap: bool
) -> None:
    """What comes from behind it, twice, may only have waited in a queue."""
    asked: list[tuple[TP, int, int]] = []

    async def nothing_between(_: Any, *place: Any) -> bool:
        asked.append(place)
        return gap

    monkeypatch.setattr(agents, "nothing_between", nothing_between)
    here, step = TP(SOURCE, 0), stage.step
    assert isinstance(step, Step)
    for offset in (0, 5, 6, 5):
        await stage.take(message(offset))
    assert asked == [(here, 1, 5)]
    assert step.taken == ([0, 5] if gap else [0])
    assert consumer.sought == [(here, 1)] * (1 if gap else 2)


async def test_a_stage_that_is_not_alone_goes_on_from_what_the_changelog_says(stage: Stage, consumer: Consumer) -> None:
    """Somebody else's row stands before its own: nothing is taken in before the partition is opened anew."""
    reopened: list[int] = []

    async def reopen(partition: int) -> None:
        reopened.append(partition)

    table: Any = stage.table
    table.reopen = reopen
    await stage.take(message(0))
    await stage.note()
    producer: Any = stage._app.producer
    producer.end += 1
    await stage.take(message(1))
    await stage.note()
    await asyncio.sleep(0)
    consumer.in_touch = False  # then it is this one that was replaced
    await stage.tick()
    await stage.take(message(2))
    assert (stage.durable(), reopened, consumer.opened) == ({}, [], 0)
    consumer.in_touch = True
    await stage.tick()
    await stage.tick()
    await asyncio.wait(stage._reopening.values())
    assert (reopened, consumer.opened) == ([0], 1)
    step: Any = stage.step
    assert step.taken == [0, 1]


class Waiting(Step):
    """One thing is overdue, until it was handed out; what the rows say of it is read when it begins."""

    def __init__(self) -> None:
        super().__init__()
        self.open = True

    def begin(self, partition: int, rows: Iterable[tuple[bytes, bytes]], /) -> Micros:
        """Waits again unless the rows say that it is done."""
        self.open = (b"done", b"1") not in list(rows)
        return 0

    def overdue(self, partition: int, now: Micros, rows: Rows, /) -> Iterable[tuple[Effects, Effects]]:
        """Two rows, one after the other."""
        if self.open:
            self.open = False
            yield Effects((Put(b"begun", b"1"),)), Effects((Put(b"done", b"1"),))


async def test_what_is_overdue_is_done_again_if_a_part_of_it_could_not_be_sent(stage: Stage) -> None:
    """No later part goes out before an earlier one is there, and the step does not take it for done."""
    stage.step = Waiting()
    app: Any = stage._app
    willing, app.producer = app.producer, SimpleNamespace(send=_refused)
    await stage.sweep()
    app.producer = willing
    assert [stage._rows[0].get(key) for key in (b"begun", b"done")] == [b"1", None]
    await stage.sweep()  # nothing before the lane has gone back
    assert stage._rows[0].get(b"done") is None
    await stage.tick()
    assert stage._rows[0].get(b"begun") is None
    await stage.sweep()
    assert [stage._rows[0].get(key) for key in (b"begun", b"done")] == [b"1", b"1"]
    await stage.sweep()
    assert not stage.step.open


async def _plainly(work: Any) -> None:
    await work


async def _refused(*_: Any) -> None:
    raise ProducerSendError("no such topic, as far as is known")

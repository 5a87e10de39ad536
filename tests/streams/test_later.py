"""A record whose outputs are still worked out holds its place, and nobody else's."""

import asyncio
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any

import pytest

from lawful.schemas.event import Micros
from lawful.streams.agents import Stage
from lawful.streams.dead_letters import DeadLetterCounter, DeadLetterLimits
from lawful.streams.effects import Effects, Later, Record, Rows, Send
from lawful.streams.rows import PartitionRows
from lawful.streams.store import MemoryStore
from lawful.streams.watermark import Lane

SEND = Send("lawful.partials", b"k", b"v")


class Step:
    """Gives what it has been given, once per record."""

    looks_back = 0

    def __init__(self, *later: Later | None) -> None:
        self._later = list(later)

    def __call__(self, record: Record, rows: Rows, /) -> Effects:
        """The next one."""
        later = self._later.pop(0)
        return Effects() if later is None else Effects(later=(later,))

    def begin(self, partition: int, rows: Iterable[tuple[bytes, bytes]], /) -> Micros:
        """Nothing."""
        return 0

    def recall(self, record: Record, /) -> None:
        """Nothing."""

    def overdue(self, partition: int, now: Micros, rows: Rows, /) -> Iterable[tuple[Effects, Effects]]:
        """Nothing."""
        return ()


class Publisher:
    """Accepts everything at once."""

    def __init__(self) -> None:
        self.sent: list[Send] = []

    def poll(self) -> None:
        """Nothing waits."""

    async def publish(self, send: Send, told: Callable[[str], None]) -> None:
        """Notes it, and tells that it has arrived."""
        self.sent.append(send)
        told("")


def stage_of(step: Step, publisher: Publisher) -> Stage:
    """A stage with one open partition."""

    async def fatally(work: Any) -> None:
        await work

    app = SimpleNamespace(
        consumer=SimpleNamespace(in_touch=True),
        publisher=publisher,
        observers=SimpleNamespace(done=lambda _: None),
        fatally=fatally,
    )
    table: Any = SimpleNamespace(rows={}, changelog_topic_name="changelog")
    made = Stage(app, "lawful.annotated", table=table, step=step, counter=DeadLetterCounter("j", DeadLetterLimits()))
    made._lanes[0] = Lane(0, -1)
    made._rows[0] = PartitionRows(MemoryStore())
    return made


def message(offset: int) -> Any:
    """A delivered record."""
    return SimpleNamespace(
        topic="lawful.annotated", partition=0, offset=offset, timestamp=1, key=b"k", value=b"v", headers=()
    )


async def settled(stage: Stage) -> None:
    """Waits for everything that is worked out."""
    while stage._later:
        await asyncio.wait(stage._later)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
async def test_the_watermark_waits_for_what_is_worked_out(order: tuple[int, int]) -> None:
    """Records behind it are taken meanwhile; the lane is done once both are, in whichever order."""
    outputs: list[Later] = [Future(), Future()]
    publisher = Publisher()
    stage = stage_of(Step(outputs[0], None, outputs[1]), publisher)
    for offset in range(3):
        await stage.take(message(offset))
    assert (stage._lanes[0].next, stage._lanes[0].done) == (3, -1)
    for number in order:
        outputs[number].set_result((SEND,))
    await settled(stage)
    assert stage._lanes[0].done == 2
    assert publisher.sent == [SEND, SEND]


async def test_only_so_many_are_worked_out_at_once() -> None:
    """The next record waits until one of them is done."""
    outputs: list[Later] = [Future() for _ in range(17)]
    stage = stage_of(Step(*outputs), Publisher())
    for offset in range(15):
        await stage.take(message(offset))
    taking = asyncio.create_task(stage.take(message(15)))
    while len(stage._later) < 16:  # noqa: ASYNC110 - the task is to run until it has to wait
        await asyncio.sleep(0)
    assert not taking.done()
    outputs[3].set_result((SEND,))
    await taking
    for output in (*outputs[:3], *outputs[4:]):
        output.set_result(())
    await settled(stage)
    assert stage._lanes[0].done == 15

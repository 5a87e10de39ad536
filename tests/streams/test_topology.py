"""Partitions may be given out again while a worker still prepares for the last time it got them."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping
from types import SimpleNamespace
from typing import Any

import pytest
from aiokafka.errors import KafkaConnectionError, KafkaTimeoutError, TopicAuthorizationFailedError
from faust.tables.recovery import RebalanceAgain
from faust.types import TP

from lawful.streams import restoring, topology
from lawful.streams.tables import Restoring, in_memory
from lawful.streams.topology import Stages
from tests.streams.changelog import CHANGELOG, Changelog, table

SOURCE = TP("lawful.events", 0)


class Stage:
    """Notes what it is told."""

    def __init__(self) -> None:
        self.opened: list[int] = []
        self.table = SimpleNamespace(revoke=lambda: None)

    def waiting(self, assigned: list[TP]) -> list[TP]:
        """All of them."""
        return assigned

    async def open(self, places: Mapping[TP, Any], still_mine: Callable[[], bool]) -> dict[TP, int]:
        """Opens what is still this worker's."""
        if not still_mine():
            return {}
        self.opened += [tp.partition for tp in places]
        return dict.fromkeys(places, 3)

    async def drain(self) -> None:
        """Nothing is in flight."""


async def fatally(work: Any) -> None:
    """Lets every failure show."""
    await work


async def committed(partitions: list[TP]) -> dict[TP, int | None]:
    """Nothing."""
    return dict.fromkeys(partitions)


@pytest.mark.parametrize("meanwhile", ["nothing", "drain", "close"])
async def test_what_is_revoked_while_it_is_looked_up_is_not_opened(
    monkeypatch: pytest.MonkeyPatch, meanwhile: str
) -> None:
    """A rebalance or the worker's end in the middle of opening leaves nothing open; else, all is."""
    out = SimpleNamespace(purge=lambda: None)
    app: Any = SimpleNamespace(fatally=fatally, consumer=SimpleNamespace(committed=committed), publisher=out)
    stages, stage = Stages(app), Stage()
    stages.all.append(stage)  # type: ignore[arg-type]

    async def bounds(_: Any, partitions: list[TP]) -> dict[TP, tuple[int, int]]:
        await {"nothing": stage.drain, "drain": stages.drain, "close": stages.close}[meanwhile]()
        return dict.fromkeys(partitions, (0, 5))

    monkeypatch.setattr(topology, "log_bounds", bounds)
    assert await stages.open([SOURCE]) == ({SOURCE: 3} if meanwhile == "nothing" else {})
    assert stage.opened == ([0] if meanwhile == "nothing" else [])


@pytest.mark.parametrize(
    ("faults", "opened"),
    [
        ([], [0]),
        ([KafkaConnectionError(), KafkaTimeoutError()], [0]),
        ([TopicAuthorizationFailedError()], []),
    ],
)
async def test_partitions_are_opened_once_the_broker_answers(
    monkeypatch: pytest.MonkeyPatch, faults: list[Exception], opened: list[int]
) -> None:
    """Whoever opens while connections break tries again; whoever may not look ends, with the reason."""
    app: Any = SimpleNamespace(fatally=fatally, consumer=SimpleNamespace(committed=committed))
    stages, stage, left = Stages(app), Stage(), list(faults)
    stages.all.append(stage)  # type: ignore[arg-type]

    async def bounds(_: Any, partitions: list[TP]) -> dict[TP, tuple[int, int]]:
        if left:
            raise left.pop(0)
        return dict.fromkeys(partitions, (0, 5))

    monkeypatch.setattr(topology, "log_bounds", bounds)
    monkeypatch.setattr(topology, "_AGAIN", 0.0)
    with contextlib.nullcontext() if opened else pytest.raises(TopicAuthorizationFailedError):
        await stages.open([SOURCE])
    assert stage.opened == opened


@pytest.mark.parametrize("again", [False, True])
async def test_a_table_that_is_given_out_again_while_it_is_restored_is_not_restored_yet(
    monkeypatch: pytest.MonkeyPatch, *, again: bool
) -> None:
    """Its store may be closed by then: nothing is written to it, and nothing counts as restored."""
    broker = Changelog()
    broker.end = 4
    restored = table(in_memory, broker)

    async def changelog(*_: Any) -> AsyncIterator[tuple[TP, list[Any]]]:
        await asyncio.sleep(0)
        if again:
            await restored.on_rebalance(set(), {CHANGELOG}, set())
        yield CHANGELOG, [SimpleNamespace(key=b"k", value=b"v", headers=(), offset=3)]

    monkeypatch.setattr(restoring, "read_to_end", changelog)
    await restored.on_recovery_completed({CHANGELOG}, set())
    assert {number: rows.get(b"k") for number, rows in restored.rows.items()} == ({} if again else {0: b"v"})


async def test_a_worker_waits_for_its_broker_as_long_as_it_takes() -> None:
    """Faust takes a wait that ran out for the worker's end: it would go on, with no partition open for good."""
    app: Any = SimpleNamespace(conf=SimpleNamespace(stream_recovery_delay=0.0))
    restoring = Restoring(app, SimpleNamespace())  # type: ignore[arg-type]
    came = False

    async def broker() -> None:
        nonlocal came
        await asyncio.sleep(0.1)
        came = True

    await restoring._wait(broker(), timeout=0.01)
    assert came
    restoring.signal_recovery_start.set()
    with pytest.raises(RebalanceAgain):
        await restoring._wait(asyncio.sleep(10), timeout=0.01)

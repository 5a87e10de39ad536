"""A worker that can be held up where it goes on after a rebalance.

Run like `tests.services.worker_main`. Once the folder that it is told of exists, it says where to read from and lets
no stage take anything (then there is `opening` in the folder, and `held` when something arrives). It lets Faust and
the stages go on when records wait in Faust's queues.
"""

import asyncio
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lawful.streams.agents import Stage
from lawful.streams.transport import Consumer
from lawful.streams.worker import WorkerDeps
from tests.services import worker_main
from tests.streams.kit import KERNEL

_DEADLINE = 20.0
_SAME_FETCH = 0.2


def equip(told: Mapping[str, Any]) -> WorkerDeps:
    """Puts a gate between the stages and what was read."""
    folder, gate = Path(told["gate"]), asyncio.Event()
    gate.set()
    take, perform_seek = Stage.take, Consumer.perform_seek

    def asked() -> bool:
        return folder.exists()

    async def held(stage: Stage, message: Any) -> None:
        if not gate.is_set():
            (folder / "held").touch()
        await gate.wait()
        await take(stage, message)

    async def slow(consumer: Consumer) -> None:
        if asked():
            gate.clear()
        await perform_seek(consumer)
        if asked() and consumer.app.stages.durable():  # type: ignore[attr-defined]
            (folder / "opening").touch()
            await _filled(consumer)
        gate.set()

    Stage.take, Consumer.perform_seek = held, slow  # type: ignore[assignment, method-assign]
    return WorkerDeps(KERNEL)


async def _filled(consumer: Consumer) -> None:
    queues: Any = consumer.app.flow_control._queues
    until = time.monotonic() + _DEADLINE
    while time.monotonic() < until and not any(queue.qsize() for queue in queues):  # noqa: ASYNC110 - Faust tells nobody
        await asyncio.sleep(0.01)
    await asyncio.sleep(_SAME_FETCH)


if __name__ == "__main__":
    worker_main.main(equip=equip)

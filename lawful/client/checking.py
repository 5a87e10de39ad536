"""Waiting for a verdict, as a thread waits and as a coroutine waits. No verdict is a block."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import Future
from time import monotonic

from lawful.client.settle import Settler, came
from lawful.client.transport import Transport
from lawful.schemas.event import AgentEvent
from lawful.schemas.verdict import Verdict

_DEADLINE = "deadline"


class Checker:
    """Asks for verdicts.

    Args:
        transport: the way to them.
        settler: what to do when there is none.
        deadline_ms: how long to wait when the event does not say.
    """

    def __init__(self, transport: Transport, settler: Settler, deadline_ms: int) -> None:
        self._transport = transport
        self._settler = settler
        self._deadline_ms = deadline_ms

    def check(self, event: AgentEvent) -> Verdict:
        """The event's verdict; a block with reason `no_verdict` if none comes by the deadline."""
        return self._wait(event, self._submit(event), monotonic())

    def _wait(self, event: AgentEvent, future: "Future[Verdict] | Verdict", began: float) -> Verdict:
        if isinstance(future, Verdict):
            return future
        try:
            return future.result(timeout=max(began + self._seconds(event) - monotonic(), 0))
        except TimeoutError:
            return self._settler.give_up(event, future, _DEADLINE, _since(began))
        except Exception as error:  # noqa: BLE001 - fail closed: an error is no verdict
            return self._settler.give_up(event, None, type(error).__name__, _since(began))
        except BaseException:
            future.cancel()
            raise

    def check_each(self, events: Sequence[AgentEvent]) -> list[Verdict]:
        """The verdicts on several events, all of which are asked for before any is waited for."""
        began = monotonic()
        futures = [self._submit(event) for event in events]
        return [self._wait(event, future, began) for event, future in zip(events, futures, strict=True)]

    async def check_async(self, event: AgentEvent) -> Verdict:
        """As `check`, without holding up the event loop."""
        began = monotonic()
        future = self._submit(event)
        if isinstance(future, Verdict):
            return future
        try:
            done, _ = await asyncio.wait({asyncio.wrap_future(future)}, timeout=self._seconds(event))
        except BaseException:
            future.cancel()
            raise
        if not done:
            return self._settler.give_up(event, future, _DEADLINE, _since(began))
        for one in done:  # or asyncio complains of an error that nobody looked at
            _ = one.cancelled() or one.exception()
        verdict = came(future)
        return verdict or self._settler.give_up(event, None, _failure(future), _since(began))

    def _submit(self, event: AgentEvent) -> "Future[Verdict] | Verdict":
        try:
            return self._transport.submit(event)
        except Exception as error:  # noqa: BLE001 - fail closed: an error is no verdict
            return self._settler.give_up(event, None, type(error).__name__, 0)

    def _seconds(self, event: AgentEvent) -> float:
        wait = self._deadline_ms if event.deadline_ms is None else event.deadline_ms
        return max(wait, 0) / 1_000


def _since(began: float) -> int:
    return round((monotonic() - began) * 1_000)


def _failure(future: "Future[Verdict]") -> str:
    error = None if future.cancelled() else future.exception()
    return type(error).__name__ if error else "CancelledError"

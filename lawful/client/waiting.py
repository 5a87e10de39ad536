"""Requests that wait for their verdicts, by correlation id.

A verdict goes to the request it answers, or to nobody: one that comes too late, twice, or for
another event than it says is never credited to another request.
"""

import secrets
import threading
from collections import OrderedDict
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass
from enum import Enum
from typing import Final

from lawful.schemas.envelope import holds_identifier
from lawful.schemas.event import AgentEvent, Micros
from lawful.schemas.verdict import Verdict

MOST: Final = 100_000
"""Requests whose verdicts never come are forgotten beyond this number, oldest first."""


class Arrival(Enum):
    """What became of a reply."""

    TAKEN = "taken"
    LATE = "late"
    UNKNOWN = "unknown"
    MISMATCH = "mismatch"


@dataclass(frozen=True, slots=True)
class Request:
    """An event that somebody waits for."""

    event: AgentEvent
    verdict: "Future[Verdict]"
    asked_at: Micros
    correlation_id: bytes


class WaitingRoom:
    """Everyone who waits. Safe to share by threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: OrderedDict[bytes, Request] = OrderedDict()

    def enter(self, event: AgentEvent, at: Micros) -> Request:
        """A new request, under a correlation id that nobody can guess."""
        request = Request(event, Future(), at, secrets.token_bytes(16))
        with self._lock:
            self._requests[request.correlation_id] = request
            forgotten = self._requests.popitem(last=False)[1] if len(self._requests) > MOST else None
        if forgotten is not None:
            forgotten.verdict.cancel()
        return request

    def leave(self, request: Request) -> None:
        """Takes a request back that could not be sent."""
        with self._lock:
            self._requests.pop(request.correlation_id, None)

    def find(self, correlation_id: bytes) -> Request | None:
        """Who waits under this id; `None` for other clients' ids, and for what was answered."""
        with self._lock:
            return self._requests.get(correlation_id)

    def answer(self, request: Request, verdict: Verdict) -> Arrival:
        """Hands a verdict over, once."""
        if not _is_about(verdict, request.event):
            return Arrival.MISMATCH
        with self._lock:
            if self._requests.pop(request.correlation_id, None) is None:
                return Arrival.UNKNOWN
        try:
            request.verdict.set_result(verdict)
        except InvalidStateError:  # given up
            return Arrival.LATE
        return Arrival.TAKEN

    def fail(self, request: Request, error: Exception) -> None:
        """There will be no verdict for this one."""
        self.leave(request)
        _fail(request, error)

    def fail_all(self, error: Exception) -> None:
        """There will be no verdicts any more."""
        with self._lock:
            open_requests = list(self._requests.values())
            self._requests.clear()
        for request in open_requests:
            _fail(request, error)


def _is_about(verdict: Verdict, event: AgentEvent) -> bool:
    """Whether a verdict answers this event. Ids that hold a person come back as pseudonyms."""
    same = verdict.event_id == event.event_id or holds_identifier(
        event.event_id, [identifier.value for identifier in event.subjects]
    )
    return same and verdict.tenant_id == event.tenant_id


def _fail(request: Request, error: Exception) -> None:
    try:
        request.verdict.set_exception(error)
    except InvalidStateError:  # given up already
        return

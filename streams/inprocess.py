"""A guard's transport without Kafka: the same kernel, the same order, one process.

For tests, for trying a policy, and for agents that need verdicts but no fleet. State and log are
in memory and end with the process.
"""

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass
from typing import Final

from lawful.client.clock import now
from lawful.client.reports import report_on
from lawful.extractors.port import Extractor
from lawful.policies.rego.denying import Denier
from lawful.schemas.audit import AuditKind, AuditRecord, GuardReport
from lawful.schemas.errors import RetryLater
from lawful.schemas.event import AgentEvent, Micros
from lawful.schemas.pseudonym import Pseudonymiser
from lawful.schemas.topics import TOPICS
from lawful.schemas.verdict import Verdict
from lawful.schemas.view import ReplyTo, SourcePosition
from lawful.streams.kernel import Answer, Kernel, Policies, SourceRecord, Tables, follow

Sink = Callable[[AuditRecord | GuardReport], None]

_MOST_REMEMBERED: Final = 100_000
_CLOSE_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class _Request:
    event: AgentEvent
    verdict: "Future[Verdict]"
    submitted_at: Micros


class InProcessTransport:
    """Judges events one after the other on a thread of its own. Safe to share by threads.

    Args:
        policies: the loaded policies.
        extractor: finds data categories in content.
        pseudonymiser: the tenants' keys.
        clock: stands for the broker's clock; never goes back here.
        audit: gets every audit record and guard report, an event's again if it is submitted again.
            If it fails, there is no verdict.
        denier: runs policies' own Rego rules; closed with this transport.
    """

    def __init__(  # noqa: PLR0913 - every part it is made of, by name
        self,
        policies: Policies,
        extractor: Extractor,
        pseudonymiser: Pseudonymiser,
        *,
        clock: Callable[[], Micros] = now,
        audit: Sink = lambda _: None,
        denier: Denier | None = None,
    ) -> None:
        self._kernel = Kernel(policies, extractor, pseudonymiser, denier=denier)
        self._clock = clock
        self._audit = audit
        self._tables = Tables()
        self._offset = 0
        self._time: Micros = 0
        self._requests: queue.SimpleQueue[_Request | None] = queue.SimpleQueue()
        self._gate = threading.Lock()
        self._worker: threading.Thread | None = None
        self._closed = False

    @property
    def pseudonymiser(self) -> Pseudonymiser:
        """See `lawful.client.transport.Keyed`."""
        return self._kernel.pseudonymiser

    def submit(self, event: AgentEvent) -> "Future[Verdict]":
        """Queues an event. See `lawful.client.transport.Transport`."""
        request = _Request(event, Future(), self._clock())
        with self._gate:
            if self._closed:
                raise RetryLater("this transport is closed")
            if self._worker is None:
                self._worker = threading.Thread(target=self._work, name="lawful-inprocess", daemon=True)
                self._worker.start()
            self._requests.put(request)
        return request.verdict

    def report(self, report: GuardReport) -> None:
        """Hands a report to the audit sink."""
        self._audit(report)

    def close(self) -> None:
        """Judges what was submitted, and ends."""
        with self._gate:
            closed_before, self._closed = self._closed, True
        if self._worker is not None and not closed_before:
            self._requests.put(None)
            self._worker.join(_CLOSE_SECONDS)
        if self._kernel.denier is not None:
            self._kernel.denier.close()

    def _work(self) -> None:
        while (request := self._requests.get()) is not None:
            self._answer(request)

    def _answer(self, request: _Request) -> None:
        try:
            (answer,) = follow(request.event, self._record(), self._kernel, self._tables)
            self._audit(answer.audit)
        except Exception as error:  # noqa: BLE001 - fail closed: the guard makes a block of it
            self._settle(request, error)
        else:
            self._settle(request, answer)
        self._forget()

    def _record(self) -> SourceRecord:
        """The next place in the log; its time is never earlier than the one before."""
        self._time = max(self._time, self._clock())
        position = SourcePosition(TOPICS.events, 0, self._offset)
        # Each request waits at an address of its own, so that asking again is answered again.
        reply_to = ReplyTo("", None, str(self._offset).encode())
        self._offset += 1
        return SourceRecord(position, self._time, reply_to)

    def _settle(self, request: _Request, result: Answer | Exception) -> None:
        try:
            if isinstance(result, Answer):
                request.verdict.set_result(result.verdict)
            else:
                request.verdict.set_exception(result)
        except InvalidStateError:  # given up: the verdict is late and goes to nobody
            at = self._clock()
            waited = (at - request.submitted_at) // 1_000
            self._audit(report_on(request.event, AuditKind.LATE_VERDICT, "after_deadline", at, waited))

    def _forget(self) -> None:
        """Keeps memory of duplicates and of combined verdicts within bounds, oldest out first."""
        for memory in (self._tables.firsts, self._tables.pending):
            while len(memory) > _MOST_REMEMBERED:
                del memory[next(iter(memory))]  # type: ignore[arg-type]

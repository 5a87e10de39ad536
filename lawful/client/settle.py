"""From a verdict to what is delivered: the redacted payload, or a stop.

Shared by the sync and the async guard, and free of waiting.
"""

import logging
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from typing import Final, TypeVar, cast

from lawful.client.blocked import UNKNOWN_POLICY, Blocked, Unredactable, local_block
from lawful.client.moves import Move
from lawful.client.obligations import apply
from lawful.client.reports import report_on, without_people
from lawful.client.tags import Tags
from lawful.client.transport import Keyed, Transport
from lawful.schemas.audit import AuditKind
from lawful.schemas.event import AgentEvent, AgentMessage, Micros, Payload, Recipient
from lawful.schemas.verdict import Decision, Verdict

P = TypeVar("P", bound=Payload)
log: Final = logging.getLogger("lawful.client")

NO_VERDICT: Final = "no_verdict"
_NO_VERDICT_MESSAGE: Final = "no verdict came in time, so nothing may happen; try again later"
_GUARD_MESSAGE: Final = "what the verdict demands cannot be done without breaking the payload"


@dataclass(frozen=True, slots=True)
class Delivery:
    """What one of several recipients gets.

    Attributes:
        text: what may be delivered; `None`: nothing.
        verdict: the recipient's own.
        blocked: why nothing may be.
    """

    recipient: Recipient
    text: str | None = field(repr=False)
    verdict: Verdict
    blocked: Blocked | None = None


class Settler:
    """Turns verdicts, and their absence, into payloads or blocks; reports what no worker can.

    Args:
        transport: where reports go.
        clock: the time, in microseconds.
    """

    def __init__(self, transport: Transport, clock: Callable[[], Micros]) -> None:
        self._transport = transport
        self._clock = clock

    def deliverable(self, move: Move[P], verdict: Verdict) -> P:
        """The payload as it may be delivered.

        Raises:
            Blocked: it may not be.
        """
        if verdict.decision is Decision.WARN:
            reasons = [violation.reason for violation in verdict.violations]
            log.warning("event %s passes with warnings: %s", verdict.event_id, ", ".join(reasons))
        try:
            return apply(move.payload, verdict, move.schema, self._tags(move.event))
        except Unredactable as error:
            raise self.stop(move.event, error.reason) from None
        except Blocked as blocked:
            asked = move.event.policy_id
            if asked is None or UNKNOWN_POLICY not in blocked.reasons:
                raise
            raise Blocked(verdict, without_people(asked, move.event)) from None

    def delivery(self, move: Move[AgentMessage], verdict: Verdict) -> Delivery:
        """As `deliverable`, for one of several recipients: a block is told, not raised."""
        to = cast("Recipient", move.event.recipient)
        try:
            return Delivery(to, self.deliverable(move, verdict).text, verdict)
        except Blocked as blocked:
            return Delivery(to, None, blocked.verdict, blocked)

    def _tags(self, event: AgentEvent) -> Tags | None:
        if not isinstance(self._transport, Keyed):
            return None
        return Tags(self._transport.pseudonymiser, event.tenant_id, event.session_id)

    def stop(self, event: AgentEvent, reason: str) -> Blocked:
        """The guard's own block, written down."""
        self._transport.report(report_on(event, AuditKind.GUARD_BLOCK, reason, self._clock()))
        return Blocked(self._local(event, reason, _GUARD_MESSAGE))

    def note(self, event: AgentEvent, reason: str) -> None:
        """Writes down that the guard kept a part of an event back, and lets the rest go on."""
        self._transport.report(report_on(event, AuditKind.FIREWALL, reason, self._clock()))

    def give_up(self, event: AgentEvent, future: "Future[Verdict] | None", reason: str, waited_ms: int) -> Verdict:
        """Ends the wait: the verdict if it came in the very last moment, else a block, written down."""
        if future is not None and not future.cancel():
            verdict = came(future)
            if verdict is not None:
                return verdict
        self._transport.report(report_on(event, AuditKind.NO_VERDICT, reason, self._clock(), waited_ms))
        log.warning("event %s is blocked: no verdict (%s)", self._local(event, reason, "").event_id, reason)
        return self._local(event, NO_VERDICT, _NO_VERDICT_MESSAGE)

    def _local(self, event: AgentEvent, reason: str, message: str) -> Verdict:
        # This verdict's text goes into logs and to agents, as a worker's does.
        event_id = without_people(event.event_id, event)
        return local_block(event_id, event.tenant_id, reason, message, self._clock())


def came(future: "Future[Verdict]") -> Verdict | None:
    """The verdict of a future that is done; `None` if it has none."""
    try:
        return future.result(timeout=0)
    except (Exception, CancelledError):  # noqa: BLE001 - whatever went wrong, there is no verdict
        return None

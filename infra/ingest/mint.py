"""Makes agent events out of what a trace says, filling in what it does not say.

Identifiers and the clock are passed in, so that a parser stays a pure function.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from lawful.schemas.event import AgentEvent, Identifier, Micros, Payload, Recipient

SOURCE = "urn:lawful:ingest"


@dataclass(frozen=True, slots=True)
class Mint:
    """The envelope that all events of one ingestion share.

    Attributes:
        tenant_id: whose events they are.
        new_id: gives event ids (UUIDv7).
        now: gives the time of events that carry none.
        policy_id: the policy to judge them by; `None` takes the trace's own, or the default.
        subject: the principal of events whose trace names none.
        purposes: declared for events whose trace declares none.
    """

    tenant_id: str
    new_id: Callable[[], str]
    now: Callable[[], Micros]
    policy_id: str | None = None
    subject: Identifier | None = None
    purposes: tuple[str, ...] = ()

    def event(  # noqa: PLR0913 - an envelope has that many parts
        self,
        payload: Payload,
        *,
        format_name: str,
        session_id: str,
        agent_id: str,
        recipient: Recipient | None = None,
        subjects: tuple[Identifier, ...] = (),
        occurred_at: Micros | None = None,
        policy_id: str | None = None,
        task_id: str | None = None,
    ) -> AgentEvent:
        """One event; what the operator chose wins over what the trace suggests."""
        return AgentEvent(
            event_id=self.new_id(),
            occurred_at=self.now() if occurred_at is None else occurred_at,
            tenant_id=self.tenant_id,
            source=f"{SOURCE}:{format_name}",
            agent_id=agent_id,
            session_id=session_id,
            task_id=task_id,
            payload=payload,
            recipient=recipient,
            subjects=subjects or ((self.subject,) if self.subject else ()),
            purposes=self.purposes,
            policy_id=self.policy_id or policy_id,
        )


def micros(value: object) -> Micros | None:
    """Microseconds since 1970 from an ISO 8601 text or a number of seconds; `None` if neither.

    A text without a zone is taken as UTC. Numbers beyond 1e11 are taken as milliseconds; those
    that are no moment of the calendar are no time.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return _from_number(value)
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return round(moment.timestamp() * 1_000_000)


def _from_number(value: float) -> Micros | None:
    try:
        seconds = value / 1000 if abs(value) > 1e11 else value  # noqa: PLR2004 - the year 5138 in seconds
        datetime.fromtimestamp(seconds, UTC)
        return round(seconds * 1_000_000)
    except (OverflowError, ValueError, OSError):
        return None

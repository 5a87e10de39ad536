"""What an event's `repr` may say: what happened, and not to whom."""

import pytest

from lawful.schemas.event import (
    AgentEvent,
    AgentMessage,
    AssistantMessage,
    ConsentGiven,
    ConsentWithdrawn,
    DataSubjectRequest,
    Identifier,
    IdentityLinked,
    MemoryRead,
    MemoryWrite,
    Payload,
    Recipient,
    RecipientKind,
    RequestKind,
    ToolCall,
    ToolResult,
    UserMessage,
)

ADA = "ada@example.com"
HERS = Identifier("email", ADA)
PAYLOADS: tuple[Payload, ...] = (
    UserMessage(ADA),
    AssistantMessage(ADA),
    AgentMessage(ADA),
    ToolCall("lookup", ADA, ADA),
    ToolResult("lookup", ADA, ADA),
    MemoryWrite(ADA, ADA),
    MemoryRead(ADA, ADA),
    ConsentGiven(("care",), identifiers=(HERS,), evidence=ADA),
    ConsentWithdrawn(identifiers=(HERS,)),
    DataSubjectRequest(RequestKind.ERASURE, ADA, (HERS,)),
    IdentityLinked((HERS,), (HERS,)),
)


@pytest.mark.parametrize("payload", PAYLOADS, ids=lambda payload: type(payload).__name__)
def test_nothing_that_may_be_personal_is_in_a_repr(payload: Payload) -> None:
    """Not in an event's, and not in a payload's by itself: tracebacks and logs show them."""
    event = AgentEvent(
        event_id="event-1",
        occurred_at=0,
        tenant_id="acme",
        source="urn:shop",
        agent_id="agent-1",
        session_id=ADA,
        payload=payload,
        task_id=ADA,
        causation_id=ADA,
        traceparent=ADA,
        recipient=Recipient(RecipientKind.USER, ADA),
        subjects=(HERS,),
        attributes=((ADA, ADA),),
    )
    assert ADA not in repr(event) + repr(payload)
    assert all(word in repr(event) for word in ("event-1", "acme", "agent-1", type(payload).__name__, "user"))

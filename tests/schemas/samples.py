"""A few records that tests need to have at hand."""

from lawful.schemas.event import AgentEvent, Identifier, ToolCall
from lawful.schemas.state import Watermark
from lawful.schemas.verdict import Decision, Verdict

SECRET = "maria.secret@example.org"

EVENT = AgentEvent(
    event_id="01890a5d-ac96-774b-bcce-b302099a8057",
    occurred_at=1_700_000_000_123_456,
    tenant_id="acme",
    source="urn:runtime:1",
    agent_id="agent-7",
    session_id="s-1",
    payload=ToolCall("send_email", "call-1", f'{{"to": "{SECRET}"}}'),
    subjects=(Identifier("email", SECRET),),
    purposes=("service.support",),
    attributes=(("region", "eu"),),
)
VERDICT = Verdict(
    event_id=EVENT.event_id,
    tenant_id="acme",
    decision=Decision.REDACT,
    policy_id="shopper",
    policy_version="1",
    policy_digest="0" * 64,
    recorded_at=1_700_000_000_123_456,
)
WATERMARK = Watermark(41)

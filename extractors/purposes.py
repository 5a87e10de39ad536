"""For what an event is processed, and who says so: the agent, or the policy.

Purposes that are inferred from content come later; an inferred one can only make a verdict stricter.
"""

from lawful.extractors.port import ExtractionSpec
from lawful.schemas.event import (
    AgentEvent,
    AgentMessage,
    AssistantMessage,
    MemoryRead,
    MemoryWrite,
    ToolCall,
    ToolResult,
    UserMessage,
)
from lawful.schemas.view import Provenance, PurposeClaim


def claims(event: AgentEvent, spec: ExtractionSpec) -> tuple[PurposeClaim, ...]:
    """Declared purposes first, then those that the policy binds, each once.

    A tool's purposes come in addition to declared ones; those of messages stand in where none is
    declared. Consents and requests of subjects carry their purposes in themselves: no claims.
    """
    declared = [PurposeClaim(purpose, Provenance.DECLARED) for purpose in event.purposes]
    match event.payload:
        case ToolCall(tool=tool) | ToolResult(tool=tool):
            bound = spec.tools[tool].purposes if tool in spec.tools else ()
        case UserMessage() | AssistantMessage() | AgentMessage() | MemoryWrite() | MemoryRead():
            bound = () if declared else spec.message_purposes
        case _:
            return ()
    return tuple(dict.fromkeys([*declared, *(PurposeClaim(purpose, Provenance.TOOL) for purpose in bound)]))

"""For what an event is processed, and who says so: the agent, the policy, or the event by what it does.

A purpose that only shows in what an event does is inferred. It justifies nothing (P2 and P3 do not
rely on it); it can only make a verdict stricter.
"""

from collections.abc import Iterator

from lawful.extractors.intent import inferred
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
from lawful.schemas.taxonomy import covers
from lawful.schemas.view import Provenance, PurposeClaim


def claims(event: AgentEvent, spec: ExtractionSpec) -> tuple[PurposeClaim, ...]:
    """Declared purposes first, then those that the policy binds, then those that show; each once.

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
    said = [*declared, *(PurposeClaim(purpose, Provenance.TOOL) for purpose in bound)]
    return (*dict.fromkeys(said), *_shown(event, spec, said))


def _shown(event: AgentEvent, spec: ExtractionSpec, said: list[PurposeClaim]) -> Iterator[PurposeClaim]:
    """Inferred purposes that nobody has said, in the policy's words where it has some for them."""
    tool = spec.tools.get(event.payload.tool) if isinstance(event.payload, ToolCall) else None
    surest: dict[str, float] = {}
    for purpose, rule in inferred(event, bound=tool is not None and bool(tool.purposes)).items():
        if not any(covers(claim.purpose, purpose) or covers(purpose, claim.purpose) for claim in said):
            named = _in_the_policys_words(purpose, spec.purposes)
            surest[named] = max(rule.confidence, surest.get(named, 0.0))
    yield from (PurposeClaim(purpose, Provenance.INFERRED, confidence) for purpose, confidence in surest.items())


def _in_the_policys_words(purpose: str, declared: tuple[str, ...]) -> str:
    """The purpose if the policy declares it or one above it; else the first declared one below it; else itself."""
    if any(covers(one, purpose) for one in declared):
        return purpose
    return next((one for one in sorted(declared) if covers(purpose, one)), purpose)

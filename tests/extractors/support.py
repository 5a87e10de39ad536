"""Made-up events and short ways to ask a recogniser."""

import json
import time
from typing import Any

from lawful.extractors.budget import Budget
from lawful.extractors.candidate import Candidate, Recogniser, Surroundings
from lawful.extractors.fields import Field
from lawful.extractors.port import Extraction, ExtractionSpec, Extractor, Limits
from lawful.schemas.event import AgentEvent, Identifier, Payload, ToolCall, UserMessage
from lawful.schemas.pseudonym import Pseudonymiser

TENANT = "acme"
PSEUDONYMS = Pseudonymiser(master=b"0123456789abcdef")
# Machines that run tests are busy: the time that an event may cost is tested with a clock of its own.
PATIENT = Limits(extraction_ms=60_000)
SPEC = ExtractionSpec(limits=PATIENT)


def event(payload: Payload, subjects: tuple[Identifier, ...] = (), purposes: tuple[str, ...] = ()) -> AgentEvent:
    """An event with nothing of interest but its payload."""
    return AgentEvent(
        event_id="0190b0c0-0000-7000-8000-000000000000",
        occurred_at=0,
        tenant_id=TENANT,
        source="urn:test",
        agent_id="agent",
        session_id="session",
        payload=payload,
        subjects=subjects,
        purposes=purposes,
    )


def call(arguments: Any, tool: str = "tool") -> ToolCall:
    """A tool call with these arguments."""
    return ToolCall(tool, "call-1", json.dumps(arguments))


def around(spec: ExtractionSpec = SPEC, subjects: tuple[Identifier, ...] = ()) -> Surroundings:
    """Surroundings with a minute left."""
    return Surroundings(event(UserMessage(""), subjects), spec, Budget(time.monotonic, time.monotonic() + 60))


def found(
    recogniser: Recogniser, field: Field | str, surroundings: Surroundings | None = None
) -> list[tuple[str, str]]:
    """What a recogniser finds, as text and category, by place."""
    one = field if isinstance(field, Field) else Field("/text", field)
    hits = sorted(
        set(recogniser.find(one, surroundings or around())), key=lambda hit: (hit.start, hit.end, hit.category)
    )
    return [(one.text[hit.start : hit.end], hit.category) for hit in hits]


def spans(hits: list[Candidate]) -> list[tuple[int, int, str]]:
    """Places and categories of hits."""
    return [(hit.start, hit.end, hit.category) for hit in hits]


def extract(
    extractor: Extractor, payload: Payload, spec: ExtractionSpec = SPEC, subjects: tuple[Identifier, ...] = ()
) -> Extraction:
    """What an extractor finds in a payload."""
    return extractor.extract(event(payload, subjects), spec)


def places(extraction: Extraction) -> list[tuple[str, int, int, str]]:
    """Paths, spans and categories of findings."""
    return [(one.path, one.start, one.end, one.category) for one in extraction.findings]

"""For what an event is processed."""

import pytest

from lawful.extractors.port import ExtractionSpec, ToolSpec
from lawful.extractors.purposes import claims
from lawful.schemas.event import ConsentGiven, MemoryWrite, Payload, ToolCall, ToolResult, UserMessage
from lawful.schemas.view import Provenance
from tests.extractors.support import event

SPEC = ExtractionSpec(tools={"send": ToolSpec(("marketing.email", "service"))}, message_purposes=("support",))


@pytest.mark.parametrize(
    ("payload", "declared", "expected"),
    [
        (
            ToolCall("send", "c", "{}"),
            ("service",),
            [("service", "declared"), ("marketing.email", "tool"), ("service", "tool")],
        ),
        (ToolResult("send", "c", ""), (), [("marketing.email", "tool"), ("service", "tool")]),
        (ToolCall("other", "c", "{}"), ("service",), [("service", "declared")]),
        (ToolCall("other", "c", "{}"), (), []),
        (UserMessage("x"), (), [("support", "tool")]),
        (UserMessage("x"), ("a", "a"), [("a", "declared")]),
        (MemoryWrite("k", "v"), (), [("support", "tool")]),
        (ConsentGiven(("a",)), ("a",), []),
    ],
)
def test_claims(payload: Payload, declared: tuple[str, ...], expected: list[tuple[str, str]]) -> None:
    """Declared first; a tool's in addition; a message's only where none is declared; facts claim nothing."""
    made = claims(event(payload, purposes=declared), SPEC)
    assert [(claim.purpose, claim.provenance.value) for claim in made] == expected
    assert Provenance.INFERRED not in {claim.provenance for claim in made}

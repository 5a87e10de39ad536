"""For what an event is processed."""

from dataclasses import replace

import pytest

from lawful.extractors.port import ExtractionSpec, ToolSpec
from lawful.extractors.purposes import claims
from lawful.schemas.event import (
    AssistantMessage,
    ConsentGiven,
    MemoryWrite,
    Payload,
    Recipient,
    RecipientKind,
    ToolCall,
    ToolResult,
    UserMessage,
)
from lawful.schemas.view import Provenance, PurposeClaim
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


def test_an_inferred_purpose_says_how_sure_its_surest_rule_is() -> None:
    """Said purposes are certain; of two rules that see the same purpose, the surer one counts."""
    text = '{"text": "Our newsletter: a special offer, 20 % discount"}'
    called, said = (
        ToolCall("send_newsletter", "c", text),
        AssistantMessage("Our newsletter: a special offer, 20 % discount"),
    )
    user = Recipient(RecipientKind.USER, "u")
    by_tool, by_words = (claims(replace(event(each), recipient=user), ExtractionSpec()) for each in (called, said))
    assert by_tool == (PurposeClaim("marketing.communications", Provenance.INFERRED, 0.9),)
    assert by_words == (PurposeClaim("marketing.communications", Provenance.INFERRED, 0.8),)
    assert {claim.confidence for claim in claims(event(ToolCall("send", "c", "{}"), purposes=("a",)), SPEC)} == {1.0}

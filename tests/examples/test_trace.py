"""The example trace tells the story that the README and docs/audit.md tell of it."""

from dataclasses import replace
from pathlib import Path

from lawful.client import Transport
from lawful.client.clock import now
from lawful.infra.ingest import Mint, Report, guess, parse_file
from lawful.schemas.event import AgentEvent, Identifier, PayloadKind
from lawful.schemas.ids import uuid7
from lawful.schemas.verdict import Decision, Predicate

TRACE = Path(__file__).parents[2] / "examples" / "trace.jsonl"


def story() -> list[AgentEvent]:
    """The trace's events, of a tenant of their own."""
    return list(parse_file(TRACE, guess(TRACE), Mint("story", uuid7, now), Report()))


def test_whatever_is_about_ada_is_blocked_once_she_is_erased(transport: Transport) -> None:
    """Before her erasure things pass; after it nothing does, whether her number or her address names her."""
    events = story()
    verdicts = [transport.submit(event).result(timeout=60) for event in events]
    (erasure,) = (number for number, each in enumerate(events) if each.kind is PayloadKind.DATA_SUBJECT_REQUEST)
    before = {each.decision for each in verdicts[: erasure + 1]}
    assert before == {Decision.FORWARD, Decision.REDACT, Decision.BLOCK}
    mail = [each for each in events if each.kind is PayloadKind.TOOL_CALL][1]
    by_address = replace(mail, event_id=uuid7(), subjects=(Identifier("email", "ada@example.com"),))
    after = [*verdicts[erasure + 1 :], transport.submit(by_address).result(timeout=60)]
    assert len(after) >= 2
    for verdict in after:
        assert verdict.decision is Decision.BLOCK
        assert Predicate.ERASURE in {why.rule for why in verdict.violations}

"""Whether a message is a structured action: read before anything else, and blocked where one is demanded."""

import json

import pytest

from lawful.policies.load import parse_policy
from lawful.schemas.event import AgentMessage, Recipient, RecipientKind, UserMessage
from lawful.schemas.verdict import Decision, Verdict
from lawful.schemas.view import SourcePosition
from lawful.streams.annotate import annotate
from lawful.streams.kernel import Kernel, SourceRecord
from lawful.streams.structure import structure_of
from tests.policies import samples
from tests.streams import kit

TEXT = (
    samples.TEXT
    + """
structured:
  invite:
    schema:
      type: object
      properties: {patient: {type: string}, age: {type: integer, maximum: 150}}
      required: [patient]
      additionalProperties: false
  ask: {schema: {type: object}}
predicates:
  ask: {message: agent, action: ask, args: {patient: {path: /text/patient}}}
  invite: {message: agent, action: invite, args: {patient: {path: /text/patient}}}
rules:
  - {name: asked_first, formula: 'invite(p) IMPLIES ONCE[0,1h] ask(p)', slice: session}
limits: {max_bytes: 2000}
recipients:
  - {name: outreach, to: {id: outreach}, structured: [invite, ask]}
"""
)
POLICY = parse_policy(TEXT)
RECORD = SourceRecord(SourcePosition("lawful.events", 0, 0), 0)
KERNEL = Kernel(kit.OnePolicy(POLICY), kit.PlainExtractor(), kit.PEOPLE)


def said(**members: object) -> str:
    """A message as JSON."""
    return json.dumps(members)


@pytest.mark.parametrize(
    ("text", "category"),
    [
        (said(action="invite", patient="P-1"), "system.action.invite"),
        (said(action="invite", patient="P-1", age=40), "system.action.invite"),
        (said(action="invite", age=40), "system.unstructured.invalid"),
        (said(action="invite", patient="P-1", age=1e999), "system.unstructured.not_json"),
        (said(action="invite", patient="P-1", age=151), "system.unstructured.invalid"),
        (said(action="invite", patient="P-1", note="and his diagnosis"), "system.unstructured.invalid"),
        (said(action="send", patient="P-1"), "system.unstructured.unknown_action"),
        (said(action=["invite"], patient="P-1"), "system.unstructured.unknown_action"),
        (said(patient="P-1"), "system.unstructured.unknown_action"),
        ("Please invite P-1", "system.unstructured.not_json"),
        ("[1]", "system.unstructured.not_json"),
        (json.dumps(said(action="ask")), "system.unstructured.not_json"),
        ('{"action": "ask", "action": "invite", "patient": "x"}', "system.unstructured.duplicate_keys"),
        ("x" * 2_001, "system.unstructured.too_large"),
    ],
)
def test_a_message_is_an_action_or_says_why_it_is_none(text: str, category: str) -> None:
    """Strictly: known, valid, unambiguous, and not wrapped."""
    found = structure_of(kit.make_event(AgentMessage(text)), POLICY)
    assert found is not None
    assert (found.category, found.path) == (category, "/text")


def test_only_messages_between_agents_are_actions() -> None:
    """And only under a policy that has some."""
    assert structure_of(kit.make_event(UserMessage("x")), POLICY) is None
    assert structure_of(kit.make_event(AgentMessage("x")), samples.policy()) is None


def decided(*messages: tuple[str, str]) -> list[Verdict]:
    """The verdicts on messages to agents, one after the other in one session."""
    log = kit.Log(KERNEL)
    return [log.add(AgentMessage(text), recipient=Recipient(RecipientKind.AGENT, to)) for to, text in messages]


def test_prose_where_an_action_is_agreed_on_is_not_even_read() -> None:
    """It is blocked before anything is looked for in it; to others the same words pass."""
    event = kit.make_event(AgentMessage("crash"), recipient=Recipient(RecipientKind.AGENT, "outreach"))
    (view,) = annotate(event, RECORD, KERNEL)
    assert [each.category for each in view.findings] == ["system.unstructured.not_json"]
    blocked, passed = decided(("outreach", "hello"), ("ward", "hello"))
    assert [each.reason for each in blocked.violations] == ["message_not_structured"]
    assert passed.decision is Decision.FORWARD


def test_rules_speak_of_structured_actions() -> None:
    """An action is a predicate as a tool's call is one, whoever sends it."""
    invite, ask = said(action="invite", patient="P-1"), said(action="ask", patient="P-1")
    too_early, _, in_time = decided(("outreach", invite), ("ward", ask), ("outreach", invite))
    assert [each.rule for each in too_early.violations] == ["asked_first"]
    assert in_time.decision is Decision.FORWARD


def test_the_recipient_is_matched_before_its_id_is_hidden() -> None:
    """A user's id is a pseudonym in the view; the channel is named there all the same."""
    text = samples.TEXT + "roles: {boss: [boss@example.com]}\nrecipients: [{name: bosses, to: {role: boss}}]\n"
    kernel = Kernel(kit.OnePolicy(parse_policy(text)), kit.PlainExtractor(), kit.PEOPLE)
    event = kit.make_event(AgentMessage("hi"), recipient=Recipient(RecipientKind.USER, "boss@example.com"))
    views = annotate(event, RECORD, kernel)
    assert {each.channels for each in views} == {("bosses",)}
    assert all(each.recipient is not None and "boss" not in each.recipient.id for each in views)
    other = kit.make_event(AgentMessage("hi"), recipient=Recipient(RecipientKind.USER, "ada@example.com"))
    assert annotate(other, RECORD, kernel)[0].channels == ()

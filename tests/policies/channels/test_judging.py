"""What channels make of an event: forms, blocks and notes; never a looser verdict."""

from typing import Any

from lawful.policies.judge import judge
from lawful.policies.load import parse_policy
from lawful.policies.model import Policy
from lawful.schemas.event import PayloadKind, Recipient, RecipientKind
from lawful.schemas.history import EMPTY
from lawful.schemas.verdict import Action, Decision, Verdict
from lawful.schemas.view import Finding, SubjectRole, View
from tests.policies import samples

CHANNELS = """
structured:
  invite: {schema: {type: object, properties: {patient: {type: string}}, required: [patient]}}
  recall: {schema: {type: object}}
recipients:
  - name: supervisors
    categories:
      user.contact.phone_number: mask
      user.name: block
      user.demographic.date_of_birth: {generalise: year}
      user.contact.email: warn
      user.contact: pass
    fields: {salary: remove}
    patterns: {ticket: {match: 'T-[0-9]+', do: block}}
    otherwise: replace
    article: GDPR Art. 32
  - name: agreed
    structured: [invite]
"""
POLICY = parse_policy(samples.TEXT + CHANNELS)


def asked(view: View, policy: Policy = POLICY) -> Verdict:
    """The verdict on a view with an empty past."""
    return judge(view, samples.at(1), EMPTY, policy).verdict


def seen(*categories: str | Finding, **more: Any) -> Verdict:
    """The verdict on a message for supervisors with these in it."""
    return asked(samples.view(*categories, purposes=["service"], channels=("supervisors",), **more))


def told(verdict: Verdict) -> list[tuple[str, str, str | None]]:
    """Its violations, as rule, reason and category."""
    return [(each.rule, each.reason, each.category) for each in verdict.violations]


def test_each_category_has_its_form() -> None:
    """The nearest name says what becomes of it, and `otherwise` of the rest; on no channel all passes."""
    assert seen("user.contact.phone_number").obligations[0].action is Action.MASK
    year = seen("user.demographic.date_of_birth").obligations[0]
    assert (year.action, year.detail) == (Action.GENERALISE, "year")
    assert seen("user.contact.email").decision is Decision.WARN
    assert seen("user.contact.address").decision is Decision.FORWARD
    assert seen("user.demographic").obligations[0].action is Action.REPLACE
    blocked = seen("user.name", "user.contact.phone_number")
    assert (blocked.decision, blocked.obligations) == (Decision.BLOCK, ())
    assert ("channel:supervisors", "not_for_recipient", "user.name") in told(blocked)
    assert {each.article for each in blocked.violations} == {"GDPR Art. 32"}
    assert asked(samples.view("user.name", purposes=["service"])).decision is Decision.FORWARD


def test_marks_are_no_personal_data() -> None:
    """A marked member is treated; P1 to P4 do not see it, and other channels have nothing to say of it."""
    field = seen("system.field.salary")
    assert told(field) == [("channel:supervisors", "not_for_recipient", "system.field.salary")]
    assert [each.action for each in field.obligations] == [Action.REMOVE]
    assert seen("system.pattern.supervisors.ticket").decision is Decision.BLOCK
    assert seen("system.pattern.others.ticket").decision is Decision.FORWARD


def test_what_a_tool_requires_is_not_taken_from_it() -> None:
    """A form that would break the call blocks it instead."""
    verdict = seen(samples.finding("user.contact.phone_number", "/arguments/phone", essential=True))
    assert told(verdict) == [("channel:supervisors", "redaction_would_break_arguments", "user.contact.phone_number")]
    assert verdict.decision is Decision.BLOCK


def test_a_blocked_event_teaches_nothing() -> None:
    """And one that passes in another form is the subject's first contact."""
    view = samples.view("user.name", purposes=["service"], channels=("supervisors",))
    assert judge(view, samples.at(1), EMPTY, POLICY).history is EMPTY
    masked = samples.view("user.contact.phone_number", purposes=["service"], channels=("supervisors",))
    assert judge(masked, samples.at(1), EMPTY, POLICY).history.entries


def test_the_principals_view_answers_for_the_channel() -> None:
    """Of people who are only mentioned and of slices, nothing is said twice."""
    for other in (samples.view("user.name", role=SubjectRole.MENTIONED, channels=("supervisors",)),):
        assert asked(other).decision is Decision.FORWARD
    assert asked(samples.view("user.name", slice="session", channels=("supervisors",))).decision is Decision.FORWARD


def test_a_channel_that_is_gone_blocks() -> None:
    """The policy was changed between finding and deciding: nobody knows what the channel said."""
    verdict = asked(samples.view(purposes=["service"], channels=("gone",)))
    assert told(verdict) == [("channel:gone", "channel_unknown", None)]
    assert verdict.decision is Decision.BLOCK


def test_a_message_is_one_of_the_actions_agreed_on() -> None:
    """Prose, an unknown or invalid action, one that was not agreed on, and one that nobody has read, are blocked."""

    def message(*marks: str, kind: PayloadKind = PayloadKind.AGENT_MESSAGE) -> Verdict:
        return asked(samples.view(*marks, purposes=["service"], kind=kind, channels=("agreed",)))

    assert message("system.action.invite").decision is Decision.FORWARD
    prose = message("system.unstructured.not_json")
    assert told(prose) == [("channel:agreed", "message_not_structured", None)]
    assert "not_json; agreed on are invite" in prose.violations[0].message.replace("(", "").replace(")", "")
    assert told(message("system.action.recall")) == [("channel:agreed", "action_not_agreed", None)]
    assert told(message()) == [("channel:agreed", "message_not_structured", None)]
    assert message(kind=PayloadKind.TOOL_CALL).decision is Decision.FORWARD


def test_a_message_to_an_agent_is_one_whatever_it_is_called() -> None:
    """What is said to users is not between agents; the same addressed to an agent is, and is no action."""

    def said(kind: PayloadKind, to: RecipientKind) -> Verdict:
        view = samples.view(purposes=["service"], kind=kind, channels=("agreed",), recipient=Recipient(to, "outreach"))
        return asked(view)

    for kind in (PayloadKind.ASSISTANT_MESSAGE, PayloadKind.MEMORY_WRITE):
        assert told(said(kind, RecipientKind.AGENT)) == [("channel:agreed", "message_not_structured", None)]
        assert said(kind, RecipientKind.USER).decision is Decision.FORWARD

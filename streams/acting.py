"""What an event does, for the policy's own rules: read off its payload, hidden, and handed to whom it concerns.

The subject's rules hear of it through the principal's view; each other kind of slice that some rule
is about gets a view of its own, in the partition where all of that session's, agent's or tenant's
stand in one order.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from lawful.policies.model import Policy
from lawful.policies.rules.acts import acts_of
from lawful.policies.rules.model import Slice
from lawful.policies.rules.trace import concerns, happened
from lawful.policies.rules.vocabulary import CATEGORY
from lawful.schemas.event import AgentEvent, AgentMessage, AssistantMessage, Payload, ToolCall, ToolResult, UserMessage
from lawful.schemas.history import Act
from lawful.schemas.pseudonym import Pseudonymiser
from lawful.schemas.strict_json import Unreadable, parse, parse_container, plain
from lawful.schemas.verdict import Decision, Verdict
from lawful.schemas.view import SubjectRole, View
from lawful.streams.concerns import SubjectPayload
from lawful.streams.structure import action_in


def acts_in(event: AgentEvent, policy: Policy | None, pseudonymiser: Pseudonymiser) -> tuple[Act, ...]:
    """What the event does, in the predicates that the policy's rules speak of.

    Raises:
        TooManyActs: it does more at once than rules are asked about.
    """
    if policy is None or policy.rules is None:
        return ()
    if not any(each.payload is event.kind for each in policy.rules.predicates.values()):
        return ()
    document = _read(event.payload, policy.limits.max_bytes)
    tool = getattr(event.payload, "tool", None) or action_in(document.get("text"))
    predicates = [
        each for each in policy.rules.predicates.values() if each.payload is event.kind and each.tool in (None, tool)
    ]
    return acts_of(
        event.kind,
        tool,
        document,
        predicates,
        lambda scheme, text: pseudonymiser.of_argument(event.tenant_id, scheme, text),
    )


def _read(payload: Payload, max_bytes: int) -> Mapping[str, Any]:
    """The payload with its JSON read; empty, so that no argument can be read, if it is too large or ambiguous."""
    try:
        match payload:
            case ToolCall() if len(payload.arguments) <= max_bytes:
                return {"arguments": plain(parse(payload.arguments)[1])}
            case ToolResult() if len(payload.content) <= max_bytes:
                return {"content": _container(payload.content)}
            case AgentMessage() if len(payload.text) <= max_bytes:
                return {"text": _container(payload.text)}
            case UserMessage() | AssistantMessage() if len(payload.text) <= max_bytes:
                return {"text": payload.text}
            case _:
                return {}
    except Unreadable:
        return {}


def _container(text: str) -> Any:
    is_json, value = parse_container(text)
    return plain(value) if is_json else text


def slice_views(event: AgentEvent, base: View, policy: Policy | None, pseudonymiser: Pseudonymiser) -> Iterator[View]:
    """A view for each slice, other than the subject's, whose rules speak of what the event does.

    Args:
        event: the event.
        base: its principal's view.
        policy: the event's.
        pseudonymiser: gives the slices' keys.
    """
    if policy is None or policy.rules is None or isinstance(event.payload, SubjectPayload):
        return
    for slice_, rules in policy.rules.slices.items():
        if slice_ is Slice.SUBJECT or not concerns(policy.rules, rules, base.acts):
            continue
        key = pseudonymiser.of_slice(event.tenant_id, slice_.value, _name(slice_, event))
        findings = base.findings if CATEGORY in rules.looks_at else ()
        yield replace(
            base,
            key=key,
            subject=None,
            role=SubjectRole.NOBODY,
            findings=findings,
            fact=None,
            slice=slice_.value,
            acts=tuple(act for act in base.acts if act.name in rules.looks_at),
        )


def _name(slice_: Slice, event: AgentEvent) -> str:
    match slice_:
        case Slice.SESSION:
            return event.session_id
        case Slice.AGENT:
            return event.agent_id
        case _:
            return ""


def settled(views: tuple[View, ...], verdict: Verdict) -> tuple[View, ...]:
    """What the slices are to learn of an event of several views, all of which have passed.

    A blocked event did not happen; what was redacted is not there any more.
    """
    if verdict.decision is Decision.BLOCK:
        return ()
    return tuple(
        replace(
            view,
            part=view.parts + view.part,
            findings=(),
            purposes=(),
            acts=(),
            fact=None,
            reply_to=None,
            acted=happened(view.acted, verdict.obligations),
        )
        for view in views
        if view.acted is not None
    )

"""What channels make of an event: violations, and obligations for what passes in another form."""

from collections.abc import Iterator, Sequence
from typing import Final

from lawful.policies.answering import Judgement
from lawful.policies.channels.model import ACTION, PASS, UNSTRUCTURED, Channel, Handling
from lawful.policies.combinations.model import MARK
from lawful.policies.model import Policy, Treatment
from lawful.policies.obligations import owed
from lawful.policies.predicates.minimisation import WOULD_BREAK
from lawful.policies.saying import Said, tightened
from lawful.schemas.event import PayloadKind, RecipientKind
from lawful.schemas.history import History
from lawful.schemas.taxonomy import covers, is_personal
from lawful.schemas.verdict import Decision, Obligation, Violation
from lawful.schemas.view import Finding, SubjectRole, View

PREFIX: Final = "channel:"
NOT_FOR: Final = "not_for_recipient"
UNKNOWN: Final = "channel_unknown"
NOT_STRUCTURED: Final = "message_not_structured"
NOT_AGREED: Final = "action_not_agreed"
ARTICLE: Final = "GDPR Art. 25(2)"
_CALLED_OTHERWISE: Final = (PayloadKind.ASSISTANT_MESSAGE, PayloadKind.MEMORY_WRITE)
_WORDS: Final = {
    Decision.WARN: "is noted",
    Decision.REDACT: "reaches this recipient only in another form",
    Decision.BLOCK: "must not reach this recipient",
}


def with_channels(base: Judgement, view: View, history: History, policy: Policy) -> Judgement:
    """The judgement with what its channels have to say added. Never looser than `base`.

    Args:
        base: what the four predicates (and the policy's Rego rules) say.
        view: the event as it concerns the subject, with the channels that it travels.
        history: from before the event; a blocked one teaches nothing.
        policy: the event's.
    """
    if not view.channels or view.role is SubjectRole.MENTIONED or view.slice is not None:
        return base  # the principal's view has everything that was found
    names = [name for name in view.channels if not name.startswith(MARK)]
    said = [each for name in names for each in _of_channel(name, view, policy)]
    if not said:
        return base
    return tightened(base, history, said)


def _of_channel(name: str, view: View, policy: Policy) -> Iterator[Said]:
    channel = policy.channels.rules.get(name) if policy.channels else None
    if channel is None:  # the policy was changed since the event was annotated
        yield Said(_violation(view, Channel(name), UNKNOWN, Decision.BLOCK, "the policy has no such channel any more"))
        return
    yield from _structure(channel, view)
    for category in sorted({each.category for each in view.findings}):
        handling = _handling(channel, category)
        if handling.decision is not Decision.FORWARD:
            yield _of_category(channel, view, category, handling)


def _handling(channel: Channel, category: str) -> Handling:
    return channel.of(category) if is_personal(category) else channel.marks.get(category, PASS)


def _structure(channel: Channel, view: View) -> Iterator[Said]:
    """An agent's message that is not one of the actions agreed on: blocked, whatever it holds."""
    if channel.actions is None or not _is_said_to_an_agent(view):
        return
    told = {each.category for each in view.findings}
    if any(f"{ACTION}.{name}" in told for name in channel.actions):
        return
    wrong = sorted(each.rpartition(".")[2] for each in told if covers(UNSTRUCTURED, each))
    if wrong or not any(covers(ACTION, each) for each in told):
        what = f"the message is no structured action ({wrong[0] if wrong else 'not read'})"
        yield Said(_violation(view, channel, NOT_STRUCTURED, Decision.BLOCK, _agreed(what, channel)))
    else:
        yield Said(_violation(view, channel, NOT_AGREED, Decision.BLOCK, _agreed("the action is not one", channel)))


def _is_said_to_an_agent(view: View) -> bool:
    """A message between agents, whatever the sender calls it."""
    if view.kind in _CALLED_OTHERWISE:
        return view.recipient is not None and view.recipient.kind is RecipientKind.AGENT
    return view.kind is PayloadKind.AGENT_MESSAGE


def _agreed(what: str, channel: Channel) -> str:
    return f"{what}; agreed on are {', '.join(sorted(channel.actions or ()))}"


def _of_category(channel: Channel, view: View, category: str, handling: Handling) -> Said:
    concerned = [each for each in view.findings if each.category == category]
    if handling.treatment is not None and any(each.essential for each in concerned):
        message = f"the tool requires the argument that holds '{category}', which this recipient may not get as it is"
        return Said(_violation(view, channel, WOULD_BREAK, Decision.BLOCK, message, category))
    message = channel.message or f"'{category}' {_WORDS[handling.decision]}"
    violation = _violation(view, channel, NOT_FOR, handling.decision, message, category)
    return Said(violation, _obligations(concerned, handling.treatment))


def _obligations(findings: Sequence[Finding], treatment: Treatment | None) -> tuple[Obligation, ...]:
    if treatment is None:
        return ()
    return tuple(owed(each.path, each.start, each.end, treatment, each.category) for each in findings)


def _violation(  # noqa: PLR0913, PLR0917 - a violation's parts
    view: View, channel: Channel, reason: str, decision: Decision, message: str, category: str | None = None
) -> Violation:
    return Violation(
        rule=PREFIX + channel.name,
        reason=reason,
        decision=decision,
        message=message,
        subject=view.subject,
        category=category,
        article=channel.article or ARTICLE,
        evidence=(view.event_id,),
    )

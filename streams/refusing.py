"""Blocks that the stages give on their own, when a policy cannot be asked or must not be.

These hold whatever the policy says: an event that was not looked at whole, or by no policy, did
not earn a milder action.
"""

from typing import Final

from lawful.policies.judge import At
from lawful.policies.model import Policy
from lawful.schemas.verdict import Decision, Predicate, Verdict, Violation
from lawful.schemas.view import SourcePosition, View

TOO_MANY_SUBJECTS: Final = "too_many_subjects"
TOO_MANY_CAUSES: Final = "too_many_causes"
UNKNOWN_POLICY: Final = "unknown_policy"
NOT_ANNOTATED: Final = "not_annotated"
TIMEOUT: Final = "timeout"
UNREADABLE: Final = "unreadable"
EVENT_ID_REUSED: Final = "event_id_reused"
PAYLOAD_ERASED: Final = "payload_erased"

_MESSAGES: Final = {
    TOO_MANY_SUBJECTS: "the event concerns more people than one verdict may cover; split it",
    TOO_MANY_CAUSES: "the event names more causes than an event may have; chain them, or name fewer",
    UNKNOWN_POLICY: "no policy of this name is loaded; load it, or name another in the event",
    NOT_ANNOTATED: "the event could not be annotated",
    TIMEOUT: "not all subjects' shares of the verdict came in time",
    UNREADABLE: "the record could not be read as an event",
    EVENT_ID_REUSED: "another event was published under this id; give each event an id of its own",
    PAYLOAD_ERASED: "the key of the event's payload was destroyed by an erasure; a new event gets a new key",
}
_ALWAYS: Final = (TOO_MANY_SUBJECTS, TOO_MANY_CAUSES, UNKNOWN_POLICY, NOT_ANNOTATED, PAYLOAD_ERASED)


def refusal(view: View, policy: Policy | None) -> str:
    """Why this view is refused without asking the policy; empty if it is not."""
    marked = view.status_reason.partition(":")[0]
    if marked in _ALWAYS:
        return marked
    return UNKNOWN_POLICY if policy is None else ""


def refused(view: View, place: At | None, reason: str, policy: Policy | None) -> Verdict:
    """A block verdict with one `error` violation.

    Args:
        view: whose event it is.
        place: the position it was decided on, if there is one.
        reason: one of this file's codes, or the name of an exception's class.
        policy: the event's policy, if it is known.
    """
    return Verdict(
        event_id=view.event_id,
        tenant_id=view.tenant_id,
        decision=Decision.BLOCK,
        violations=(error(reason, view.subject),),
        policy_id=policy.id if policy else "",
        policy_version=str(policy.version) if policy else "",
        policy_digest=policy.digest if policy else "",
        decided_on=(SourcePosition(place.topic, place.partition, place.offset),) if place else (),
        recorded_at=view.recorded_at,
    )


def fault(verdict: Verdict) -> str:
    """Which exception of our own code this verdict stands for; empty if it stands for none.

    Codes of ours are in lower case, names of exception classes are not; `error` is what the judge says.
    """
    for violation in verdict.violations:
        if violation.rule == Predicate.ERROR.value and (violation.reason == "error" or not violation.reason.islower()):
            return violation.message if violation.reason == "error" else violation.reason
    return ""


def error(reason: str, subject: str | None = None) -> Violation:
    """The violation `error`: this could not be decided, so it does not pass."""
    if reason == PAYLOAD_ERASED:
        predicate, article = Predicate.ERASURE, "GDPR Art. 17(1)"
        return Violation(predicate.value, reason, Decision.BLOCK, _MESSAGES[reason], subject, article=article)
    message = _MESSAGES.get(reason, "deciding failed; see the worker's log under this event id")
    return Violation(Predicate.ERROR.value, reason, Decision.BLOCK, message, subject, article="GDPR Art. 25(2)")

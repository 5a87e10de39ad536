"""The last step of an event: one verdict for whoever waits, one row for the audit trail."""

from collections.abc import Iterable
from dataclasses import dataclass

from lawful.schemas.audit import AuditKind, AuditRecord, SubjectMention
from lawful.schemas.changing import changed
from lawful.schemas.verdict import Verdict
from lawful.schemas.view import ReplyTo, View


@dataclass(frozen=True, slots=True)
class Answer:
    """An event's one effective verdict, with its audit row and the place where it is awaited."""

    verdict: Verdict
    audit: AuditRecord
    reply_to: ReplyTo | None

    @property
    def key(self) -> str:
        """The record key in `lawful.audit` and `lawful.verdicts`: the principal's."""
        return self.audit.view.key


def single(view: View, verdict: Verdict) -> Answer:
    """The answer to an event that concerns one person, or nobody."""
    return answer((view,), verdict)


def answer(views: Iterable[View], verdict: Verdict) -> Answer:
    """The answer to an event, from the views that were judged.

    Args:
        views: at least one, any order; the one with the lowest part stands for the event.
        verdict: the event's verdict.
    """
    ordered = sorted(views, key=lambda view: view.part)
    head = ordered[0]
    # Where an answer is awaited is nobody's business in the audit.
    told = head if head.reply_to is None else changed(head, reply_to=None)
    audit = AuditRecord(kind=AuditKind.VERDICT, view=told, subjects=_mentions(ordered), verdict=verdict)
    return Answer(verdict, audit, head.reply_to)


def _mentions(views: Iterable[View]) -> tuple[SubjectMention, ...]:
    """Everyone concerned, once each, by the first (closest) role."""
    roles: dict[str, SubjectMention] = {}
    for view in views:
        if view.subject is not None:
            roles.setdefault(view.subject, SubjectMention(view.subject, view.role))
    return tuple(roles.values())

"""One event before the four predicates: what was done, and what is known of the subject by then."""

from collections.abc import Sequence
from dataclasses import dataclass

from lawful.policies.model import Policy
from lawful.policies.plan import Plan
from lawful.schemas.event import Micros
from lawful.schemas.history import Entry
from lawful.schemas.verdict import Decision, Predicate, Violation
from lawful.schemas.view import View


@dataclass(frozen=True, slots=True)
class Case:
    """All that a predicate may look at.

    Attributes:
        entries: the subject's facts from before the event.
        time: the time of the decision.
    """

    view: View
    policy: Policy
    plan: Plan
    entries: Sequence[Entry]
    time: Micros

    def source(self, category: str | None) -> str | None:
        """The event that a category was inherited from; `None` if it was found in this one."""
        return next((each.source for each in self.view.findings if each.category == category and each.source), None)

    def violation(  # noqa: PLR0913 - these are a violation's fields, by name
        self,
        predicate: Predicate,
        reason: str,
        message: str,
        article: str,
        *,
        purpose: str | None = None,
        category: str | None = None,
        evidence: str | None = None,
        decision: Decision | None = None,
    ) -> Violation:
        """A violation of a predicate, with what the policy makes of it.

        The evidence is the event id of an earlier fact; where nothing earlier tells, the event
        itself does.
        """
        return Violation(
            rule=predicate.value,
            reason=reason,
            decision=self.policy.actions[predicate] if decision is None else decision,
            message=message,
            subject=self.view.subject,
            purpose=purpose,
            category=category,
            article=article,
            evidence=(evidence or self.source(category) or self.view.event_id,),
        )

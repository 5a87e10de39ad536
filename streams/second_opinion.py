"""A second and a third judge on a sampled share of events, while they happen.

The operational judge's verdict stands; the others only watch. Where they differ, something is
wrong with one of them, and that must not stay unnoticed: an alarm, and a row in the audit.
"""

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final
from zlib import crc32

from lawful.policies.judge import At
from lawful.policies.model import Policy
from lawful.schemas.audit import AuditKind, AuditRecord
from lawful.schemas.history import History
from lawful.schemas.verdict import Decision, Verdict, Violation
from lawful.schemas.view import View
from lawful.streams.answering import answer
from lawful.streams.refusing import refusal

if TYPE_CHECKING:
    from lawful.policies.crosscheck import Agreement

log = logging.getLogger(__name__)

RULE: Final = "crosscheck"
_RANGE: Final = 2**32


class SecondOpinion:
    """Asks the other judges about some events.

    Args:
        share: of all events, from 0 (none) to 1 (all). The same event is always in or always out.
        alarm: called at every disagreement.
    """

    def __init__(self, share: float, alarm: Callable[[], None] = lambda: None) -> None:
        self._below = round(share * _RANGE)
        self._alarm = alarm

    def wants(self, view: View) -> bool:
        """Whether the event is in the sample. Views for rules alone are the rules' business."""
        return view.slice is None and view.acted is None and crc32(view.event_id.encode()) < self._below

    def on(self, view: View, at: At, history: History, policy: Policy | None, verdict: Verdict) -> AuditRecord | None:
        """The audit record of a disagreement; `None` if all judges say the same.

        Args:
            view: the event as it concerns the subject.
            at: where and when it was judged.
            history: what was known of the subject before it.
            policy: the session's policy.
            verdict: what the operational judge said.
        """
        if policy is None or refusal(view, policy):
            return None  # refused without asking the policy: no judge was asked
        from lawful.policies.crosscheck import compare  # noqa: PLC0415 - loads the Rego engine: only who samples pays

        agreement = compare(view, at, history, policy)
        if agreement.agrees:
            return None
        self._alarm()
        log.critical("%s: the judges disagree about event %s", RULE, view.event_id)
        return replace(answer((view,), _with(verdict, agreement)).audit, kind=AuditKind.DISAGREEMENT)


def _with(verdict: Verdict, agreement: "Agreement") -> Verdict:
    """The verdict with what each judge says differently."""
    faults = tuple(
        Violation(
            rule=RULE,
            reason=f"{fault.judge.value}_disagrees",
            decision=Decision.FORWARD,
            message=f"lacks: {'; '.join(fault.missing) or 'nothing'}. adds: {'; '.join(fault.surplus) or 'nothing'}",
        )
        for fault in agreement.faults
    )
    return replace(verdict, violations=(*verdict.violations, *faults))

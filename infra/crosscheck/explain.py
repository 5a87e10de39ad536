"""The first disagreement in full: the event, the facts it was judged by, and what each judge says."""

from dataclasses import dataclass
from typing import Any

from lawful.policies.crosscheck import Agreement
from lawful.policies.history import as_of
from lawful.policies.judge import At
from lawful.policies.mfotl.facts import event_facts, fact_facts
from lawful.policies.mfotl.log import show_log
from lawful.policies.model import Policy
from lawful.policies.rego.document import document
from lawful.schemas.history import History
from lawful.schemas.view import View


@dataclass(frozen=True, slots=True)
class Case:
    """One decision: all that it depends on."""

    view: View
    at: At
    history: History
    policy: Policy


def explanation(case: Case, agreement: Agreement) -> dict[str, Any]:
    """Everything that is needed to look into a disagreement; pseudonyms and names, no content."""
    given = document(case.view, case.at, case.history, case.policy)
    return {
        "event_id": case.view.event_id,
        "subject": case.view.subject,
        "policy": {"id": case.policy.id, "version": case.policy.version, "digest": case.policy.digest},
        "at": {"offset": case.at.offset, "recorded_at": case.at.recorded_at},
        "view": given["view"],
        "history": given["history"],
        "facts": facts(case),
        "verdict": {
            "decision": agreement.verdict.decision.word,
            "violations": [
                {"rule": each.rule, "reason": each.reason, "purpose": each.purpose, "category": each.category}
                for each in agreement.verdict.violations
            ],
        },
        "differences": [
            {"judge": fault.judge.value, "missing": list(fault.missing), "surplus": list(fault.surplus)}
            for fault in agreement.faults
        ],
    }


def facts(case: Case) -> list[str]:
    """The facts in the words of the formulas, one line each; the event's come last."""
    entries = as_of(case.history, case.at.offset)
    past = [show_log(each.recorded_at, fact_facts(number, each.fact)).strip() for number, each in enumerate(entries)]
    return [*past, show_log(case.at.recorded_at, event_facts(case.view, case.policy)).strip()]

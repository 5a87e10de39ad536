"""Auditors that come along: the three judges, another policy, a second reading, and whatever can be called."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from lawful.policies.auditing.port import Auditor, Brief, Opinion
from lawful.policies.combinations.model import names_of
from lawful.policies.crosscheck.panel import named, witnesses
from lawful.policies.judge import judge
from lawful.policies.mfotl.judge import MfotlJudge, Witness
from lawful.policies.model import Policy
from lawful.policies.rego.document import document_text
from lawful.policies.rego.judge import RegoJudge
from lawful.schemas.errors import InvalidRecord
from lawful.schemas.verdict import Decision, Predicate, Verdict
from lawful.schemas.view import Finding, SubjectRole, View

_FORMAL: Final = frozenset(
    each.value for each in (Predicate.CONSENT, Predicate.PURPOSE, Predicate.MINIMISATION, Predicate.ERASURE)
)
_COMMON: Final = frozenset(Predicate)


@dataclass(frozen=True, slots=True)
class PythonAuditor:
    """The operational judge once more, from the history alone: nothing remembered, the policy's own Rego left out."""

    name: str = "python"
    version: str = "1"

    def ask(self, brief: Brief) -> Opinion:
        """See `Auditor`."""
        verdict = judge(brief.view, brief.at, brief.history, brief.policy).verdict
        given = _given(brief.verdict, frozenset(each.rule for each in verdict.violations) | _COMMON)
        return Opinion(max(verdict.decision, given), obligations=verdict.obligations)


@dataclass(frozen=True, slots=True)
class RegoAuditor:
    """The Rego judge. What the policy's own rules said, it takes as given."""

    name: str = "rego"
    version: str = "1"
    judge: RegoJudge = field(default_factory=RegoJudge)

    def ask(self, brief: Brief) -> Opinion:
        """See `Auditor`."""
        found = self.judge.judge(brief.view, brief.at, brief.history, brief.policy)
        return Opinion(max(found.decision, _given(brief.verdict, _COMMON)))


@dataclass(frozen=True, slots=True)
class MfotlAuditor:
    """The formal judge: says what is violated; the policy says what that leads to. The rest it takes as given."""

    name: str = "mfotl"
    version: str = "1"

    def ask(self, brief: Brief) -> Opinion:
        """See `Auditor`."""
        found = MfotlJudge().judge(brief.view, brief.at, brief.history, brief.policy)
        seen = frozenset(Witness(each.predicate, named(each.purpose), each.category) for each in found)
        known = witnesses(brief.verdict)
        if seen == known:
            return Opinion(brief.verdict.decision)
        kept = [
            each.decision
            for each in brief.verdict.violations
            if each.rule not in _FORMAL or Witness(Predicate(each.rule), each.purpose, each.category) in seen
        ]
        added = [brief.policy.actions[each.predicate] for each in seen - known]
        return Opinion(max((*kept, *added), default=Decision.FORWARD))


@dataclass(frozen=True, slots=True)
class PackAuditor:
    """Another policy, such as a rule pack of the security team's, on the same event and history.

    Which channels an event travels was found out by the event's own policy; the pack judges those of them that it has.
    """

    policy: Policy

    @property
    def name(self) -> str:
        """After the policy's id."""
        return f"pack:{self.policy.id}"

    @property
    def version(self) -> str:
        """The policy's."""
        return self.policy.version

    def ask(self, brief: Brief) -> Opinion:
        """See `Auditor`."""
        known = names_of(self.policy.channels)
        seen = replace(brief.view, channels=tuple(name for name in brief.view.channels if name in known))
        verdict = judge(seen, brief.at, brief.history, self.policy).verdict
        return Opinion(verdict.decision, obligations=verdict.obligations)


@dataclass(frozen=True, slots=True)
class ReaderAuditor:
    """A second extractor's findings, judged as if the first had found them, too."""

    name: str = "reader"
    version: str = "1"

    def ask(self, brief: Brief) -> Opinion:
        """See `Auditor`.

        Raises:
            InvalidRecord: no second extractor has read the event, or it failed.
        """
        if brief.view.reread is None:
            raise InvalidRecord("no second extractor has read this event")
        view = brief.view
        places = {_place(each) for each in view.findings}
        more = [each for each in view.reread or () if _place(each) not in places and _concerns(each, view)]
        if not more:
            return Opinion(brief.verdict.decision)
        seen = replace(view, findings=(*view.findings, *more))
        verdict = judge(seen, brief.at, brief.history, brief.policy).verdict
        return Opinion(max(verdict.decision, _given(brief.verdict, _COMMON)), obligations=verdict.obligations)


def _place(finding: Finding) -> tuple[object, ...]:
    return (finding.path, finding.start, finding.end, finding.category)


def _concerns(finding: Finding, view: View) -> bool:
    """The view of somebody who is only mentioned has the findings that name them, and no others."""
    return view.role is not SubjectRole.MENTIONED or finding.subject == view.subject


Answer = str | tuple[str, str] | Opinion
"""What a callable may give: a decision's word, the word and a reason code, or an opinion."""


@dataclass(frozen=True, slots=True)
class CalledAuditor:
    """Anything that can be called: a model behind an HTTP client, a rule engine, a person's tool.

    Attributes:
        ask_it: gets one JSON-able mapping, see `briefing`.
    """

    name: str
    ask_it: Callable[[Mapping[str, Any]], Answer]
    version: str = "1"

    def ask(self, brief: Brief) -> Opinion:
        """See `Auditor`.

        Raises:
            KeyError: the word is no decision's.
        """
        answer = self.ask_it(briefing(brief))
        if isinstance(answer, Opinion):
            return answer
        word, reason = (answer, "") if isinstance(answer, str) else answer
        return Opinion(Decision[word.upper()], reason)


def briefing(brief: Brief) -> dict[str, Any]:
    """What callables are given; pseudonyms, categories and places, no content.

    `view`, `at`, `history` and `policy` are as the Rego judge has them; `event` is the envelope, `verdict`
    what the operational judge said.
    """
    view, verdict = brief.view, brief.verdict
    document: dict[str, Any] = json.loads(document_text(view, brief.at, brief.history, brief.policy))
    recipient = None if view.recipient is None else {"kind": view.recipient.kind.value, "id": view.recipient.id}
    document["event"] = {
        "event_id": view.event_id,
        "tenant_id": view.tenant_id,
        "agent_id": view.agent_id,
        "session_id": view.session_id,
        "recipient": recipient,
    }
    document["verdict"] = {
        "decision": verdict.decision.word,
        "violations": [
            {"rule": each.rule, "reason": each.reason, "purpose": each.purpose, "category": each.category}
            for each in verdict.violations
        ],
    }
    return document


def _given(verdict: Verdict, known: frozenset[str]) -> Decision:
    """What rules say that this judge does not know."""
    return max((each.decision for each in verdict.violations if each.rule not in known), default=Decision.FORWARD)


JUDGES: Final[Mapping[str, Callable[[], Auditor]]] = {
    "python": PythonAuditor,
    "rego": RegoAuditor,
    "mfotl": MfotlAuditor,
    "reader": ReaderAuditor,
}
"""Auditors that need nothing but their name."""

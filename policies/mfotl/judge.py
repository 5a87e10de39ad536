"""The third judge: P1 to P4 as four formulas over facts, run by the monitor.

Nothing is shared with the operational judge but the facts: the formulas in `predicates/` read a log
in which each fact of a subject's history is one time-point and each event another.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lawful.policies.answering import At
from lawful.policies.mfotl.monitor import Monitor
from lawful.policies.mfotl.nodes import Row
from lawful.policies.mfotl.signature import Signature, parse_signature
from lawful.policies.model import LegalBasis, Policy, PurposeRule
from lawful.schemas.event import Micros
from lawful.schemas.history import ConsentFact, Entry, Fact, History, RequestFact, WithdrawalFact
from lawful.schemas.taxonomy import SpecialKind, is_personal, line, special_kind
from lawful.schemas.verdict import Decision, Predicate
from lawful.schemas.view import Provenance, SubjectRole, View

_FOLDER = Path(__file__).parent / "predicates"
_NEVER = 2**62
Facts = Mapping[str, set[Row]]

FORMULAS: Mapping[Predicate, str] = {
    Predicate.CONSENT: "consent",
    Predicate.PURPOSE: "purpose",
    Predicate.MINIMISATION: "minimisation",
    Predicate.ERASURE: "erasure",
}


@cache
def signature() -> Signature:
    """The predicates that the formulas are written in."""
    return parse_signature((_FOLDER / "facts.sig").read_text(encoding="utf-8"))


@cache
def formula(predicate: Predicate) -> str:
    """The whole text of a predicate's formula, as MonPoly reads it."""
    parts = ("common", FORMULAS[predicate])
    return "".join((_FOLDER / f"{part}.mfotl").read_text(encoding="utf-8") for part in parts)


@dataclass(frozen=True, slots=True)
class Witness:
    """What violates a predicate: the purpose and category, where the predicate is about one."""

    predicate: Predicate
    purpose: str | None = None
    category: str | None = None


class MfotlJudge:
    """Judges one subject's trace, in order. State grows with the subject's facts, not with events."""

    def __init__(self) -> None:
        self._monitors = {each: Monitor(formula(each), signature()) for each in FORMULAS}
        self._through = -1
        self._stamp: Micros = 0

    def judge(self, view: View, at: At, history: History, policy: Policy) -> frozenset[Witness]:
        """What is violated by an ordinary event.

        Facts of the history that were not seen before, and stand before `at`, are taken in first.
        """
        self.learn(history, at.offset)
        self._stamp = max(self._stamp, at.recorded_at)
        facts = event_facts(view, self._stamp, policy)
        return frozenset(
            _witness(predicate, row)
            for predicate, monitor in self._monitors.items()
            for row in monitor.step(self._stamp, facts)
        )

    def learn(self, history: History, offset: int) -> None:
        """Take in the history's new facts from before an offset."""
        for entry in history.entries:
            if self._through < entry.offset < offset:
                self._stamp = max(self._stamp, entry.recorded_at)
                facts = fact_facts(entry)
                for monitor in self._monitors.values():
                    monitor.step(self._stamp, facts)
        self._through = max([self._through, *(entry.offset for entry in history.entries if entry.offset < offset)])


def _witness(predicate: Predicate, row: Row) -> Witness:
    match predicate:
        case Predicate.CONSENT:
            return Witness(predicate, str(row[0]), str(row[1]) or None)
        case Predicate.PURPOSE:
            return Witness(predicate, str(row[0]) if row[1] == "purpose_not_declared" else None)
        case Predicate.MINIMISATION:
            return Witness(predicate, None, str(row[0]))
        case _:
            return Witness(predicate)


def fact_facts(entry: Entry) -> Facts:
    """A fact of the history as one time-point of the log."""
    fact: Fact = entry.fact
    if isinstance(fact, ConsentFact):
        return _consent_facts(entry.offset, fact)
    if isinstance(fact, WithdrawalFact):
        if fact.purposes is None:
            return {"withdraws_all": {()}}
        return {"withdraws": {(purpose,) for purpose in fact.purposes}}
    if isinstance(fact, RequestFact) and fact.kind.value == "erasure":
        return {"erases": {()}}
    return {}


def _consent_facts(offset: int, fact: ConsentFact) -> Facts:
    name = f"{fact.event_id}@{offset}"
    expires = _NEVER if fact.expires_at is None else fact.expires_at
    facts: dict[str, set[Row]] = {"consent": {(name, purpose, expires) for purpose in fact.purposes}}
    if fact.categories is None:
        facts["blanket"] = {(name,)}
    else:
        facts["grants"] = {(name, category) for category in fact.categories}
    if fact.re_enrols:
        facts["enrols"] = {()}
    return facts


def event_facts(view: View, now: Micros, policy: Policy) -> Facts:
    """An event as one time-point: what it claims and holds, and what the policy says about that."""
    claims = {claim.purpose for claim in view.purposes}
    categories = {finding.category for finding in view.findings if is_personal(finding.category)}
    facts: dict[str, set[Row]] = {
        "now": {(now,)},
        "claim": {(claim,) for claim in claims},
        "relied": {(claim.purpose,) for claim in view.purposes if claim.provenance is not Provenance.INFERRED},
        "personal": {(category,) for category in categories},
        "above": {(name, upper) for name in (*claims, *categories) for upper in line(name)},
    }
    facts["mentioned" if view.role is SubjectRole.MENTIONED else "whole"] = {()}
    facts.update(_circumstances(view, policy))
    facts.update(_rules(claims, categories, policy))
    facts.update(_taxonomy(categories))
    return facts


def _circumstances(view: View, policy: Policy) -> Iterator[tuple[str, set[Row]]]:
    if view.subject is None:
        yield "nobody", {()}
    if view.tool is not None:
        yield "tool", {(view.tool,)}
        if view.tool in policy.tools:
            yield "known_tool", {(view.tool,)}
    if policy.actions[Predicate.MINIMISATION] < Decision.REDACT:
        yield "lets_excess_pass", {()}


def _rules(claims: set[str], categories: set[str], policy: Policy) -> Facts:
    rules: dict[str, PurposeRule] = {claim: rule for claim in claims if (rule := policy.rule(claim)) is not None}
    used = {rule.key: rule for rule in rules.values()}
    return {
        "declared": {(claim, rule.key) for claim, rule in rules.items()},
        "necessary": {
            (key, category)
            for key, rule in used.items()
            for category in categories
            if not rule.necessary.isdisjoint(line(category))
        },
        "by_consent": {(key,) for key, rule in used.items() if rule.legal_basis is LegalBasis.CONSENT},
        "explicit": {(key,) for key, rule in used.items() if rule.by_explicit_consent},
        "condition9": {(key,) for key, rule in used.items() if rule.article9 is not None},
        "condition10": {(key,) for key, rule in used.items() if rule.article10 is not None},
        "survivor": {(key,) for key, rule in used.items() if rule.survives_erasure},
    }


def _taxonomy(categories: set[str]) -> Facts:
    names = {upper for category in categories for upper in line(category)}
    kinds = {name: kind for name in names if (kind := special_kind(name)) is not None}
    return {
        "special": {(name,) for name in kinds},
        "article9": {(name,) for name, kind in kinds.items() if kind is SpecialKind.ARTICLE_9},
        "article10": {(name,) for name, kind in kinds.items() if kind is SpecialKind.ARTICLE_10},
    }

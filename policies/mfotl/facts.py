"""Histories and events as facts of a log: what the formulas in `predicates/` speak of.

Each fact of a subject's history is one time-point and each event another. An event's facts say what
it claims and holds, and what the policy and the taxonomy say about the names it uses, so that the
formulas need no other knowledge.
"""

from collections.abc import Iterator
from typing import Final

from lawful.policies.mfotl.nodes import Facts, Recurring, Row
from lawful.policies.model import LegalBasis, Policy, PurposeRule
from lawful.schemas.event import PayloadKind
from lawful.schemas.history import ConsentFact, Fact, RequestFact, WithdrawalFact
from lawful.schemas.taxonomy import SpecialKind, is_personal, line, special_kind
from lawful.schemas.verdict import Decision, Predicate
from lawful.schemas.view import Provenance, SubjectRole, View

NEVER: Final = 2**61
MOST_POLICIES: Final = 64
MOST_EVENTS: Final = 1024
CHANGING: Final = frozenset({"now"})
"""What differs even between events that are alike."""

_GROUNDLESS: Final = (Provenance.INFERRED, Provenance.INHERITED)
_SILENT: Final = frozenset(
    {
        PayloadKind.CONSENT_GIVEN,
        PayloadKind.CONSENT_WITHDRAWN,
        PayloadKind.DATA_SUBJECT_REQUEST,
        PayloadKind.IDENTITY_LINKED,
    }
)


def fact_facts(number: int, fact: Fact) -> Facts:
    """A fact of the history as one time-point of the log.

    Args:
        number: names the fact; no other of the same log has it.
        fact: the fact.
    """
    if isinstance(fact, ConsentFact):
        return _consent_facts(str(number), fact)
    if isinstance(fact, WithdrawalFact):
        if fact.purposes is None:
            return {"withdraws_all": {()}}
        return {"withdraws": {(purpose,) for purpose in fact.purposes}}
    if isinstance(fact, RequestFact) and fact.kind.value == "erasure":
        return {"erases": {()}}
    return {}


def _consent_facts(name: str, fact: ConsentFact) -> Facts:
    expires = NEVER if fact.expires_at is None else fact.expires_at
    facts: dict[str, set[Row]] = {"consent": {(name, purpose, expires) for purpose in fact.purposes}}
    if fact.categories is None:
        facts["blanket"] = {(name,)}
    else:
        facts["grants"] = {(name, category) for category in fact.categories}
    if fact.re_enrols:
        facts["enrols"] = {()}
    return facts


class EventFacts:
    """An event's facts. Events that are alike for a policy share them, and what follows from them.

    Bounded: policies and kinds of events beyond the bounds are a sign of noise, and it starts afresh.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[Policy, dict[tuple[object, ...], Recurring]]] = {}

    def of(self, view: View, policy: Policy) -> Recurring:
        """The facts of an event under a policy, but for the time."""
        silent = view.kind in _SILENT
        # Appending beats comprehensions here, and this is a good part of the judge's usual case.
        parts: list[object] = [view.tool, view.role, view.subject is None, silent and _offered(view)]
        for claim in view.purposes:
            parts.append(claim.purpose if claim.provenance not in _GROUNDLESS else (claim.purpose,))  # noqa: PERF401 - above
        parts.append(None)
        for finding in view.findings:
            parts.append(finding.category)  # noqa: PERF401 - above
        key = tuple(parts)
        known = self._of_policy(policy)
        found = known.get(key)
        if found is None:
            if len(known) >= MOST_EVENTS:
                known.clear()
            found = known[key] = Recurring(event_facts(view, policy))
        return found

    def _of_policy(self, policy: Policy) -> dict[tuple[object, ...], Recurring]:
        found = self._known.get(id(policy))
        if found is not None and found[0] is policy:
            return found[1]
        if len(self._known) >= MOST_POLICIES:
            self._known.clear()
        known: dict[tuple[object, ...], Recurring] = {}
        self._known[id(policy)] = (policy, known)
        return known


def event_facts(view: View, policy: Policy) -> Facts:
    """An event as one time-point: what it claims and holds, and what the policy says about that."""
    if view.kind in _SILENT:
        return dict(_offer(view))
    claims = {claim.purpose for claim in view.purposes}
    categories = {finding.category for finding in view.findings if is_personal(finding.category)}
    facts: dict[str, set[Row]] = {
        "claim": {(claim,) for claim in claims},
        "relied": {(claim.purpose,) for claim in view.purposes if claim.provenance not in _GROUNDLESS},
        "personal": {(category,) for category in categories},
        "above": {(name, upper) for name in (*claims, *categories) for upper in line(name)},
    }
    facts["mentioned" if view.role is SubjectRole.MENTIONED else "whole"] = {()}
    facts.update(_circumstances(view, policy))
    facts.update(_rules(claims, categories, policy))
    facts.update(_taxonomy(categories))
    return {name: rows for name, rows in facts.items() if rows}


def _offered(view: View) -> tuple[bool, bool]:
    """Whether the event offers a consent, and one that enrols its subject anew."""
    fact = view.fact
    return (True, fact.re_enrols) if isinstance(fact, ConsentFact) else (False, False)


def _offer(view: View) -> Iterator[tuple[str, set[Row]]]:
    """A consent before it is taken in. Withdrawals, requests and links violate nothing."""
    offers, re_enrols = _offered(view)
    if not offers:
        return
    yield "offers", {()}
    if re_enrols:
        yield "enrols_anew", {()}
    if view.subject is None:
        yield "nobody", {()}


def _circumstances(view: View, policy: Policy) -> Iterator[tuple[str, set[Row]]]:
    if view.subject is None:
        yield "nobody", {()}
    if view.tool is not None:
        yield "tool", {(view.tool,)}
        if view.tool in policy.tools:
            yield "known_tool", {(view.tool,)}
    if policy.actions[Predicate.MINIMISATION] < Decision.REDACT:
        yield "lets_excess_pass", {()}


def _rules(claims: set[str], categories: set[str], policy: Policy) -> dict[str, set[Row]]:
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


def _taxonomy(categories: set[str]) -> dict[str, set[Row]]:
    names = {upper for category in categories for upper in line(category)}
    kinds = {name: kind for name in names if (kind := special_kind(name)) is not None}
    return {
        "special": {(name,) for name in kinds},
        "article9": {(name,) for name, kind in kinds.items() if kind is SpecialKind.ARTICLE_9},
        "article10": {(name,) for name, kind in kinds.items() if kind is SpecialKind.ARTICLE_10},
    }

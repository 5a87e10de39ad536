"""What a policy says about a combination of tool, purposes and categories, whoever it concerns.

Fleets repeat themselves: the same tool with the same purposes and the same kinds of data, a
million times over. All that depends on these and not on a subject's history is worked out once
and remembered in the policy, so that the judge's usual case is one look-up.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from lawful.policies.model import Policy, PurposeRule
from lawful.policies.standing import ConsentNeed, need
from lawful.schemas.taxonomy import SpecialKind, is_personal, is_special, special_kind
from lawful.schemas.verdict import Decision, Predicate
from lawful.schemas.view import Provenance, View

PlanKey = tuple[str | tuple[str] | None, ...]
"""Tool, purposes (one that justifies nothing in a tuple of its own), `None`, and categories, as the view lists them."""

MOST_PLANS: Final = 4096
"""More different combinations than this are a sign of noise; then the memory starts afresh."""

MOST_PARTS: Final = 64
LONGEST_KEY: Final = 128

_GROUNDLESS: Final = (Provenance.INFERRED, Provenance.INHERITED)


@dataclass(frozen=True, slots=True)
class Ungrounded:
    """A purpose that needs special data without a condition that allows it (Art. 9 or 10)."""

    purpose: str
    category: str
    kind: SpecialKind


@dataclass(frozen=True, slots=True)
class Plan:
    """What is known before any history is looked at. All tuples are sorted and without doubles.

    Attributes:
        tool: the tool used, if any.
        tool_declared: the policy names it.
        claimed: every purpose claimed, by anyone.
        undeclared: those that the policy does not declare.
        purposeless: there is personal data and nobody said what for.
        personal: the personal categories found.
        excess: those that no claimed purpose needs.
        needs: the consents needed.
        ungrounded: special data that lacks a condition.
        survives: all claimed purposes outlive an erasure.
        quiet: P2, P3 and the conditions of Art. 9 and 10 have nothing to say.
    """

    tool: str | None
    tool_declared: bool
    claimed: tuple[str, ...]
    undeclared: tuple[str, ...]
    purposeless: bool
    personal: tuple[str, ...]
    excess: tuple[str, ...]
    needs: tuple[ConsentNeed, ...]
    ungrounded: tuple[Ungrounded, ...]
    survives: bool
    quiet: bool


def plan_of(view: View, policy: Policy) -> Plan:
    """The plan for a view; a look-up if its like was seen before."""
    # Appending beats comprehensions here, and this is half of the judge's usual case.
    parts: list[str | tuple[str] | None] = [view.tool]
    for claim in view.purposes:
        parts.append(claim.purpose if claim.provenance not in _GROUNDLESS else (claim.purpose,))  # noqa: PERF401 - above
    parts.append(None)
    for finding in view.findings:
        parts.append(finding.category)  # noqa: PERF401 - above
    key = tuple(parts)
    plan: Plan | None = policy.plans.get(key)
    return _learn(key, view, policy) if plan is None else plan


def _learn(key: PlanKey, view: View, policy: Policy) -> Plan:
    """Works a plan out, and keeps it if it is an everyday one: noise must not fill the memory."""
    plan = make_plan(view, policy)
    if plan.quiet and len(key) <= MOST_PARTS and all(len(purpose) <= LONGEST_KEY for purpose in plan.claimed):
        if len(policy.plans) >= MOST_PLANS:
            policy.plans.clear()
        policy.plans[key] = plan
    return plan


def make_plan(view: View, policy: Policy) -> Plan:
    """Works a plan out, from the view's tool, purposes and categories alone."""
    tool = view.tool
    claimed = _distinct(claim.purpose for claim in view.purposes)
    # INVARIANT: an inferred or inherited purpose justifies nothing; it can only make a verdict stricter.
    relied = _distinct(claim.purpose for claim in view.purposes if claim.provenance not in _GROUNDLESS)
    personal = _distinct(finding.category for finding in view.findings if is_personal(finding.category))
    rules = {purpose: policy.rule(purpose) for purpose in claimed}
    grounds = [rule for purpose in relied if (rule := rules[purpose]) is not None]
    excess = tuple(category for category in personal if not any(rule.needs(category) for rule in grounds))
    known = {purpose: rule for purpose, rule in rules.items() if rule is not None}
    # Excess that a policy only warns about goes through, so it needs consent and conditions too.
    passing = personal if policy.actions[Predicate.MINIMISATION] < Decision.REDACT else _without(personal, excess)
    ungrounded = tuple(each for purpose, rule in known.items() for each in _ungrounded(purpose, rule, passing, excess))
    undeclared = tuple(purpose for purpose, rule in rules.items() if rule is None)
    declared = tool is None or tool in policy.tools
    purposeless = bool(personal) and not relied
    return Plan(
        tool=tool,
        tool_declared=declared,
        claimed=claimed,
        undeclared=undeclared,
        purposeless=purposeless,
        personal=personal,
        excess=excess,
        needs=_needs(known, personal, passing, excess),
        ungrounded=ungrounded,
        survives=bool(relied) and not undeclared and all(rule.survives_erasure for rule in known.values()),
        quiet=declared and not (undeclared or purposeless or excess or ungrounded),
    )


def _needs(
    rules: dict[str, PurposeRule], personal: tuple[str, ...], passing: tuple[str, ...], excess: tuple[str, ...]
) -> tuple[ConsentNeed, ...]:
    needs: list[ConsentNeed] = []
    for purpose, rule in rules.items():
        scope = _scope(rule, passing, excess)
        if not rule.by_consent:
            # Another basis carries the purpose; explicit consent may still have to carry special data.
            scope = tuple(category for category in scope if is_special(category) and rule.by_explicit_consent)
        if scope or (personal and rule.by_consent):
            needs.append(need(purpose, scope, explicit=rule.by_explicit_consent))
    return tuple(needs)


def _scope(rule: PurposeRule, passing: tuple[str, ...], excess: tuple[str, ...]) -> tuple[str, ...]:
    """The categories that a purpose's ground must carry: what it needs; by consent, else all that passes."""
    needed = tuple(category for category in passing if rule.needs(category) or category in excess)
    return needed or (passing if rule.by_consent else ())


def _ungrounded(
    purpose: str, rule: PurposeRule, passing: tuple[str, ...], excess: tuple[str, ...]
) -> Iterable[Ungrounded]:
    for category in passing:
        if not (rule.needs(category) or category in excess):
            continue
        kind = special_kind(category)
        lacks_9 = kind is SpecialKind.ARTICLE_9 and rule.article9 is None and not rule.by_consent
        lacks_10 = kind is SpecialKind.ARTICLE_10 and rule.article10 is None
        if kind is not None and (lacks_9 or lacks_10):
            yield Ungrounded(purpose, category, kind)


def _distinct(keys: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(keys)))


def _without(keys: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(key for key in keys if key not in others)

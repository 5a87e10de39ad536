"""P2, purpose limitation (GDPR Art. 5(1)(b)): nothing is done for a purpose the policy doesn't declare."""

from collections.abc import Iterator

from lawful.policies.case import Case
from lawful.policies.wording import purpose_or_none, quoted_purpose, quoted_tool
from lawful.schemas.verdict import Predicate, Violation

ARTICLE = "GDPR Art. 5(1)(b)"


def purpose(case: Case) -> Iterator[Violation]:
    """The violations of P2. Costs one step per undeclared purpose."""
    plan = case.plan
    if plan.tool is not None and not plan.tool_declared:
        yield case.violation(
            Predicate.PURPOSE,
            "tool_not_declared",
            f"the tool {quoted_tool(plan.tool)} is not one of the policy's; declare it with its purposes",
            ARTICLE,
            decision=case.policy.undeclared_tool,
        )
    for name in plan.undeclared:
        yield case.violation(
            Predicate.PURPOSE,
            "purpose_not_declared",
            f"the purpose {quoted_purpose(name)} is not one of the policy's; declare it, or claim one that is",
            ARTICLE,
            purpose=purpose_or_none(name),
        )
    if plan.purposeless:
        yield case.violation(
            Predicate.PURPOSE,
            "purpose_missing",
            "the event holds personal data and nobody says what for; claim a purpose",
            ARTICLE,
        )

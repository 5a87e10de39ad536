"""P3, data minimisation (GDPR Art. 5(1)(c)): no category that none of the purposes needs."""

from collections.abc import Iterator

from lawful.policies.case import Case
from lawful.schemas.verdict import Decision, Predicate, Violation

ARTICLE = "GDPR Art. 5(1)(c)"
WOULD_BREAK = "redaction_would_break_arguments"


def minimisation(case: Case) -> Iterator[Violation]:
    """The violations of P3, one per excess category. What is redacted and essential blocks."""
    redacts = case.policy.actions[Predicate.MINIMISATION] is Decision.REDACT
    for category in case.plan.excess:
        if redacts and any(each.category == category and each.essential for each in case.view.findings):
            yield would_break(case, Predicate.MINIMISATION, category, ARTICLE)
        else:
            yield case.violation(
                Predicate.MINIMISATION,
                "category_not_necessary",
                f"none of the event's purposes needs '{category}'; leave it out, or claim the purpose that needs it",
                ARTICLE,
                category=category,
            )


def would_break(case: Case, predicate: Predicate, category: str, article: str) -> Violation:
    """The block that takes a redaction's place where the tool could not do without the text."""
    inherited = case.source(category) is not None
    return case.violation(
        predicate,
        WOULD_BREAK,
        f"an event that led to this one holds '{category}', which may not pass, and nobody knows where it stands here"
        if inherited
        else f"the tool requires the argument that holds '{category}', which may not pass; call it without this data",
        article,
        category=category,
        decision=Decision.BLOCK,
    )

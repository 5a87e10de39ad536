"""What must be done to a payload before it may pass, from what was found wrong with it."""

from collections.abc import Iterable, Iterator

from lawful.policies.case import Case
from lawful.policies.lattice import obligations_in_order
from lawful.policies.model import Treatment
from lawful.policies.predicates.minimisation import would_break
from lawful.schemas.taxonomy import is_personal
from lawful.schemas.verdict import Decision, Obligation, Predicate, Violation
from lawful.schemas.view import Finding


def obligations(case: Case, violations: Iterable[Violation]) -> tuple[Obligation, ...]:
    """One obligation per place that a redacting violation concerns."""
    redaction = case.policy.redaction
    return obligations_in_order(
        owed(each.path, each.start, each.end, redaction.of(each.category), each.category)
        for violation in violations
        for each in _concerned(case, violation)
    )


def owed(path: str, start: int, end: int, treatment: Treatment, category: str) -> Obligation:
    """The obligation to treat a place in a way."""
    return Obligation(path, start, end, treatment.action, category, treatment.how)


def breakages(case: Case, violations: Iterable[Violation]) -> Iterator[Violation]:
    """The blocks that arise because a redaction would take from a tool what it requires."""
    for violation in violations:
        essential = {each.category for each in _concerned(case, violation) if each.essential}
        for category in essential:
            yield would_break(case, Predicate(violation.rule), category, violation.article)


def _concerned(case: Case, violation: Violation) -> list[Finding]:
    """The findings to redact: those of the violation's category, else all personal data."""
    if violation.decision is not Decision.REDACT:
        return []
    category = violation.category
    return [
        each
        for each in case.view.findings
        if (is_personal(each.category) if category is None else each.category == category)
    ]

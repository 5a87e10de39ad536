"""P4, erasure (GDPR Art. 17): after it, nothing touches the subject but what a legal duty keeps alive."""

from collections.abc import Iterator

from lawful.policies import standing
from lawful.policies.case import Case
from lawful.schemas.verdict import Decision, Predicate, Violation

ARTICLE = "GDPR Art. 17(1)"


def erasure(case: Case) -> Iterator[Violation]:
    """The violation of P4, if the subject is erased and not every claimed purpose survives that.

    A policy that redacts here still blocks where nothing was found that could be redacted: the
    event touches the subject all the same.
    """
    erased = standing.erasure(case.entries)
    if erased is None or case.plan.survives:
        return
    action = case.policy.actions[Predicate.ERASURE]
    nothing_to_redact = action is Decision.REDACT and not case.plan.personal
    yield case.violation(
        Predicate.ERASURE,
        "subject_erased",
        "the subject was erased; no purpose but one under a legal duty may touch the subject's data",
        ARTICLE,
        evidence=erased.event_id,
        decision=Decision.BLOCK if nothing_to_redact else action,
    )


def exceptions(case: Case) -> tuple[str, ...]:
    """The purposes that let this event pass although its subject is erased (Art. 17(3)(b))."""
    return case.plan.claimed if case.plan.survives and standing.erasure(case.entries) is not None else ()

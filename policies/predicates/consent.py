"""P1, consent (GDPR Art. 6(1)(a), 7 and 9): where a purpose rests on consent, it is there and covers the data."""

from collections.abc import Iterator

from lawful.policies.case import Case
from lawful.policies.plan import Ungrounded
from lawful.policies.standing import CategoryNeed, ConsentNeed, Lack, Shortfall, shortfall
from lawful.policies.wording import purpose_or_none, quoted_purpose
from lawful.schemas.taxonomy import SpecialKind
from lawful.schemas.verdict import Predicate, Violation

_LACKS = {
    Lack.MISSING: ("the subject never gave it; ask for it", "GDPR Art. 6(1)(a)"),
    Lack.WITHDRAWN: ("the subject withdrew it; stop, or ask anew", "GDPR Art. 7(3)"),
    Lack.EXPIRED: ("it has expired; ask anew", "GDPR Art. 6(1)(a)"),
}
_EXPLICIT = {
    SpecialKind.ARTICLE_9: "GDPR Art. 9(2)(a)",
    SpecialKind.ARTICLE_10: "GDPR Art. 10",
    SpecialKind.CHILDREN: "GDPR Art. 8(1)",
}


def consent(case: Case) -> Iterator[Violation]:
    """The violations of P1. Costs one walk through the subject's facts per purpose by consent."""
    for ungrounded in case.plan.ungrounded:
        yield _ungrounded(case, ungrounded)
    for need in case.plan.needs:
        if case.view.subject is None:
            yield _nobody(case, need)
        elif lack := shortfall(case.entries, need, case.time):
            yield from _lacking(case, need, lack)


def _ungrounded(case: Case, what: Ungrounded) -> Violation:
    article = "10" if what.kind is SpecialKind.ARTICLE_10 else "9"
    return case.violation(
        Predicate.CONSENT,
        f"article{article}_condition_missing",
        f"the purpose {quoted_purpose(what.purpose)} uses '{what.category}' without a condition of Art. {article}; "
        f"state one in the policy",
        "GDPR Art. 10" if article == "10" else "GDPR Art. 9(1)",
        purpose=purpose_or_none(what.purpose),
        category=what.category,
    )


def _nobody(case: Case, need: ConsentNeed) -> Violation:
    return case.violation(
        Predicate.CONSENT,
        "nobody_to_consent",
        f"the purpose {quoted_purpose(need.purpose)} rests on consent, and the event names no subject; name one",
        "GDPR Art. 6(1)(a)",
        purpose=purpose_or_none(need.purpose),
    )


def _lacking(case: Case, need: ConsentNeed, lack: Shortfall) -> Iterator[Violation]:
    if lack.lack is Lack.NOT_COVERING:
        for each in lack.categories:
            yield _uncovered(case, need, each, lack.evidence)
        return
    why, article = _LACKS[lack.lack]
    yield case.violation(
        Predicate.CONSENT,
        lack.lack.value,
        f"the purpose {quoted_purpose(need.purpose)} rests on consent, and {why}",
        article,
        purpose=purpose_or_none(need.purpose),
        evidence=lack.evidence,
    )


def _uncovered(case: Case, need: ConsentNeed, what: CategoryNeed, evidence: str | None) -> Violation:
    named = "name" if what.special else "cover"
    return case.violation(
        Predicate.CONSENT,
        "explicit_consent_missing" if what.special else Lack.NOT_COVERING.value,
        f"the consent to {quoted_purpose(need.purpose)} does not {named} '{what.category}'; "
        f"ask for that, or leave it out",
        _EXPLICIT[what.special] if what.special else "GDPR Art. 6(1)(a)",
        purpose=purpose_or_none(need.purpose),
        category=what.category,
        evidence=evidence,
    )

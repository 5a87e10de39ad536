"""Events that change what is known of a subject: consents, withdrawals, requests, links.

They carry no free text, so the four predicates have nothing to say; what matters is what the
history learns, and that the answer never claims more than was done (A02).
"""

from dataclasses import replace

from lawful.policies.answering import At, Judgement, forward
from lawful.policies.combinations.remembering import forgotten
from lawful.policies.history import add, as_of, merge
from lawful.policies.model import Policy
from lawful.policies.standing import erasure, is_erasure, known
from lawful.schemas.event import PayloadKind
from lawful.schemas.history import ConsentFact, History, LinkFact, MergeFact, RequestFact, WithdrawalFact
from lawful.schemas.verdict import Decision, Outcome, Predicate, Verdict, Violation
from lawful.schemas.view import View


def record(view: View, at: At, history: History, policy: Policy) -> Judgement:
    """The answer to a consent, a withdrawal, a request or a link, and the history after it."""
    fact = view.fact
    plain = forward(view, at, policy)
    if isinstance(fact, MergeFact):
        return _merge(view, at, history, fact, plain)
    if view.parted:
        return Judgement(replace(plain, outcome=Outcome.UNLINKED), history)
    if isinstance(fact, LinkFact) or (fact is None and view.kind is PayloadKind.IDENTITY_LINKED):
        return Judgement(replace(plain, outcome=Outcome.LINKED), history)
    if isinstance(fact, ConsentFact):
        return _consent(view, at, history, fact, plain)
    if isinstance(fact, WithdrawalFact | RequestFact):
        outcome, learnt = _outcome(view, at, history, fact)
        return Judgement(replace(plain, outcome=outcome), learnt)
    return Judgement(_blocked(view, plain, Predicate.ERROR, "fact_missing"), history)


def _consent(view: View, at: At, history: History, fact: ConsentFact, plain: Verdict) -> Judgement:
    if view.subject is None:
        return Judgement(_blocked(view, plain, Predicate.CONSENT, "nobody_to_consent"), history)
    erased = erasure(as_of(history, at.offset))
    if erased is not None and not fact.re_enrols:
        return Judgement(_blocked(view, plain, Predicate.ERASURE, "subject_erased", erased.event_id), history)
    return Judgement(replace(plain, outcome=Outcome.RECORDED), add(history, at.offset, at.recorded_at, fact))


def _outcome(view: View, at: At, history: History, fact: WithdrawalFact | RequestFact) -> tuple[Outcome, History]:
    """What a withdrawal or a request comes to, and the history after it. These always pass."""
    if view.subject is None:
        return Outcome.UNKNOWN_SUBJECT, history
    learnt = add(history, at.offset, at.recorded_at, fact)
    if not is_erasure(fact):
        return Outcome.RECORDED, learnt
    before = as_of(history, at.offset)
    if known(before):
        erased = forgotten(learnt, at.offset, at.recorded_at)
        return (Outcome.ALREADY_ERASED, history) if erasure(before) else (Outcome.ERASED, erased)
    # The request names more identifiers: one of them may be known, and learn of this when they meet.
    return Outcome.UNKNOWN_SUBJECT, learnt if view.parts > 1 and not erasure(before) else history


def _merge(view: View, at: At, history: History, fact: MergeFact, plain: Verdict) -> Judgement:
    """Two pseudonyms become one; a request that named both has then erased both."""
    merged = merge(history, fact, at.offset, at.recorded_at)
    after = as_of(merged, at.offset + 1)
    erased = erasure(after)
    by_this_event = erased is not None and erased.event_id == view.event_id and known(after)
    return Judgement(replace(plain, outcome=Outcome.ERASED if by_this_event else Outcome.LINKED), merged)


_MESSAGES = {
    "fact_missing": ("the event says nothing that could be recorded; report it with the event id", "GDPR Art. 25(2)"),
    "nobody_to_consent": ("the consent names no subject; name one", "GDPR Art. 7(1)"),
    "subject_erased": (
        "the subject was erased, and a plain consent does not lift that; enrol the subject anew",
        "GDPR Art. 17(1)",
    ),
}


def _blocked(view: View, plain: Verdict, predicate: Predicate, reason: str, evidence: str | None = None) -> Verdict:
    message, article = _MESSAGES[reason]
    violation = Violation(
        rule=predicate.value,
        reason=reason,
        decision=Decision.BLOCK,
        message=message,
        subject=view.subject,
        article=article,
        evidence=(evidence or view.event_id,),
    )
    return replace(plain, decision=Decision.BLOCK, violations=(violation,))

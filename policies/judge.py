"""The decision: one event, one subject's history, one policy, one verdict.

`judge` is total (whatever goes wrong inside is a violation and blocks) and deterministic (no clock,
no chance, no order of dictionaries). Faust, the in-process transport, replay and the tests call it;
it knows none of them.
"""

from collections.abc import Iterator

from lawful.policies.answering import At, Judgement, forward, together
from lawful.policies.case import Case
from lawful.policies.channels.judging import with_channels
from lawful.policies.combinations.judging import with_combinations
from lawful.policies.history import add, as_of, effective_time
from lawful.policies.lattice import in_order, strictest
from lawful.policies.model import Policy
from lawful.policies.obligations import breakages, obligations
from lawful.policies.plan import Plan, plan_of
from lawful.policies.predicates import consent, erasure, minimisation, purpose
from lawful.policies.predicates.erasure import exceptions
from lawful.policies.recording import record
from lawful.policies.rules.judging import judge_rules
from lawful.policies.rules.memory import RuleMemory
from lawful.policies.standing import has_opinion, plainly_given, seen
from lawful.schemas.changing import changed
from lawful.schemas.event import PayloadKind
from lawful.schemas.history import History, RequestFact, SeenFact
from lawful.schemas.verdict import Decision, Predicate, Verdict, Violation
from lawful.schemas.view import ExtractionStatus, SourcePosition, SubjectRole, View

__all__ = ["FACT_KINDS", "At", "Judgement", "judge"]

_COMPLETE = ExtractionStatus.COMPLETE
FACT_KINDS = frozenset(
    {
        PayloadKind.CONSENT_GIVEN,
        PayloadKind.CONSENT_WITHDRAWN,
        PayloadKind.DATA_SUBJECT_REQUEST,
        PayloadKind.IDENTITY_LINKED,
    }
)


def judge(  # noqa: PLR0913, PLR0917 - what an event is judged by
    view: View,
    at: At,
    history: History,
    policy: Policy,
    memory: RuleMemory | None = None,
    denials: tuple[Violation, ...] = (),
) -> Judgement:
    """Decides on an event as it concerns one subject. Pure, total, deterministic.

    The usual case, an event that breaks no rule, costs microseconds whoever else is known and
    however long the log is; `lawful.policies.history.prune` keeps histories short.

    Args:
        view: the event as it concerns the subject.
        at: where and when it is judged. Only facts from before that offset count.
        history: what is known of the subject, possibly including later facts.
        policy: the session's policy.
        memory: spares the policy's own rules a walk through the past; changes no verdict.
        denials: what the policy's own Rego rules say against it (`lawful.policies.rego.denying`).

    Returns:
        The verdict, and the history with what it learnt; unchanged if the event is blocked.
    """
    try:
        if policy.rules is not None and policy.rules.concern(view):
            return judge_rules(view, at, history, policy, _base(view, at, history, policy, denials), memory)
        return _base(view, at, history, policy, denials)
    except Exception as error:  # noqa: BLE001 - fail closed: an error is a verdict, never a pass
        return Judgement(_failed(view, at, policy, type(error).__name__), history)


def _base(view: View, at: At, history: History, policy: Policy, denials: tuple[Violation, ...]) -> Judgement:
    """The decision by the four predicates, the channels and the denials, to which temporal rules then add."""
    base = _predicates(view, at, history, policy)
    if view.channels:
        base = with_channels(base, view, history, policy)
        base = with_combinations(base, view, at, history, policy)
    if not denials:
        return base
    violations = in_order([*base.verdict.violations, *denials])
    decision = strictest(violations)
    blocked = decision is Decision.BLOCK
    verdict = changed(
        base.verdict,
        decision=decision,
        violations=violations,
        obligations=() if blocked else base.verdict.obligations,
        exceptions=() if blocked else base.verdict.exceptions,
    )
    return Judgement(verdict, history if blocked else base.history)


def _predicates(view: View, at: At, history: History, policy: Policy) -> Judgement:
    """The decision by the four predicates."""
    if view.slice is not None:
        return Judgement(forward(view, at, policy), history)
    if view.kind in FACT_KINDS:
        return record(view, at, history, policy)
    plan = plan_of(view, policy)
    if plan.quiet and view.status is _COMPLETE and _is_plain(view, at, history, plan):
        return together(forward(view, at, policy), _seen(view, at, history))
    return weigh(view, at, history, policy, plan)


def _is_plain(view: View, at: At, history: History, plan: Plan) -> bool:
    """Whether the history, too, has nothing to say against an event with a quiet plan.

    INVARIANT: it may say no to what `weigh` would forward, never yes to what it would not.
    """
    entries = history.entries
    for entry in entries:
        if type(entry.fact) is RequestFact:
            return False
    for need in plan.needs:
        if view.subject is None or not plainly_given(entries, at.offset, need, at.recorded_at):
            return False
    return True


def weigh(view: View, at: At, history: History, policy: Policy, plan: Plan) -> Judgement:
    """The decision on an ordinary event, every predicate asked."""
    entries = as_of(history, at.offset)
    case = Case(view, policy, plan, entries, effective_time(entries, at.recorded_at))
    found = list(_violations(case))
    violations = in_order([*found, *breakages(case, found)])
    decision = strictest(violations)
    blocked = decision is Decision.BLOCK
    verdict = changed(
        forward(view, at, policy),
        decision=decision,
        violations=violations,
        obligations=obligations(case, violations) if decision is Decision.REDACT else (),
        exceptions=() if blocked else exceptions(case),
    )
    return Judgement(verdict, history if blocked else _seen(view, at, history))


def _violations(case: Case) -> Iterator[Violation]:
    if case.view.status is not _COMPLETE:
        yield case.violation(
            Predicate.ERROR,
            f"extraction_{case.view.status.value}",
            "what the event holds is not fully known; make it smaller, or see the worker's log",
            "GDPR Art. 25(2)",
        )
    if case.view.role is SubjectRole.MENTIONED:
        # Purposes and minimisation are the principal's view's business: it has all the findings.
        if has_opinion(case.entries):
            yield from consent(case)
        yield from erasure(case)
        return
    for predicate in (consent, purpose, minimisation, erasure):
        yield from predicate(case)


def _seen(view: View, at: At, history: History) -> History:
    """The history with the first contact in it."""
    if view.subject is None or seen(history, at.offset):
        return history
    return add(history, at.offset, at.recorded_at, SeenFact(view.event_id))


def _failed(view: View, at: At, policy: Policy, error: str) -> Verdict:
    """The block that stands for an exception; it names its class and nothing else."""
    message = f"deciding failed with {error}; report it with the event id"
    violation = Violation(
        Predicate.ERROR.value, "error", Decision.BLOCK, message, view.subject, None, None, "GDPR Art. 25(2)"
    )
    return Verdict(
        event_id=view.event_id,
        tenant_id=view.tenant_id,
        decision=Decision.BLOCK,
        violations=(violation,),
        policy_id=policy.id,
        policy_version=policy.version,
        policy_digest=policy.digest,
        decided_on=(SourcePosition(at.topic, at.partition, at.offset),),
        recorded_at=at.recorded_at,
    )

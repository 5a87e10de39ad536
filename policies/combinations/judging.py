"""Whether what an event tells, with what was told before, is too much for its recipient; and what is told by it.

Added up per person, session and recipient. What the event's own obligations take away, or leave only in
another form, does not count: it has not been told. Whom an event goes to that does not say so may be anybody,
so it counts for all, and everything counts against it.
"""

from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from typing import Final

from lawful.policies.answering import At, Judgement
from lawful.policies.channels.model import Channels
from lawful.policies.combinations.model import MARK, Combination, meets
from lawful.policies.combinations.remembering import disclosed, told_before
from lawful.policies.model import Policy
from lawful.policies.obligations import owed
from lawful.policies.predicates.minimisation import WOULD_BREAK
from lawful.policies.saying import Said, tightened
from lawful.schemas.event import PayloadKind
from lawful.schemas.history import History, ToldFact
from lawful.schemas.legible import plain_id
from lawful.schemas.taxonomy import is_personal
from lawful.schemas.verdict import Decision, Verdict, Violation
from lawful.schemas.view import Finding, SubjectRole, View

PREFIX: Final = "combination:"
TOGETHER: Final = "told_too_much_together"
UNKNOWN: Final = "combination_unknown"
ARTICLE: Final = "GDPR Art. 5(1)(c)"
_SELF: Final = (PayloadKind.USER_MESSAGE, PayloadKind.TOOL_RESULT, PayloadKind.MEMORY_READ)
_DIGITS: Final = 16


def with_combinations(base: Judgement, view: View, at: At, history: History, policy: Policy) -> Judgement:
    """The judgement with what combinations have to say added. Never looser than `base`.

    Args:
        base: what the four predicates and the channels say.
        view: the event as it concerns the subject.
        at: where and when it is judged: only what was told before counts.
        history: from before the event; a blocked one tells nothing.
        policy: the event's.
    """
    names = named(view)
    if not names or base.verdict.decision is Decision.BLOCK:
        return base
    said = [each for name in names for each in _of_rule(name, base.verdict, view, at, history, policy)]
    if not said:
        return base
    return tightened(base, history, said)


def tell(done: Judgement, view: View, at: At, policy: Policy) -> Judgement:
    """The judgement whose history knows what the event told its recipient. A blocked event tells nothing."""
    rules = [rule for name in named(view) if (rule := _rule(name, policy)) is not None]
    if not rules or done.verdict.decision is Decision.BLOCK:
        return done
    to, until = place_of(view), at.recorded_at + max(rule.keep for rule in rules) * 3 // 2
    left = {
        each for each in _told(view, done.verdict) if any(meets(one, each) for rule in rules for one in rule.members)
    }
    known = {
        category
        for entry in told_before(done.history, at.offset)
        if entry.fact.to == to and all(entry.fact.until >= at.recorded_at + rule.keep for rule in rules)
        for category in entry.fact.categories
    }
    new = tuple(sorted(left - known))
    if not new:
        return done
    fact = ToldFact(view.event_id, to, new, until)
    return replace(done, history=disclosed(done.history, at.offset, at.recorded_at, fact))


def named(view: View) -> tuple[str, ...]:
    """The combinations that are about the event's recipient."""
    if view.role is SubjectRole.MENTIONED or view.slice is not None:
        return ()  # the principal's view has everything that was found
    return tuple(name[len(MARK) :] for name in view.channels if name.startswith(MARK))


def place_of(view: View) -> str:
    """Session and recipient, digested; the second is empty if nobody says who it is.

    A recipient's kind does not count: calling it another one is no way to begin anew.
    """
    to = view.recipient
    if to is not None and to.id:
        name = to.id
    elif view.kind is PayloadKind.TOOL_CALL and view.tool:
        name = view.tool
    else:
        name = view.agent_id if view.kind in _SELF else ""
    known = plain_id(name).casefold()
    return f"{_digest(view.session_id)}/{_digest(known) if known else ''}"


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:_DIGITS]


def _rule(name: str, policy: Policy) -> Combination | None:
    return (policy.channels or Channels()).combinations.get(name)


def _of_rule(  # noqa: PLR0913, PLR0917 - what an event is judged by
    name: str, verdict: Verdict, view: View, at: At, history: History, policy: Policy
) -> Iterator[Said]:
    rule = _rule(name, policy)
    if rule is None:  # the policy was changed since the event was annotated
        message = "the policy has no such combination any more"
        yield Said(Violation(PREFIX + name, UNKNOWN, Decision.BLOCK, message, view.subject, article=ARTICLE))
        return
    now = rule.of(_told(view, verdict))
    said: dict[str, Said] = {}
    for facts in _past(view, at, history):
        before = rule.of(category for fact in facts for category in fact.categories)
        events = tuple(dict.fromkeys(fact.event_id for fact in facts if rule.of(fact.categories)))
        new = [each for each in now if each not in before]
        room = max(0, rule.most - len(before))
        for member in new[room:]:
            said.setdefault(member, _too_much(rule, member, view, (*before, *new[:room]), events))
    yield from said.values()


def _past(view: View, at: At, history: History) -> Iterator[list[ToldFact]]:
    """What the recipient was told in the session; where it may be anybody, what each was told, one after the other."""
    session, _, recipient = place_of(view).partition("/")
    facts = [
        entry.fact
        for entry in told_before(history, at.offset)
        if entry.fact.until >= at.recorded_at
        and entry.fact.event_id != view.event_id
        and entry.fact.to.startswith(f"{session}/")
    ]
    unnamed = f"{session}/"
    for each in dict.fromkeys([f"{session}/{recipient}", *([] if recipient else [fact.to for fact in facts])]):
        yield [fact for fact in facts if fact.to in {each, unnamed}]


def _too_much(rule: Combination, member: str, view: View, others: tuple[str, ...], events: tuple[str, ...]) -> Said:
    concerned = [each for each in view.findings if is_personal(each.category) and meets(member, each.category)]
    handling, reason = rule.handling, TOGETHER
    message = rule.message or f"'{member}' together with {', '.join(others) or 'the rest'} is more than {rule.most}"
    if handling.treatment is not None and any(each.essential for each in concerned):
        handling, reason = replace(handling, decision=Decision.BLOCK, treatment=None), WOULD_BREAK
        message = (
            f"the tool requires the argument that holds '{member}', which this recipient may not get beside the rest"
        )
    treatment = handling.treatment
    violation = Violation(
        rule=PREFIX + rule.name,
        reason=reason,
        decision=handling.decision,
        message=message,
        subject=view.subject,
        category=member,
        article=rule.article or ARTICLE,
        evidence=tuple(dict.fromkeys((*events, view.event_id))),
    )
    if treatment is None:
        return Said(violation)
    return Said(violation, tuple(owed(e.path, e.start, e.end, treatment, e.category) for e in concerned))


def _told(view: View, verdict: Verdict) -> Iterator[str]:
    """The personal categories that pass as they are, at one place at least."""
    treated = {(each.path, each.start, each.end) for each in verdict.obligations}
    for finding in view.findings:
        if is_personal(finding.category) and _place(finding) not in treated:
            yield finding.category


def _place(finding: Finding) -> tuple[str, int, int]:
    return finding.path, finding.start, finding.end
